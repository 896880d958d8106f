/**
 * The word table in memory: texts to vectors, without a model.
 * @module
 */

import { readFileSync } from 'node:fs'
import { packageFile } from '../package-files.ts'
import { createRecent } from '../text/recent.ts'
import type { StoredVector } from '../vectors/vector-rows.ts'
import { memoryOf } from '../wasm/assembler.ts'
import { COMPONENTS_AT_ONCE, tableKernelsIn } from '../wasm/table-kernels.ts'
import type { TableKernels } from '../wasm/table-kernels.ts'
import { piecesOf } from './pieces.ts'
import { readWordTable } from './table-format.ts'
import type { WordTableData } from './table-format.ts'

/** A word with its importance, above 0. */
export interface WeightedWord {
  readonly word: string
  readonly weight: number
}

/** A text, and how much it counts beside others. */
export interface TextShare {
  readonly words: readonly string[]
  readonly share: number
}

export interface WordTable {
  readonly dimensions: number
  /**
   * The vector of a bag of words, of length 1: Σ weight · (word's weight) · √occurrences · (word's vector). Words that the table can't
   * spell count nothing.
   * @returns undefined when no word counts.
   */
  vectorOf(words: readonly WeightedWord[]): Float32Array | undefined
  /** The same for words that all have weight 1. */
  vectorOfText(words: readonly string[]): Float32Array | undefined
  /**
   * The sum of the vectors of some texts by their shares, for storing: the largest component is ±127.
   * @returns the vector, until the next call of any function; zeros where no word counts.
   */
  storedVectorOf(texts: readonly TextShare[]): StoredVector
  /** How much a word says, 0 to 1: common words little, words that the table can't spell nothing. */
  weightOf(word: string): number
}

let loaded: WordTable | undefined

/** The table that ships, read at the first call. */
export function loadWordTable(): WordTable {
  loaded ??= createWordTable(readWordTable(readFileSync(packageFile('data/semantic-words.bin'))))
  return loaded
}

/** Where the table's vectors are, with room for those of a text and of a sum. */
interface TableMemory {
  /** The address of a row, and bytes from one to the next. */
  readonly rowsAt: number
  readonly stride: number
  /** Components of a vector, the last of which are always 0. */
  readonly size: number
  readonly text: Float32Array
  readonly sum: Float32Array
  readonly stored: StoredVector
  readonly kernels: TableKernels
}

function createMemory(nibbles: Uint8Array, dimensions: number, count: number): TableMemory {
  const size = Math.ceil(dimensions / COMPONENTS_AT_ONCE) * COMPONENTS_AT_ONCE
  const stride = size / 2
  const rowsAt = 2 * 4 * size + size
  const memory = memoryOf(rowsAt + count * stride)
  const rows = new Uint8Array(memory.buffer, rowsAt)
  const length = dimensions / 2
  if (stride === length) rows.set(nibbles)
  else for (let id = 0; id < count; id++) rows.set(nibbles.subarray(id * length, (id + 1) * length), id * stride)
  return {
    rowsAt,
    stride,
    size,
    text: new Float32Array(memory.buffer, 0, size),
    sum: new Float32Array(memory.buffer, 4 * size, size),
    stored: new Int8Array(memory.buffer, 8 * size, size),
    kernels: tableKernelsIn(memory),
  }
}

export function createWordTable({ words, dimensions, weights, scales, nibbles }: WordTableData): WordTable {
  const piecesIn = createRecent(word => piecesOf(word, entry => words.idOf(entry)))
  const { rowsAt, stride, size, text, sum, stored, kernels } = createMemory(nibbles, dimensions, words.length)

  function add(id: number, factor: number): void {
    kernels.addRow(rowsAt + id * stride, size, factor * scales[id]!, text.byteOffset)
  }

  /** Leaves the sum of a text's words in `text`. */
  function readText(of: readonly string[]): void {
    const counts = new Map<number, number>()
    for (const word of of) for (const id of piecesIn(word)) counts.set(id, (counts.get(id) ?? 0) + 1)
    text.fill(0)
    for (const [id, count] of counts) add(id, weights[id]! * Math.sqrt(count))
  }

  /** What makes the length of the vector in `text` 1; 0 for the zero vector. */
  function unit(): number {
    const squares = kernels.squares(text.byteOffset, size)
    return squares === 0 ? 0 : 1 / Math.sqrt(squares)
  }

  /** @returns a copy of what is in `text`, of length 1. */
  function taken(): Float32Array | undefined {
    const factor = unit()
    if (factor === 0) return undefined
    const vector = text.slice(0, dimensions)
    for (let at = 0; at < vector.length; at++) vector[at]! *= factor
    return vector
  }

  return {
    dimensions,
    vectorOf(bag) {
      const occurrences = new Map<number, { count: number; weight: number }>()
      for (const { word, weight } of bag) {
        for (const id of piecesIn(word)) {
          const entry = occurrences.get(id)
          if (entry === undefined) occurrences.set(id, { count: 1, weight })
          else {
            entry.count++
            entry.weight = Math.max(entry.weight, weight)
          }
        }
      }
      text.fill(0)
      for (const [id, { count, weight }] of occurrences) add(id, weight * weights[id]! * Math.sqrt(count))
      return taken()
    },
    vectorOfText(of) {
      readText(of)
      return taken()
    },
    storedVectorOf(texts) {
      sum.fill(0)
      for (const { words: of, share } of texts) {
        readText(of)
        kernels.addScaled(text.byteOffset, size, share * unit(), sum.byteOffset)
      }
      kernels.store(sum.byteOffset, size, stored.byteOffset)
      return stored.subarray(0, dimensions)
    },
    weightOf: word => Math.max(0, ...piecesIn(word).map(id => weights[id]!)),
  }
}

/** Scales to length 1, in place; undefined for the zero vector. */
export function normalise(vector: Float32Array): Float32Array | undefined {
  let squares = 0
  for (let at = 0; at < vector.length; at++) squares += vector[at]! * vector[at]!
  if (squares === 0) return undefined
  const factor = 1 / Math.sqrt(squares)
  for (let at = 0; at < vector.length; at++) vector[at]! *= factor
  return vector
}
