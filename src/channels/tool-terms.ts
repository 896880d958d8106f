/**
 * The terms of each tool, packed: four arrays of its own for each of 15,000 tools would take four times the memory of what is in them.
 * @module
 */

import { FIELDS } from '../catalog/types.ts'

/** Numbers that a chunk has room for; a tool with more has a chunk of its own. */
const CHUNK = 65_536

interface Chunk {
  readonly numbers: Int32Array
  readonly frequencies: Uint8Array
}

/** See {@link ToolTerms}. */
interface UnpackedTerms {
  readonly lengths: Int32Array
  readonly name: readonly number[]
  readonly ids: readonly number[]
  readonly frequencies: Uint8Array
  readonly hasHan: boolean
}

/** One tool's terms. The arrays are views, made for each reading. */
export class ToolTerms {
  readonly #chunk: Chunk
  readonly #at: number
  readonly #frequenciesAt: number
  readonly #count: number
  /** Length of `name`. */
  readonly nameCount: number
  /** Whether any text has Han characters. */
  readonly hasHan: boolean

  constructor(chunk: Chunk, at: number, frequenciesAt: number, { name, ids, hasHan }: UnpackedTerms) {
    this.#chunk = chunk
    this.#at = at
    this.#frequenciesAt = frequenciesAt
    this.nameCount = name.length
    this.#count = ids.length
    this.hasHan = hasHan
  }

  /** Adds the lengths of the fields so many times to totals by field. */
  addLengths(totals: Float64Array, times: 1 | -1): void {
    const { numbers } = this.#chunk
    for (let field = 0; field < totals.length; field++) totals[field]! += times * numbers[this.#at + field]!
  }

  /** Words in each field, without the terms that repeat them in another form (whole identifiers, pairs, single characters). */
  get lengths(): Int32Array {
    return this.#chunk.numbers.subarray(this.#at, this.#at + FIELDS.length)
  }

  /** Distinct ids of the words of the name, without the terms that repeat them in another form. */
  get name(): Int32Array {
    const from = this.#at + FIELDS.length
    return this.#chunk.numbers.subarray(from, from + this.nameCount)
  }

  /** @returns the sum of a value of each word of the name. */
  sumOfName(valueOf: (term: number) => number): number {
    const { numbers } = this.#chunk
    let sum = 0
    for (let at = this.#at + FIELDS.length, end = at + this.nameCount; at < end; at++) sum += valueOf(numbers[at]!)
    return sum
  }

  /** Distinct term ids, in order of first occurrence. */
  get ids(): Int32Array {
    const from = this.#at + FIELDS.length + this.nameCount
    return this.#chunk.numbers.subarray(from, from + this.#count)
  }

  /** Occurrences by term and field: `frequencies[at * FIELDS.length + field]`, at most 255. */
  get frequencies(): Uint8Array {
    return this.#chunk.frequencies.subarray(this.#frequenciesAt, this.#frequenciesAt + this.#count * FIELDS.length)
  }
}

/** Packs the terms of one tool after those of another. A chunk lives as long as any of its tools. */
export function createPacker(): (terms: UnpackedTerms) => ToolTerms {
  let chunk: Chunk | undefined
  let at = 0
  let frequenciesAt = 0
  return (terms) => {
    const { lengths, name, ids, frequencies } = terms
    const size = lengths.length + name.length + ids.length
    if (chunk === undefined || at + size > chunk.numbers.length || frequenciesAt + frequencies.length > chunk.frequencies.length) {
      const room = Math.max(CHUNK, size)
      chunk = { numbers: new Int32Array(room), frequencies: new Uint8Array(room * FIELDS.length) }
      at = frequenciesAt = 0
    }
    chunk.numbers.set(lengths, at)
    chunk.numbers.set(name, at + lengths.length)
    chunk.numbers.set(ids, at + lengths.length + name.length)
    chunk.frequencies.set(frequencies, frequenciesAt)
    const packed = new ToolTerms(chunk, at, frequenciesAt, terms)
    at += size
    frequenciesAt += frequencies.length
    return packed
  }
}
