/**
 * The file of the word table: a header, the words, a weight and a scale for each, and its vector in 4-bit signed integers.
 *
 *     magic 'DTRW' · u32 count · u32 dimensions · u32 bytes of the word list ·
 *     words joined by line feeds (ASCII, code-unit order) · padding to 4 bytes ·
 *     f32 × count weights · f32 × count scales · count × dimensions / 2 bytes: two components a byte, the even one in the low half
 *
 * Little-endian. A component is its integer, -7 to 7, times its word's scale.
 * @module
 */

import { createWordList } from './word-list.ts'
import type { WordList } from './word-list.ts'

const MAGIC = 0x5752_5444

const IS_BIG_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 0

/** Bytes before the word list. */
const HEADER_BYTES = 16

/** Largest component of a 4-bit signed integer that has a negative of its own. */
export const LARGEST_NIBBLE = 7

export interface WordTableData<Words = WordList> {
  readonly words: Words
  readonly dimensions: number
  /** How much an occurrence of each word counts in a text. */
  readonly weights: Float32Array
  readonly scales: Float32Array
  /** `words.length × dimensions / 2` bytes. */
  readonly nibbles: Uint8Array
}

/** @returns the bytes of the file; equal data gives equal bytes. */
export function writeWordTable({ words, dimensions, weights, scales, nibbles }: WordTableData<readonly string[]>): Buffer {
  const list = Buffer.from(words.join('\n'))
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32LE(MAGIC, 0)
  header.writeUInt32LE(words.length, 4)
  header.writeUInt32LE(dimensions, 8)
  header.writeUInt32LE(list.length, 12)
  const padding = Buffer.alloc((4 - list.length % 4) % 4)
  return Buffer.concat([header, list, padding, floatBytes(weights), floatBytes(scales), nibbles])
}

/** @throws Error when the bytes are not a word table, or not all of one. */
export function readWordTable(bytes: Buffer): WordTableData {
  if (bytes.length < HEADER_BYTES || bytes.readUInt32LE(0) !== MAGIC) throw new Error('the word table is no word table; install the package again')
  const count = bytes.readUInt32LE(4)
  const dimensions = bytes.readUInt32LE(8)
  const listBytes = bytes.readUInt32LE(12)
  const floatsAt = HEADER_BYTES + Math.ceil(listBytes / 4) * 4
  const nibblesAt = floatsAt + 8 * count
  if (bytes.length !== nibblesAt + count * dimensions / 2) throw new Error('the word table is cut short; install the package again')
  return {
    words: createWordList(bytes.subarray(HEADER_BYTES, HEADER_BYTES + listBytes), count),
    dimensions,
    weights: floats(bytes, floatsAt, count),
    scales: floats(bytes, floatsAt + 4 * count, count),
    nibbles: bytes.subarray(nibblesAt),
  }
}

function floatBytes(values: Float32Array): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  values.forEach((value, index) => bytes.writeFloatLE(value, 4 * index))
  return bytes
}

function floats(bytes: Buffer, offset: number, count: number): Float32Array {
  // One aligned copy: reading float by float was three quarters of the parsing.
  const copy = new Uint8Array(bytes.subarray(offset, offset + 4 * count))
  if (IS_BIG_ENDIAN) Buffer.from(copy.buffer).swap32()
  return new Float32Array(copy.buffer)
}
