/**
 * The one interface of every retrieval channel. A channel ranks tools by one kind of evidence and knows
 * nothing of the others; `retriever.ts` is the only place that knows them all.
 * @module
 */

import type { Catalog, Field } from '../catalog/types.ts'
import type { QueryPlan } from '../query/plan.ts'
import type { RetrievalConfig } from '../retriever.ts'
import type { LexicalIndex } from './lexical-index.ts'

export const CHANNEL_IDS = ['exact', 'bm25', 'semantic', 'gloss', 'dense'] as const

export type ChannelId = (typeof CHANNEL_IDS)[number]

/** What one term of the query contributed to one tool's score in one channel. */
export interface TermContribution {
  /** The term as the user wrote it. */
  readonly term: string
  /** The indexed term it matched, when it is another one (a synonym, a correction, a translation). */
  readonly via?: string
  readonly fields: readonly Field[]
  readonly score: number
}

/** A channel's answer: tools with evidence only, best first; ties are in tool order, that is by name. */
export interface ChannelRanking {
  /** Indices into `catalog.tools`. */
  readonly tools: ArrayLike<number>
  /** Scores beside `tools`, each above 0, comparable only within this channel and query. */
  readonly scores: ArrayLike<number>
  /**
   * How strong the best evidence is, 0..1 where 1 is the strongest this channel can give; the retriever tells a weak match and
   * no match by it. Left out by a channel whose evidence is always enough.
   */
  readonly strength?: number
  /** How far the channel can be trusted with this query, 0 or more: a factor of its weight in the fusion; 1 when left out. */
  readonly trust?: number
  /** Fields that gave evidence for a tool of this ranking. */
  matchedFields(tool: number): readonly Field[]
  /** Contributions by term for a tool of this ranking; computed on demand, off the query path. */
  explain(tool: number): readonly TermContribution[]
}

/** Thrown by a channel that will answer later: what it needs is being made. */
export class ChannelWarming extends Error {}

/** One channel over one catalogue revision. */
export interface ChannelIndex {
  /**
   * @param limit - how many tools the fusion can use; a channel may return fewer.
   * @throws anything: the retriever reports the failure in the result and the other channels answer.
   */
  search(plan: QueryPlan, limit: number, signal?: AbortSignal): ChannelRanking | Promise<ChannelRanking>
}

export interface Channel {
  readonly id: ChannelId
  /** Builds the index of a catalogue; analysis is cached by each tool's content hash across calls. */
  index(catalog: Catalog): ChannelIndex
}

/** What channels are made with. */
export interface ChannelContext {
  readonly config: RetrievalConfig
  /** The words of a catalogue, indexed at the first call and shared by every channel that needs them. */
  readonly lexicalIndex: (catalog: Catalog) => LexicalIndex
}

/** Makes a channel; called once a retriever, so anything heavy is left to the first `index` or `search`. */
export type ChannelFactory = (context: ChannelContext) => Channel
