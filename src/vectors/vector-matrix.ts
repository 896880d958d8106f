/**
 * The vectors of a catalogue in one piece of memory, and exact search over them.
 *
 * Components are 8-bit: a catalogue of 15,000 tools takes 6 MB instead of 23, and ranks as with floats (the error of a cosine
 * is about 0.002, far below the differences that decide a rank).
 * @module
 */

import { dotProductsIn, LANES } from './int8-dot.ts'
import { createLoopTurns } from './loop-turns.ts'

/** A vector whose largest component is ±127; its direction alone counts. */
export type StoredVector = Int8Array<ArrayBuffer>

const LARGEST = 127

/**
 * The query is scaled to this length, so that its components fit 16 bits. By Cauchy and Schwarz no sum overflows 32 bits up to 65,536
 * components: ‖query‖ × ‖row‖ ≤ 32,767 × 127 × √65,536 < 2³¹.
 */
const QUERY_LENGTH = 32_767

const PAGE_BYTES = 65_536

/** @param vector - finite, not all zero. */
export function storeVector(vector: Float32Array): StoredVector {
  let largest = 0
  for (const value of vector) largest = Math.max(largest, Math.abs(value))
  const stored = new Int8Array(vector.length)
  for (let at = 0; at < stored.length; at++) stored[at] = Math.round(vector[at]! / largest * LARGEST)
  return stored
}

export interface VectorMatrix {
  readonly count: number
  /** Components of a vector. */
  readonly size: number
  row(at: number): StoredVector
  /** Writes the cosine of a vector of length 1 with each row. */
  cosines(query: Float32Array, into: Float32Array): void
}

/** @param rows - all of one size, at least one component. */
export async function createMatrix(rows: readonly StoredVector[], size: number): Promise<VectorMatrix> {
  const padded = Math.ceil(size / LANES) * LANES
  const queryAt = 0
  const sumsAt = Math.ceil(2 * padded / 16) * 16
  const rowsAt = sumsAt + Math.ceil(4 * rows.length / 16) * 16
  const memory = new WebAssembly.Memory({ initial: Math.ceil((rowsAt + rows.length * padded) / PAGE_BYTES) })
  const dotProducts = dotProductsIn(memory)
  const query = new Int16Array(memory.buffer, queryAt, padded)
  const sums = new Int32Array(memory.buffer, sumsAt, rows.length)
  const components = new Int8Array(memory.buffer, rowsAt, rows.length * padded)
  const inverseLengths = new Float32Array(rows.length)
  const turn = createLoopTurns()
  for (const [at, row] of rows.entries()) {
    await turn()
    components.set(row, at * padded)
    inverseLengths[at] = 1 / lengthOf(row)
  }
  return {
    count: rows.length,
    size,
    row: at => components.slice(at * padded, at * padded + size),
    cosines(vector, into) {
      for (let at = 0; at < size; at++) query[at] = Math.round(vector[at]! * QUERY_LENGTH)
      dotProducts(queryAt, rowsAt, rows.length, padded, sumsAt)
      for (let at = 0; at < rows.length; at++) into[at] = sums[at]! * inverseLengths[at]! / QUERY_LENGTH
    },
  }
}

function lengthOf(row: StoredVector): number {
  let squares = 0
  for (const value of row) squares += value * value
  return Math.sqrt(squares)
}
