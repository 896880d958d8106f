/**
 * What the harness asks of a search engine: ours, the baseline and the peers look the same to it.
 * @module
 */

import type { ToolDeclaration } from '../../src/catalog/types.ts'
import type { SearchOutcome } from '../../src/retriever.ts'

export interface EngineAnswer {
  /** Tool names, best first. */
  readonly names: readonly string[]
  /** How sure the engine is, where it says so. */
  readonly match?: SearchOutcome['match']
}

/** What can be asked. */
export interface Searchable {
  search(query: string, limit: number): EngineAnswer | Promise<EngineAnswer>
}

export interface EngineIndex extends Searchable {
  /** Replaces one tool by another of the same name and makes the change searchable. */
  replace(tool: ToolDeclaration): void | Promise<void>
}

export interface Engine {
  readonly id: string
  readonly label: string
  /** Takes ten and more milliseconds a query in large catalogues: it is asked a sample of the queries. */
  readonly isSlow?: true
  /** Indexes a catalogue from nothing, no cache of an earlier call. */
  build(tools: readonly ToolDeclaration[]): EngineIndex | Promise<EngineIndex>
}
