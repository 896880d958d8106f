/**
 * The same questions in a far larger catalogue: what do thousands of other tools cost?
 * @module
 */

import type { ToolDeclaration } from '../../src/catalog/types.ts'
import { createRandom, sample, seedOf } from '../random.ts'
import type { QuerySet } from '../sets.ts'

/** A set whose catalogue is filled up to `size` tools; a distractor of a name that the set has is left out. */
export function withDistractors(set: QuerySet, distractors: readonly ToolDeclaration[], size: number, queryCount: number): QuerySet {
  const names = new Set(set.tools.map(tool => tool.name))
  const strangers = distractors.filter(tool => !names.has(tool.name))
  return {
    ...set,
    tools: [...set.tools, ...strangers.slice(0, Math.max(0, size - set.tools.length))],
    queries: sample(set.queries, queryCount, createRandom(seedOf(`scale ${set.name}`))),
  }
}
