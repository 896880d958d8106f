/**
 * Vectors in one piece of memory, and exact search over any of them. Rows are added and never change, so that catalogues that share
 * their tools share the memory, and a changed one is a list of row numbers.
 *
 * Components are 8-bit: 15,000 vectors of 384 take 6 MB instead of 23, and rank as with floats (the error of a cosine is about 0.002,
 * far below the differences that decide a rank).
 * @module
 */

import { memoryOf } from '../wasm/assembler.ts'
import { SCANNED_AT_ONCE, scanKernelsIn } from '../wasm/scan-kernels.ts'
import type { ScanKernels } from '../wasm/scan-kernels.ts'
import { greatestDotsIn, LANES, MOST_QUERIES } from './int8-dot.ts'
import type { GreatestDots } from './int8-dot.ts'

/** A vector whose largest component is ±127; its direction alone counts. */
export type StoredVector = Int8Array<ArrayBuffer>

const LARGEST = 127

/**
 * The query is scaled to this length, so that its components fit 16 bits. By Cauchy and Schwarz no sum overflows 32 bits up to 65,536
 * components: ‖query‖ × ‖row‖ ≤ 32,767 × 127 × √65,536 < 2³¹.
 */
const QUERY_LENGTH = 32_767

/** Below every dot product. */
const LEAST_DOT = -(2 ** 31)

/** A full memory is replaced by one of this many times the rows. */
const GROWTH = 1.5

/** @param vector - finite, not all zero. */
export function storeVector(vector: Float32Array): StoredVector {
  let largest = 0
  for (let at = 0; at < vector.length; at++) largest = Math.max(largest, Math.abs(vector[at]!))
  return Int8Array.from(vector, value => Math.round(value / largest * LARGEST))
}

/** Euclidean. */
export function lengthOf(row: StoredVector): number {
  let squares = 0
  for (let at = 0; at < row.length; at++) squares += row[at]! * row[at]!
  return Math.sqrt(squares)
}

export interface VectorRows {
  /** Rows so far; they are numbered from 0. */
  readonly count: number
  /** @param vector - of the size of all. @returns its row. */
  add(vector: StoredVector): number
  row(at: number): StoredVector
  /**
   * Writes, for some of a list of rows, the greatest cosine with any of some vectors of length 1, at least one.
   * @param rows - a list of rows, each once.
   * @param places - the places in the list that are compared, each once; all when left out.
   * @param into - by place.
   */
  cosines(rows: Int32Array, queries: readonly Float32Array[], into: Float32Array, places?: Int32Array): void
  /**
   * The same by the first components alone, the rest taken for zero: they stand together, and are read faster.
   * @param places - as above, but not what `above` returned last.
   */
  roughCosines(rows: Int32Array, queries: readonly Float32Array[], places?: Int32Array): RoughCosines
}

/** What it holds is overwritten with the next comparison, but what `above` returned only with its next call. */
export interface RoughCosines {
  /** By place in the list, or beside the places that were compared. */
  readonly cosines: Float32Array
  /** @param floor - 0 or more. @returns where `cosines` are greater, ascending. */
  readonly above: (floor: number) => Int32Array
}

/** One block of memory: what a search needs, then the rows, then their first components again. */
interface Block {
  readonly capacity: number
  readonly interleaved: Int16Array
  readonly dots: Int32Array
  /** Of the rows that are compared, and beside them what makes a cosine of a dot product. */
  readonly addresses: Int32Array
  readonly factors: Float32Array
  /** The same of the first components of all rows of a list. */
  readonly headAddresses: Int32Array
  readonly headFactors: Float32Array
  /** Places that a scan found. */
  readonly found: Int32Array
  readonly rowsAt: number
  readonly headsAt: number
  readonly bytes: Int8Array<ArrayBuffer>
  /** For a number of queries. */
  readonly greatestDots: (queryCount: number) => GreatestDots
  readonly scan: ScanKernels
}

const roundUp = (value: number, multiple: number): number => Math.ceil(value / multiple) * multiple

function createBlock(capacity: number, padded: number, head: number): Block {
  const scanned = roundUp(capacity, SCANNED_AT_ONCE)
  const dotsAt = 2 * padded * MOST_QUERIES
  const addressesAt = dotsAt + 4 * scanned
  const factorsAt = addressesAt + 4 * capacity
  const headAddressesAt = factorsAt + 4 * scanned
  const headFactorsAt = headAddressesAt + 4 * capacity
  const foundAt = headFactorsAt + 4 * scanned
  const rowsAt = roundUp(foundAt + 4 * (scanned + 1), LANES)
  const headsAt = rowsAt + capacity * padded
  const memory = memoryOf(headsAt + capacity * head)
  const { buffer } = memory
  const greatestDots: (GreatestDots | undefined)[] = []
  return {
    capacity,
    interleaved: new Int16Array(buffer, 0, padded * MOST_QUERIES),
    dots: new Int32Array(buffer, dotsAt, scanned),
    addresses: new Int32Array(buffer, addressesAt, capacity),
    factors: new Float32Array(buffer, factorsAt, scanned),
    headAddresses: new Int32Array(buffer, headAddressesAt, capacity),
    headFactors: new Float32Array(buffer, headFactorsAt, scanned),
    found: new Int32Array(buffer, foundAt, scanned + 1),
    rowsAt,
    headsAt,
    bytes: new Int8Array(buffer),
    greatestDots(queryCount) {
      return greatestDots[queryCount] ??= greatestDotsIn(memory, queryCount)
    },
    scan: scanKernelsIn(memory),
  }
}

