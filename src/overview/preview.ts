/**
 * What a search answers and why, for a person. Pure.
 * @module
 */

import type { Field } from '../catalog/types.ts'
import { CHANNEL_IDS } from '../channels/channel.ts'
import type { ChannelId } from '../channels/channel.ts'
import type { ChannelFailure, Explanation, SearchOutcome } from '../retriever.ts'
import type { RewriteReport } from '../rewrite/types.ts'
import type { ResultStatus } from '../tools/contract.ts'
import { renderSearch } from '../tools/rendering.ts'
import type { ExplainedValue } from '../tools/search-answers.ts'

/** One channel's part in the place of one tool. */
export interface ChannelShare {
  readonly channel: ChannelId | 'rewrite'
  /** Of the fused score, 0 to 1; the shares of a tool add up to 1. */
  readonly share: number
  /** Place in the channel's own order, 1 is best; left out for `rewrite`, which counts in several channels. */
  readonly rank?: number
}

/** What one term of the query contributed. */
export interface MatchedTerm {
  readonly channel: ChannelId
  /** As it was written. */
  readonly term: string
  /** The word it matched where that is another one: a synonym, a correction, a translation. */
  readonly via?: string
  readonly fields: readonly Field[]
}

export interface PreviewResult {
  readonly name: string
  readonly description: string
  /** 1 is best. */
  readonly rank: number
  /**
   * What the agent gets: the status in the answer; `weak` for a tool that is named in a note because the evidence is too thin to load it.
   */
  readonly status: ResultStatus | 'weak'
  /** Best first; none for a tool that came along with another one, and for an unknown name. */
  readonly shares: readonly ChannelShare[]
  readonly matchedFields: readonly Field[]
  /** The strongest of each channel first. */
  readonly terms: readonly MatchedTerm[]
}

export interface Preview {
  readonly query: string
  readonly match: SearchOutcome['match'] | 'listing'
  /** 0 to 1. */
  readonly confidence: number
  readonly results: readonly PreviewResult[]
  /** Word for word what the agent reads. */
  readonly answer: string
  readonly rewrite: RewriteReport
  readonly unanswered: readonly ChannelFailure[]
}

export function previewOf({ value, outcome, explanations = [] }: ExplainedValue): Preview {
  const explained = new Map(explanations.map(explanation => [explanation.result.name, explanation]))
  const weak = outcome?.match === 'weak' ? outcome.results.map(({ name, description }) => ({ name, description, status: 'weak' as const })) : []
  return {
    query: value.query,
    match: outcome?.match ?? 'listing',
    confidence: outcome?.confidence ?? 1,
    results: [...weak, ...value.results].map(({ name, description, status }, at): PreviewResult => {
      const explanation = explained.get(name)
      return {
        name,
        description,
        rank: at + 1,
        status,
        shares: explanation === undefined ? [] : sharesOf(explanation),
        matchedFields: explanation?.result.matchedFields ?? [],
        terms: explanation === undefined ? [] : termsOf(explanation),
      }
    }),
    answer: renderSearch(value),
    rewrite: value.rewrite,
    unanswered: value.unanswered,
  }
}

function sharesOf({ shares, result: { channels } }: Explanation): ChannelShare[] {
  return ([...CHANNEL_IDS, 'rewrite'] as const).flatMap((channel): ChannelShare[] => {
    const share = shares[channel] ?? 0
    const rank = channel === 'rewrite' ? undefined : channels[channel]?.rank
    return share === 0 ? [] : [{ channel, share, ...rank !== undefined && { rank } }]
  }).sort((a, b) => b.share - a.share)
}

function termsOf({ terms }: Explanation): MatchedTerm[] {
  return CHANNEL_IDS.flatMap(channel => [...terms[channel] ?? []].sort((a, b) => b.score - a.score)
    .map(({ term, via, fields }) => ({ channel, term, ...via !== undefined && { via }, fields })))
}
