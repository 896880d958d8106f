/**
 * The output contract of `tool_search`: the canonical value a program gets and the log keeps.
 * @module
 */

import type { JsonValue } from '@deepseek-ai/dsh-tools'
import type { Field } from '../catalog/types.ts'
import type { ChannelId } from '../channels/channel.ts'
import type { ChannelFailure } from '../retriever.ts'
import type { RewriteReport } from '../rewrite/types.ts'

/** The name under which the search is registered. */
export const SEARCH_TOOL = 'tool_search'

/** The name under which calls of tools outside the tool list are registered. */
export const DISPATCH_TOOL = 'tool_dispatch'

/**
 * `loaded`: its schema is in the next request; `ready`: its schema is in this result, and the dispatch calls it; `already_loaded`: it
 * is in the tool list; `unavailable`: this agent can't have it; `listed`: a listing named it and did nothing else.
 */
export const RESULT_STATUSES = ['loaded', 'ready', 'already_loaded', 'unavailable', 'listed'] as const

export type ResultStatus = (typeof RESULT_STATUSES)[number]

/** One result; every channel that gave no evidence scores 0. */
export interface SearchResult extends Readonly<Record<ChannelId, number>> {
  readonly name: string
  /** First line of the description, bounded. */
  readonly description: string
  /** 1 is best. */
  readonly rank: number
  /** The score the order comes from. */
  readonly score: number
  /** The weighted reciprocal rank sum over the channels. */
  readonly rrf: number
  readonly matchedFields: Field[]
  readonly status: ResultStatus
  /** The schema of the arguments, with `ready` alone; never kept in the log's metadata. */
  readonly parameters?: JsonValue
}

/** Canonical output of one search. */
export interface SearchValue {
  readonly query: string
  readonly catalogSize: number
  /** Hex SHA-256 of the catalogue that was searched. */
  readonly catalogRevision: string
  /** What a model made of the query; `query` is its queries, one a line, `''` unless applied. */
  readonly rewrite: RewriteReport
  readonly results: SearchResult[]
  /** Tools that still have to be searched for, after this search. */
  readonly remainingDeferred: number
  /** Channels that did not answer this search, and why. */
  readonly unanswered: ChannelFailure[]
  /** What else the model should know: ambiguous names, nearest names, failed channels. One line each. */
  readonly notes: string[]
}
