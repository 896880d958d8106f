/**
 * BM25F as precomputed impacts in typed arrays: a query adds up numbers and computes nothing else.
 *
 * `impact(t, d) = v (k1 + 1) / (v + k1)` with `v = Σ_f w_f tf_f / (1 − b_f + b_f len_f / avglen_f)` (Robertson, Zaragoza, Taylor:
 * Simple BM25 Extension to Multiple Weighted Fields, CIKM 2004; per-field length normalisation as in Zaragoza et al., TREC 2004).
 * @module
 */

import { FIELDS } from '../catalog/types.ts'
import type { RetrievalConfig } from '../retriever.ts'
import { createScoringMemory } from './scratch.ts'
import type { ScoringMemory } from './scratch.ts'
import { buildLists, patchLists } from './term-lists.ts'
import type { CatalogChanges, TermLists } from './term-lists.ts'
import type { ToolTerms } from './tool-terms.ts'

/** The values of the lists are impacts, 0..k1 + 1. */
export interface Postings extends TermLists, ScoringMemory {
  readonly toolCount: number
  /** By number of tools that have a term, 0 until it is asked for; see `idfOf`. */
  readonly idfs: Float64Array
  /** Words of all tools in each field. */
  readonly totalLengths: Float64Array
}

export type Bm25Parameters = Pick<RetrievalConfig, 'bm25K1' | 'bm25B' | 'fieldWeights'>

/** @param termCount - every id of `analyses` is below it. */
export function buildPostings(analyses: readonly ToolTerms[], termCount: number, parameters: Bm25Parameters): Postings {
  const totalLengths = new Float64Array(FIELDS.length)
  for (const terms of analyses) terms.addLengths(totalLengths, 1)
  const averageLengths = averageLengthsOf(totalLengths, analyses.length)
  // One array for all tools: each is read before the next is asked for.
  let impacts = new Float32Array(0)
  const valuesOf = (tool: number): Float32Array => {
    const { ids } = analyses[tool]!
    if (ids.length > impacts.length) impacts = new Float32Array(2 * ids.length)
    return impactsOf(analyses[tool]!, averageLengths, parameters, impacts)
  }
  const lists = buildLists(
    analyses.length, termCount, tool => analyses[tool]!.ids, valuesOf, count => createScoringMemory(analyses.length, termCount, count),
  )
  return { ...lists, toolCount: analyses.length, idfs: new Float64Array(analyses.length + 1), totalLengths }
}

/**
 * What {@link buildPostings} would build, made of the previous catalogue's postings.
 * @param before - the analyses of the previous catalogue.
 * @returns undefined where every impact has changed, because a mean length has.
 */
export function patchPostings(
  previous: Postings, before: readonly ToolTerms[], changes: CatalogChanges, analyses: readonly ToolTerms[], termCount: number,
  parameters: Bm25Parameters,
): Postings | undefined {
  const totalLengths = previous.totalLengths.slice()
  for (const tool of changes.removed) before[tool]!.addLengths(totalLengths, -1)
  for (const tool of changes.added) analyses[tool]!.addLengths(totalLengths, 1)
  const averageLengths = averageLengthsOf(totalLengths, analyses.length)
  const lengthsBefore = averageLengthsOf(previous.totalLengths, before.length)
  if (averageLengths.some((length, field) => length !== lengthsBefore[field])) return undefined
  const removed = changes.removed.map(tool => before[tool]!.ids)
  const added = changes.added.map(tool => ({ ids: analyses[tool]!.ids, values: impactsOf(analyses[tool]!, averageLengths, parameters) }))
  const lists = patchLists(
    previous, changes, removed, added, termCount, count => createScoringMemory(analyses.length, termCount, count),
  )
  const idfs = analyses.length === before.length ? previous.idfs : new Float64Array(analyses.length + 1)
  return { ...lists, toolCount: analyses.length, idfs, totalLengths }
}

/** Mean length of each field in words, rounded by {@link roundLength}. */
function averageLengthsOf(totals: Float64Array, toolCount: number): number[] {
  return Array.from(totals, total => roundLength(total / toolCount))
}

/** Steps of a mean length that double it. */
const STEPS_AN_OCTAVE = 32

/**
 * A mean length rounded by at most 1.1 %, so that one tool more leaves the impacts of all the others as they are. A hundredth of a length
 * decides no rank that means anything.
 */
function roundLength(length: number): number {
  return length > 0 ? 2 ** (Math.round(Math.log2(length) * STEPS_AN_OCTAVE) / STEPS_AN_OCTAVE) : 1
}

/** The impacts of one tool's terms, beside its ids. @param impacts - where they are written. */
function impactsOf(
  { ids, frequencies, lengths }: ToolTerms, averageLengths: readonly number[], { bm25K1: k1, bm25B, fieldWeights }: Bm25Parameters,
  impacts = new Float32Array(ids.length),
): Float32Array {
  // `w_f / (1 − b_f + b_f len_f / avglen_f)`
  const norms = FIELDS.map((name, field) => fieldWeights[name] / (1 - bm25B[name] + bm25B[name] * lengths[field]! / averageLengths[field]!))
  for (let at = 0, from = 0; at < ids.length; at++, from += FIELDS.length) {
    let value = 0
    for (let field = 0; field < FIELDS.length; field++) {
      const frequency = frequencies[from + field]!
      if (frequency > 0) value += frequency * norms[field]!
    }
    impacts[at] = value * (k1 + 1) / (value + k1)
  }
  return impacts
}
