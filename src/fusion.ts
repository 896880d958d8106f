/**
 * Weighted reciprocal rank fusion, in one place.
 * @module
 */

import type { ChannelId } from './channels/channel.ts'

/** One channel's order. */
export interface RankedList {
  readonly channel: ChannelId
  readonly weight: number
  /** Tool indices, best first. */
  readonly tools: ArrayLike<number>
  /** Scores beside `tools`; tools of equal score share the better rank. */
  readonly scores: ArrayLike<number>
  /** Whether a rewritten query was searched, and not the query itself. */
  readonly isRewritten?: boolean
}

/** Ranks by channel, 1 is best. */
export type ChannelRanks = Readonly<Partial<Record<ChannelId, number>>>

/** One tool of the fused order. */
export interface FusedTool {
  readonly tool: number
  readonly score: number
  /** Ranks for the query itself. */
  readonly ranks: ChannelRanks
  /** The best ranks for any rewritten query. */
  readonly rewrittenRanks: ChannelRanks
  /** The part of `score` that comes from rewritten queries. */
  readonly rewrittenScore: number
}

export interface FusionOptions {
  /** The constant k of {@link fuse}; small values trust the top of each list more. */
  readonly rankConstant: number
  /** Whether a tool does something that cannot be taken back; such a tool loses every tie. */
  readonly isDestructive: (tool: number) => boolean
}

/**
 * `score(d) = Σ_c w_c / (k + rank_c(d))` (Cormack, Clarke, Büttcher: Reciprocal Rank Fusion, SIGIR 2009, with a weight per list).
 * Tools of the `exact` list come first in its order whatever the others say. Ties: harmless before destructive, then by index,
 * which is by name.
 */
export function fuse(lists: readonly RankedList[], { rankConstant, isDestructive }: FusionOptions): FusedTool[] {
  const fused = new Map<number, Growing<FusedTool>>()
  for (const { channel, weight, tools, scores, isRewritten = false } of lists) {
    if (weight === 0) continue
    let rank = 1
    for (let at = 0; at < tools.length; at++) {
      if (at > 0 && scores[at] !== scores[at - 1]) rank = at + 1
      const tool = tools[at]!
      let entry = fused.get(tool)
      if (entry === undefined) fused.set(tool, entry = { tool, score: 0, ranks: {}, rewrittenRanks: {}, rewrittenScore: 0 })
      const gain = weight / (rankConstant + rank)
      entry.score += gain
      if (isRewritten) {
        entry.rewrittenScore += gain
        entry.rewrittenRanks[channel] = Math.min(rank, entry.rewrittenRanks[channel] ?? rank)
      } else {
        entry.ranks[channel] = rank
      }
    }
  }
  return [...fused.values()].sort((a, b) =>
    (a.ranks.exact ?? Infinity) - (b.ranks.exact ?? Infinity) || 0
    || b.score - a.score
    || Number(isDestructive(a.tool)) - Number(isDestructive(b.tool))
    || a.tool - b.tool)
}

/** What is still being added up. */
type Growing<T> = { -readonly [K in keyof T]: T[K] extends ChannelRanks ? Partial<Record<ChannelId, number>> : T[K] }
