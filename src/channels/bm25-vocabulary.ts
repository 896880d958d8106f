/**
 * The terms of every tool seen, as small integers, and each tool's terms by field, analysed once for its content.
 * @module
 */

import { FIELDS } from '../catalog/types.ts'
import type { CatalogTool, Field } from '../catalog/types.ts'
import { analyseWord, denseTokens } from '../text/terms.ts'
import { runsOf } from '../text/words.ts'
import { createPairIds } from './pair-ids.ts'

/** One tool's terms; parallel arrays. */
export interface ToolTerms {
  /** Distinct term ids, in order of first occurrence. */
  readonly ids: Int32Array
  /** Occurrences by term and field: `frequencies[at * FIELDS.length + field]`, at most 255. */
  readonly frequencies: Uint8Array
  /** Words in each field, without the terms that repeat them in another form (whole identifiers, pairs, single characters). */
  readonly lengths: Uint32Array
  /** Distinct ids of the words of the name, without the terms that repeat them in another form. */
  readonly name: Int32Array
}

/** A word as ids, analysed once however often it is written. */
interface WordTerms {
  readonly parts: readonly number[]
  /** The identifier as a whole, beside its parts. */
  readonly whole: number | undefined
}

/** Fields whose neighbouring words are indexed as ordered pairs. */
const PAIRED: readonly Field[] = ['name', 'description']

/** UTF-16 code units of one text that are analysed. */
const ANALYSED_CHARACTERS = 20_000

const MOST_OCCURRENCES = 255

/** Term ids and analyses that live across catalogue revisions. */
export class Vocabulary {
  readonly #ids = new Map<string, number>()
  readonly #byWord = new Map<string, WordTerms>()
  readonly #pairs = createPairIds()
  /** Lower-case words as written, by their term, for spelling correction. */
  readonly words = new Map<string, number>()
  #size = 0
  /** The terms of the tool that is being analysed: where each stands among them, plus one, and their frequencies. */
  #places = new Int32Array(1_024)
  #found: number[] = []
  #frequencies = new Uint8Array(1_024)

  get size(): number {
    return this.#size
  }

  /** @returns the id of a term; `undefined` when no tool has it. */
  id(term: string): number | undefined {
    return this.#ids.get(term)
  }

  /** @returns the id of an ordered pair of terms; `undefined` when no tool has it. */
  pair(first: number, second: number): number | undefined {
    return this.#pairs.get(first, second)
  }

  /** Analyses one tool; the ids of its terms are added to the vocabulary. */
  analyse(tool: CatalogTool): ToolTerms {
    const lengths = new Uint32Array(FIELDS.length)
    const nameWords = new Set<number>()
    for (const [field, name] of FIELDS.entries()) {
      const words = name === 'name' ? nameWords : undefined
      for (const text of tool.texts[name]) lengths[field]! += this.#analyseText(text, field, PAIRED.includes(name), words)
    }
    const ids = Int32Array.from(this.#found)
    const frequencies = this.#frequencies.slice(0, ids.length * FIELDS.length)
    for (const id of this.#found) this.#places[id] = 0
    this.#frequencies.fill(0, 0, frequencies.length)
    this.#found = []
    return { ids, frequencies, lengths, name: Int32Array.from(nameWords) }
  }

  /**
   * @param words - takes the ids that count as words.
   * @returns the text's length in words.
   */
  #analyseText(text: string, field: number, paired: boolean, words?: Set<number>): number {
    let length = 0
    let previous = -1
    for (const run of runsOf(text, ANALYSED_CHARACTERS)) {
      if (run.kind === 'dense') {
        for (const { kind, parts } of denseTokens(run)) {
          const id = this.#add(parts[0]!)
          this.#count(id, field)
          if (kind === 'single') continue
          length++
          words?.add(id)
        }
        continue
      }
      const { parts, whole } = this.#wordTerms(run.text)
      length += parts.length
      for (const id of parts) {
        this.#count(id, field)
        words?.add(id)
        if (paired && previous >= 0) this.#count(this.#addPair(previous, id), field)
        previous = id
      }
      if (whole !== undefined) this.#count(whole, field)
    }
    return length
  }

  #wordTerms(word: string): WordTerms {
    let terms = this.#byWord.get(word)
    if (terms === undefined) {
      const { parts, whole } = analyseWord(word)
      terms = { parts: parts.map(part => this.#add(part)), whole: whole === undefined ? undefined : this.#add(whole) }
      if (whole === undefined && parts.length === 1) this.words.set(word.toLowerCase(), terms.parts[0]!)
      this.#byWord.set(word, terms)
    }
    return terms
  }

  #count(id: number, field: number): void {
    if (id >= this.#places.length) this.#places = grown(this.#places, new Int32Array(2 * id))
    let place = this.#places[id]!
    if (place === 0) {
      this.#places[id] = place = this.#found.push(id)
      if (place * FIELDS.length > this.#frequencies.length) {
        this.#frequencies = grown(this.#frequencies, new Uint8Array(2 * this.#frequencies.length))
      }
    }
    const at = (place - 1) * FIELDS.length + field
    if (this.#frequencies[at]! < MOST_OCCURRENCES) this.#frequencies[at]!++
  }

  #add(term: string): number {
    let id = this.#ids.get(term)
    if (id === undefined) this.#ids.set(term, id = this.#size++)
    return id
  }

  #addPair(first: number, second: number): number {
    const known = this.#pairs.get(first, second)
    if (known !== undefined) return known
    this.#pairs.set(first, second, this.#size)
    return this.#size++
  }
}

function grown<T extends Int32Array | Uint8Array>(from: T, into: T): T {
  into.set(from)
  return into
}
