/**
 * The vectors of a catalogue in one piece of memory, and exact search over them.
 *
 * Components are 8-bit: a catalogue of 15,000 tools takes 6 MB instead of 23, and ranks as with floats (the error of a cosine
 * is about 0.002, far below the differences that decide a rank).
 * @module
 */

import { greatestDotsIn, LANES, MOST_QUERIES } from './int8-dot.ts'
import { createLoopTurns } from './loop-turns.ts'

/** A vector whose largest component is ±127; its direction alone counts. */
export type StoredVector = Int8Array<ArrayBuffer>

const LARGEST = 127

/**
 * The query is scaled to this length, so that its components fit 16 bits. By Cauchy and Schwarz no sum overflows 32 bits up to 65,536
 * components: ‖query‖ × ‖row‖ ≤ 32,767 × 127 × √65,536 < 2³¹.
 */
const QUERY_LENGTH = 32_767

/** Rows that are written between two looks at the clock. */
const ROWS_A_TURN = 256

/** Below every dot product. */
const LEAST_DOT = -(2 ** 31)

const PAGE_BYTES = 65_536

/** @param vector - finite, not all zero. */
export function storeVector(vector: Float32Array): StoredVector {
  let largest = 0
  for (let at = 0; at < vector.length; at++) largest = Math.max(largest, Math.abs(vector[at]!))
  const stored = new Int8Array(vector.length)
  for (let at = 0; at < stored.length; at++) stored[at] = Math.round(vector[at]! / largest * LARGEST)
  return stored
}

export interface VectorMatrix {
  readonly count: number
  /** Components of a vector. */
  readonly size: number
  row(at: number): StoredVector
  /**
   * Writes, for each row, the greatest cosine with any of some vectors of length 1, at least one.
   * @param components - how many are compared, from the first, when not all: the rest is taken for zero.
   */
  cosines(queries: readonly Float32Array[], into: Float32Array, components?: number): void
  /** The same for some rows only: `into[row]` for each of `rows`. */
  cosinesOf(rows: Int32Array, queries: readonly Float32Array[], into: Float32Array): void
  /** Copies as many rows as there is room for, with what makes their cosines. @returns the rows as they were given. */
  copyInto(components: Int8Array, factors: Float32Array): readonly StoredVector[]
}

/**
 * @param rows - all of one size, at least one component.
 * @param previous - another matrix of this size: rows that both have at the same place are copied from it in one piece.
 */
export async function createMatrix(rows: readonly StoredVector[], size: number, previous?: VectorMatrix): Promise<VectorMatrix> {
  const padded = roundUp(size, LANES)
  const queriesAt = 0
  const dotsAt = 2 * padded * MOST_QUERIES
  const listsAt = dotsAt + 4 * rows.length
  const rowsAt = roundUp(listsAt + 2 * 4 * rows.length, 16)
  const memory = new WebAssembly.Memory({ initial: Math.ceil((rowsAt + rows.length * padded) / PAGE_BYTES) })
  const greatestDots = greatestDotsIn(memory)
  const interleaved = new Int16Array(memory.buffer, queriesAt, padded * MOST_QUERIES)
  const dots = new Int32Array(memory.buffer, dotsAt, rows.length)
  /** Addresses of all rows, and of those that one search compares. */
  const all = new Int32Array(memory.buffer, listsAt, rows.length)
  const some = new Int32Array(memory.buffer, listsAt + 4 * rows.length, rows.length)
  const components = new Int8Array(memory.buffer, rowsAt, rows.length * padded)
  /** What makes a cosine of a dot product. */
  const factors = new Float32Array(rows.length)
  const turn = createLoopTurns()
  const same = previous?.copyInto(components, factors) ?? []
  for (const [at, row] of rows.entries()) {
    all[at] = rowsAt + at * padded
    if (row === same[at]) continue
    if (at % ROWS_A_TURN === 0) await turn()
    components.set(row, at * padded)
    factors[at] = 1 / (lengthOf(row) * QUERY_LENGTH)
  }

  function interleave(queries: readonly Float32Array[], compared: number): void {
    interleaved.fill(0)
    for (const [query, vector] of queries.entries()) {
      for (let at = 0; at < compared; at++) {
        const lane = at % LANES
        interleaved[(at - lane) * queries.length + query * LANES + lane] = Math.round(vector[at]! * QUERY_LENGTH)
      }
    }
  }

  /** Leaves the greatest dot products in `dots`. */
  function compare(list: Int32Array, count: number, queries: readonly Float32Array[], compared: number): void {
    dots.fill(LEAST_DOT, 0, count)
    for (let from = 0; from < queries.length; from += MOST_QUERIES) {
      const these = queries.slice(from, from + MOST_QUERIES)
      interleave(these, compared)
      greatestDots[these.length - 1]!(queriesAt, list.byteOffset, count, roundUp(compared, LANES), dotsAt)
    }
  }

  return {
    count: rows.length,
    size,
    row: at => components.slice(at * padded, at * padded + size),
    cosines(queries, into, compared = size) {
      compare(all, rows.length, queries, compared)
      for (let at = 0; at < rows.length; at++) into[at] = dots[at]! * factors[at]!
    },
    cosinesOf(chosen, queries, into) {
      for (let at = 0; at < chosen.length; at++) some[at] = all[chosen[at]!]!
      compare(some, chosen.length, queries, size)
      for (let at = 0; at < chosen.length; at++) into[chosen[at]!] = dots[at]! * factors[chosen[at]!]!
    },
    copyInto(into, factorsInto) {
      into.set(components.subarray(0, into.length))
      factorsInto.set(factors.subarray(0, factorsInto.length))
      return rows
    },
  }
}

function roundUp(value: number, multiple: number): number {
  return Math.ceil(value / multiple) * multiple
}

/** Euclidean. */
export function lengthOf(row: StoredVector): number {
  let squares = 0
  for (let at = 0; at < row.length; at++) squares += row[at]! * row[at]!
  return Math.sqrt(squares)
}
