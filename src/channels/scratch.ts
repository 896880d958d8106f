/**
 * Scratch space of the searches of one index: arrays by tool that are zero between searches, so that a search makes none.
 *
 * What a search has written is found again by the postings that it read, or, when those are many, by looking at every tool: for a long
 * query both are cheaper than keeping a list of the tools that were touched.
 * @module
 */

import type { Sums } from './bm25-score.ts'
import type { TermLists } from './term-lists.ts'

export interface Scratch {
  readonly whole: Sums
  /** See {@link sentenceSums}. */
  readonly sentences: Sums[]
  /** The best alternative of the group that is being added; then how much of each name is asked for. */
  readonly best: Float32Array
  readonly phraseSums: Float32Array
  /** Scores of the tools that are being ranked; never cleared. */
  readonly final: Float32Array
  /** By term. */
  readonly asked: Float32Array
  /** Every tool, ascending. */
  readonly all: Int32Array
  /** Room for the tools of a few postings. */
  readonly some: Int32Array
}

/** With room for the terms of tools that take the place of others. */
const SPARE_TERMS = 10_000

/** Reading an array from end to end is this many times as fast for each tool as picking tools out of it. */
const DENSE_GAIN = 3

/** Share of the greatest sum from which tools are looked at first: from .3 to .5 about as few are looked at in all. */
export const HEAD_START = 0.3

export function createScratch(toolCount: number, termCount: number): Scratch {
  return {
    whole: new Float32Array(2 * toolCount),
    sentences: [],
    best: new Float32Array(toolCount),
    phraseSums: new Float32Array(toolCount),
    final: new Float32Array(toolCount),
    asked: new Float32Array(termCount + SPARE_TERMS),
    all: Int32Array.from({ length: toolCount }, (_, tool) => tool),
    some: new Int32Array(Math.ceil(toolCount / DENSE_GAIN)),
  }
}

/** Whether the scratch space of another index can be used for one of this size. */
export function fits({ best, asked }: Scratch, toolCount: number, termCount: number): boolean {
  return best.length === toolCount && asked.length >= termCount
}

/** Arrays for sentences that are kept from search to search: few queries have more. */
const KEPT_SENTENCES = 4

/** Forgets what few queries need. */
export function trim({ sentences }: Scratch): void {
  if (sentences.length > KEPT_SENTENCES) sentences.length = KEPT_SENTENCES
}

/** @returns the sums of one sentence of the query. */
export function sentenceSums({ whole, sentences }: Scratch, at: number): Sums {
  return sentences[at] ??= new Float32Array(whole.length)
}

/** @returns tools among which are all that have any of some terms, with repeats, until the next call. */
export function toolsWith({ offsets, tools }: TermLists, terms: readonly number[], { all, some }: Scratch): Int32Array {
  let count = 0
  for (const term of terms) {
    const from = offsets[term]!
    const to = offsets[term + 1]!
    if (count + to - from > some.length) return all
    some.set(tools.subarray(from, to), count)
    count += to - from
  }
  return some.subarray(0, count)
}

/** Makes an array zero again. @param width - its values for each tool. @param tools - those with a value, at least. */
export function clear(values: Float32Array, width: number, tools: Int32Array): void {
  if (width * tools.length >= values.length) {
    values.fill(0)
    return
  }
  for (let at = 0; at < tools.length; at++) {
    const from = width * tools[at]!
    for (let value = from; value < from + width; value++) values[value] = 0
  }
}
