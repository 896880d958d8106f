/**
 * From fused ranks to results and their explanations.
 * @module
 */

import { FIELDS } from './catalog/types.ts'
import type { Catalog, Field } from './catalog/types.ts'
import type { ChannelId, ChannelRanking, TermContribution } from './channels/channel.ts'
import type { FusedTool } from './fusion.ts'
import type { ChannelPlace, Explanation, RankedTool, RetrievalConfig } from './retriever.ts'

/** A channel's answer. */
export interface Answer {
  readonly channel: ChannelId
  readonly ranking: ChannelRanking
}

/**
 * A fused tool as a result.
 * @param rank - 1 is best.
 * @param answers - of the query itself.
 * @param rewritten - of rewritten queries.
 */
export function rankedTool(
  catalog: Catalog,
  { tool, score, ranks, rewrittenRanks }: FusedTool,
  rank: number,
  answers: readonly Answer[],
  rewritten: readonly Answer[],
): RankedTool {
  const { name, description } = catalog.tools[tool]!
  const channels: Partial<Record<ChannelId, ChannelPlace>> = {}
  const matched = new Set<Field>()
  for (const { channel, ranking } of answers) {
    const place = ranks[channel]
    if (place === undefined) continue
    channels[channel] = { rank: place, score: scoreIn(ranking, tool)! }
    for (const field of ranking.matchedFields(tool)) matched.add(field)
  }
  for (const { channel, ranking } of rewritten) {
    const score = scoreIn(ranking, tool)
    if (score === undefined) continue
    if (ranks[channel] === undefined) {
      channels[channel] = { rank: rewrittenRanks[channel]!, score: Math.max(score, channels[channel]?.score ?? 0), isRewritten: true }
    }
    for (const field of ranking.matchedFields(tool)) matched.add(field)
  }
  return { name, description, rank, score, channels, matchedFields: FIELDS.filter(field => matched.has(field)) }
}

/** @returns undefined for a tool that is not in a ranking. */
function scoreIn({ tools, scores }: ChannelRanking, tool: number): number | undefined {
  return scores[Array.prototype.indexOf.call(tools, tool)]
}

/** See {@link Explanation.shares}. */
export function sharesOf(
  { ranks, score, rewrittenScore }: FusedTool, { fusion }: RetrievalConfig, answers: readonly Answer[],
): Explanation['shares'] {
  const trusts = new Map(answers.map(({ channel, ranking: { trust = 1 } }) => [channel, trust]))
  const shares = Object.fromEntries(Object.entries(ranks).map(([channel, rank]) =>
    [channel, trusts.get(channel as ChannelId)! * fusion.weights[channel as ChannelId] / (fusion.rankConstant + rank) / score]))
  return rewrittenScore === 0 ? shares : { ...shares, rewrite: rewrittenScore / score }
}

/** What each term contributed, those of rewritten queries after the query's own. */
export function termsOf({ tool, ranks }: FusedTool, answers: readonly Answer[], rewritten: readonly Answer[]): Explanation['terms'] {
  const terms: Partial<Record<ChannelId, readonly TermContribution[]>> = {}
  const explaining = [
    ...answers.filter(({ channel }) => ranks[channel] !== undefined),
    ...rewritten.filter(({ ranking }) => scoreIn(ranking, tool) !== undefined),
  ]
  for (const { channel, ranking } of explaining) terms[channel] = [...terms[channel] ?? [], ...ranking.explain(tool)]
  return terms
}
