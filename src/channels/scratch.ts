/**
 * The memory of one index for scoring: its postings, and arrays by tool that are zero between searches, so that a search makes none. Both
 * are in one WebAssembly memory, where the loops over them run. What a search has written is cleared by writing zeros over all of it, and
 * found by looking at every tool: four at a time, that is cheaper than keeping lists.
 * @module
 */

import { memoryOf } from '../wasm/assembler.ts'
import { postingKernelsIn } from '../wasm/posting-kernels.ts'
import type { PostingKernels } from '../wasm/posting-kernels.ts'
import { SCANNED_AT_ONCE, scanKernelsIn } from '../wasm/scan-kernels.ts'
import type { ScanKernels } from '../wasm/scan-kernels.ts'
import type { Sums } from './bm25-score.ts'
import { floorOf } from './top-k.ts'

export interface Scratch {
  /** Made with the first search. */
  readonly kernels: PostingKernels & ScanKernels
  /** Of the whole query. */
  readonly whole: Sums
  /** Of its sentences: no more of them are told apart. */
  readonly sentences: readonly Sums[]
  /** The best alternative of the group that is being added; then how much of each name is asked for. */
  readonly best: Float32Array
  readonly phraseSums: Float32Array
  /** Scores of the tools that are being ranked; never cleared. */
  readonly final: Float32Array
  /** By term. */
  readonly asked: Float32Array
  /** Tools that a scan found. */
  readonly found: Int32Array
}

/** Postings without their terms, and room to score by them. */
export interface ScoringMemory {
  readonly tools: Int32Array
  readonly values: Float32Array
  /** Of the search that is running: a search is synchronous, so one is enough. */
  readonly scratch: Scratch
}

/** Few queries have more; what is not touched takes addresses, but no memory. */
const MOST_SENTENCES = 8

/** Nothing is at address 0, which says that there is none. */
const FIRST_ADDRESS = 16

export function createScoringMemory(toolCount: number, termCount: number, postingCount: number): ScoringMemory {
  const scanned = Math.ceil(toolCount / SCANNED_AT_ONCE) * SCANNED_AT_ONCE
  const sizes = { sums: 2 * scanned, byTool: scanned, found: scanned + SCANNED_AT_ONCE, postings: postingCount }
  const length = (1 + MOST_SENTENCES) * sizes.sums + 2 * sizes.byTool + sizes.found + 2 * sizes.postings
  const memory = memoryOf(FIRST_ADDRESS + 4 * length)
  let next = FIRST_ADDRESS
  function reserve(size: number): number {
    const address = next
    next += 4 * size
    return address
  }
  const floats = (size: number): Float32Array => new Float32Array(memory.buffer, reserve(size), size)
  const integers = (size: number): Int32Array => new Int32Array(memory.buffer, reserve(size), size)
  const whole = floats(sizes.sums)
  const best = floats(sizes.byTool)
  const phraseSums = floats(sizes.byTool)
  const found = integers(sizes.found)
  const tools = integers(postingCount)
  const values = floats(postingCount)
  // Last, since most of them are never touched.
  const sentences = Array.from({ length: MOST_SENTENCES }, () => floats(sizes.sums))
  let kernels: PostingKernels & ScanKernels | undefined
  return {
    tools,
    values,
    scratch: {
      get kernels() {
        return kernels ??= { ...postingKernelsIn(memory), ...scanKernelsIn(memory) }
      },
      whole,
      sentences,
      best,
      phraseSums,
      final: new Float32Array(toolCount),
      asked: new Float32Array(termCount),
      found,
    },
  }
}

/**
 * @param floor - 0 or more.
 * @returns the tools with a score above it, ascending, until the next call.
 */
export function toolsAbove({ kernels, found }: Scratch, sums: Sums, floor: number): Int32Array {
  return found.subarray(0, kernels.pairsAbove(sums.byteOffset, sums.length / 2, floor, found.byteOffset))
}

/** @returns the greatest score of any tool. */
export function greatestOf({ kernels }: Scratch, sums: Sums): number {
  return kernels.greatestOfPairs(sums.byteOffset, sums.length / 2)
}

/** How many times as many tools are looked at first as are kept. */
const HEAD_START = 2

/**
 * What some more tools than are kept are above, by their sums: what these have makes a bound that the rest are below, most often all of
 * them.
 */
export function headStart(scratch: Scratch, sums: Sums, kept: number): number {
  return floorOf(sums, 2, greatestOf(scratch, sums), HEAD_START * kept)
}
