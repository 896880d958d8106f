/**
 * Plan, channels, fusion, results: the only place that knows every channel.
 * @module
 */

import type { Catalog, Field } from './catalog/types.ts'
import type { ChannelId, TermContribution } from './channels/channel.ts'

/** Retrieval settings; every one has a default in `config.ts`. */
export interface RetrievalConfig {
  readonly bm25K1: number
  readonly bm25B: Readonly<Record<Field, number>>
  readonly fieldWeights: Readonly<Record<Field, number>>
  readonly fusion: {
    /** The constant k of reciprocal rank fusion. */
    readonly rankConstant: number
    readonly weights: Readonly<Record<ChannelId, number>>
  }
}

/** A channel's place for one result. */
export interface ChannelPlace {
  /** 1 is best. */
  readonly rank: number
  readonly score: number
}

/** One tool of an answer. */
export interface RankedTool {
  readonly name: string
  readonly description: string
  /** 1 is best. */
  readonly rank: number
  /** The fused score the order comes from. */
  readonly score: number
  readonly channels: Readonly<Partial<Record<ChannelId, ChannelPlace>>>
  readonly matchedFields: readonly Field[]
}

/** A channel that could not answer; the others did. */
export interface ChannelFailure {
  readonly channel: ChannelId
  readonly reason: string
}

/** What a search found. */
export interface SearchOutcome {
  readonly query: string
  readonly catalogSize: number
  readonly catalogRevision: string
  readonly results: readonly RankedTool[]
  /** `exact`: a name was asked for; `ranked`: evidence; `weak`: listed but too thin to load by itself; `none`. */
  readonly match: 'exact' | 'ranked' | 'weak' | 'none'
  /** Names that were asked for and do not exist. */
  readonly unknownNames: readonly string[]
  /** Short names that more than one tool has, with the full names. */
  readonly ambiguous: readonly { readonly name: string; readonly candidates: readonly string[] }[]
  /** For an empty answer: the names nearest to the query, best first, at most five. */
  readonly nearest: readonly string[]
  readonly failures: readonly ChannelFailure[]
}

/** Why a tool of an answer stands where it stands. */
export interface Explanation {
  readonly result: RankedTool
  /** Share of the fused score by channel; the shares add up to 1. */
  readonly shares: Readonly<Partial<Record<ChannelId, number>>>
  readonly terms: Readonly<Partial<Record<ChannelId, readonly TermContribution[]>>>
}

export interface SearchRequest {
  readonly query: string
  /** How many results at most, 1 or more. */
  readonly limit: number
  readonly signal?: AbortSignal | undefined
}

export interface Retriever {
  /** Builds what a search of this catalogue needs, if it is not built yet. */
  prepare(catalog: Catalog): void
  search(catalog: Catalog, request: SearchRequest): Promise<SearchOutcome>
  explain(catalog: Catalog, request: SearchRequest): Promise<{ outcome: SearchOutcome; explanations: readonly Explanation[] }>
}
