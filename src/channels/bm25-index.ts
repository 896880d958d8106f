/**
 * BM25F as precomputed impacts in typed arrays: a query adds up numbers and computes nothing else.
 *
 * `impact(t, d) = v (k1 + 1) / (v + k1)` with `v = Σ_f w_f tf_f / (1 − b_f + b_f len_f / avglen_f)` (Robertson, Zaragoza, Taylor:
 * Simple BM25 Extension to Multiple Weighted Fields, CIKM 2004; per-field length normalisation as in Zaragoza et al., TREC 2004).
 * @module
 */

import { FIELDS } from '../catalog/types.ts'
import type { RetrievalConfig } from '../retriever.ts'
import type { ToolTerms } from './bm25-vocabulary.ts'

/** Postings of term `t` are at `offsets[t]` up to `offsets[t + 1]`, ascending by tool. */
export interface Postings {
  readonly toolCount: number
  readonly offsets: Int32Array
  readonly tools: Int32Array
  /** 0..k1 + 1, beside `tools`. */
  readonly impacts: Float32Array
  /** By term, 0 until it is asked for; see `idfOf`. */
  readonly idfs: Float64Array
}

export type Bm25Parameters = Pick<RetrievalConfig, 'bm25K1' | 'bm25B' | 'fieldWeights'>

/** @param termCount - every id of `analyses` is below it. */
export function buildPostings(analyses: readonly ToolTerms[], termCount: number, parameters: Bm25Parameters): Postings {
  const offsets = new Int32Array(termCount + 1)
  for (const { ids } of analyses) for (let at = 0; at < ids.length; at++) offsets[ids[at]! + 1]!++
  for (let term = 0; term < termCount; term++) offsets[term + 1]! += offsets[term]!
  const next = offsets.slice(0, termCount)
  const tools = new Int32Array(offsets[termCount]!)
  const impacts = new Float32Array(tools.length)
  const k1 = parameters.bm25K1
  const norms = fieldNorms(analyses, parameters)
  for (let tool = 0; tool < analyses.length; tool++) {
    const { ids, frequencies } = analyses[tool]!
    for (let at = 0, from = 0; at < ids.length; at++, from += FIELDS.length) {
      let value = 0
      for (let field = 0; field < FIELDS.length; field++) {
        const frequency = frequencies[from + field]!
        if (frequency > 0) value += frequency * norms[tool * FIELDS.length + field]!
      }
      const posting = next[ids[at]!]!++
      tools[posting] = tool
      impacts[posting] = value * (k1 + 1) / (value + k1)
    }
  }
  return { toolCount: analyses.length, offsets, tools, impacts, idfs: new Float64Array(termCount) }
}

/** @returns `w_f / (1 − b_f + b_f len_f / avglen_f)` at `tool * FIELDS.length + field`. */
function fieldNorms(analyses: readonly ToolTerms[], { bm25B, fieldWeights }: Bm25Parameters): Float64Array {
  const norms = new Float64Array(analyses.length * FIELDS.length)
  for (const [field, name] of FIELDS.entries()) {
    let total = 0
    for (const { lengths } of analyses) total += lengths[field]!
    const average = total / analyses.length || 1
    const b = bm25B[name]
    for (let tool = 0; tool < analyses.length; tool++) {
      norms[tool * FIELDS.length + field] = fieldWeights[name] / (1 - b + b * analyses[tool]!.lengths[field]! / average)
    }
  }
  return norms
}