/**
 * @param size - components of a vector.
 * @param rough - how many of them {@link VectorRows.roughCosines} compares, a multiple of {@link LANES}; 0 for a memory that is not asked.
 * @param expected - rows that will be added soon.
 */
export function createVectorRows(size: number, rough: number, expected: number): VectorRows {
  const padded = roundUp(size, LANES)
  const head = Math.min(rough, padded)
  let block = createBlock(expected, padded, head)
  /** What makes a cosine of a dot product, by row. */
  let factors = new Float32Array(expected)
  let count = 0
  /** The list whose addresses are in the block: one catalogue is asked again and again. */
  let listed: Int32Array | undefined

  function grow(): void {
    const old = block
    block = createBlock(Math.ceil(GROWTH * old.capacity) + 1, padded, head)
    block.bytes.set(old.bytes.subarray(old.rowsAt, old.rowsAt + count * padded), block.rowsAt)
    block.bytes.set(old.bytes.subarray(old.headsAt, old.headsAt + count * head), block.headsAt)
    const before = factors
    factors = new Float32Array(block.capacity)
    factors.set(before)
    listed = undefined
  }

  function interleave(queries: readonly Float32Array[], compared: number): void {
    const { interleaved } = block
    interleaved.fill(0)
    for (const [query, vector] of queries.entries()) {
      for (let at = 0; at < Math.min(compared, vector.length); at++) {
        const lane = at % LANES
        interleaved[(at - lane) * queries.length + query * LANES + lane] = Math.round(vector[at]! * QUERY_LENGTH)
      }
    }
  }

  /** Leaves the greatest dot products with the rows at the first `length` addresses. */
  function compare(addresses: Int32Array, length: number, queries: readonly Float32Array[], compared: number): void {
    const { dots } = block
    dots.fill(LEAST_DOT, 0, length)
    for (let from = 0; from < queries.length; from += MOST_QUERIES) {
      const these = queries.slice(from, from + MOST_QUERIES)
      interleave(these, compared)
      block.greatestDots(these.length)(0, addresses.byteOffset, length, compared, dots.byteOffset)
    }
  }

  /** Leaves where the first components of a list's rows are, and their factors. */
  function readList(rows: Int32Array): void {
    if (listed === rows) return
    const { headAddresses, headFactors, headsAt } = block
    for (let at = 0; at < rows.length; at++) {
      headAddresses[at] = headsAt + head * rows[at]!
      headFactors[at] = factors[rows[at]!]!
    }
    headFactors.fill(0, rows.length)
    listed = rows
  }

  /** The same of some places of the list. */
  function pickFromList(places: Int32Array): void {
    const { addresses, factors: picked, headAddresses, headFactors } = block
    for (let at = 0; at < places.length; at++) {
      addresses[at] = headAddresses[places[at]!]!
      picked[at] = headFactors[places[at]!]!
    }
    picked.fill(0, places.length)
  }

  return {
    get count() {
      return count
    },
    add(vector) {
      if (count === block.capacity) grow()
      const { bytes, rowsAt, headsAt } = block
      bytes.set(vector, rowsAt + count * padded)
      bytes.set(vector.subarray(0, head), headsAt + count * head)
      factors[count] = 1 / (lengthOf(vector) * QUERY_LENGTH)
      return count++
    },
    row(at) {
      const from = block.rowsAt + at * padded
      return block.bytes.slice(from, from + size)
    },
    cosines(rows, queries, into, places) {
      const { addresses, dots, rowsAt } = block
      const length = places?.length ?? rows.length
      for (let at = 0; at < length; at++) addresses[at] = rowsAt + padded * rows[places?.[at] ?? at]!
      compare(addresses, length, queries, padded)
      for (let at = 0; at < length; at++) {
        const place = places?.[at] ?? at
        into[place] = dots[at]! * factors[rows[place]!]!
      }
    },
    roughCosines(rows, queries, places) {
      readList(rows)
      const { dots, headAddresses, headFactors, found, scan } = block
      const length = places?.length ?? rows.length
      const scanned = roundUp(length, SCANNED_AT_ONCE)
      if (places !== undefined) pickFromList(places)
      compare(places === undefined ? headAddresses : block.addresses, length, queries, head)
      scan.scale(dots.byteOffset, scanned, (places === undefined ? headFactors : block.factors).byteOffset)
      return {
        cosines: new Float32Array(dots.buffer, dots.byteOffset, length),
        above: floor => found.subarray(0, scan.above(dots.byteOffset, scanned, floor, found.byteOffset)),
      }
    },
  }
}
