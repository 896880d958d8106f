/**
 * The vectors of one catalogue, all of one model, in the order of its tools.
 * @module
 */

import { createLoopTurns } from './loop-turns.ts'
import { createVectorRows } from './vector-rows.ts'
import type { StoredVector } from './vector-rows.ts'

/** Rows that are written between two looks at the clock. */
const ROWS_A_TURN = 256

export interface VectorMatrix {
  readonly count: number
  /** Components of a vector. */
  readonly size: number
  row(at: number): StoredVector
  /** Writes, for each row, the greatest cosine with any of some vectors of length 1, at least one. */
  cosines(queries: readonly Float32Array[], into: Float32Array): void
}

/** @param vectors - all of one size, at least one component. */
export async function createMatrix(vectors: readonly StoredVector[], size: number): Promise<VectorMatrix> {
  const rows = createVectorRows(size, 0, vectors.length)
  const turn = createLoopTurns()
  for (const [at, vector] of vectors.entries()) {
    if (at % ROWS_A_TURN === 0) await turn()
    rows.add(vector)
  }
  const all = Int32Array.from(vectors.keys())
  return {
    count: vectors.length,
    size,
    row: at => rows.row(at),
    cosines(queries, into) {
      rows.cosines(all, queries, into)
    },
  }
}
