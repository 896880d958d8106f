/**
 * The terms of every tool seen, as small integers, and each tool's terms by field, analysed once for its content.
 * @module
 */

import { FIELDS } from '../catalog/types.ts'
import type { CatalogTool, Field } from '../catalog/types.ts'
import { analyseWord, denseTokens } from '../text/terms.ts'
import { runsOf } from '../text/words.ts'
import { createPairIds } from './pair-ids.ts'
import { createPacker } from './tool-terms.ts'
import type { ToolTerms } from './tool-terms.ts'

/** A word of several parts as ids. */
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
  /** Words analysed once however often they are written: most are one term. */
  readonly #byWord = new Map<string, number | WordTerms>()
  readonly #pack = createPacker()
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
    const lengths = new Int32Array(FIELDS.length)
    const nameWords = new Set<number>()
    for (const [field, name] of FIELDS.entries()) {
      const words = name === 'name' ? nameWords : undefined
      for (const text of tool.texts[name]) lengths[field]! += this.#analyseText(text, field, PAIRED.includes(name), words)
    }
    const frequencies = this.#frequencies.subarray(0, this.#found.length * FIELDS.length)
    const terms = this.#pack({ lengths, name: [...nameWords], ids: this.#found, frequencies, hasHan: hasHan(tool) })
    for (const id of this.#found) this.#places[id] = 0
    frequencies.fill(0)
    this.#found = []
    return terms
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
      const terms = this.#wordTerms(run.text)
      if (typeof terms === 'number') {
        length++
        previous = this.#countWord(terms, field, previous, words, paired)
        continue
      }
      const { parts, whole } = terms
      length += parts.length
      for (const id of parts) previous = this.#countWord(id, field, previous, words, paired)
      if (whole !== undefined) this.#count(whole, field)
    }
    return length
  }

  #wordTerms(word: string): number | WordTerms {
    let terms = this.#byWord.get(word)
    if (terms === undefined) {
      const { parts, whole } = analyseWord(word)
      const ids = parts.map(part => this.#add(part))
      const isOne = whole === undefined && ids.length === 1
      if (isOne) this.words.set(word.toLowerCase(), ids[0]!)
      terms = isOne ? ids[0]! : { parts: ids, whole: whole === undefined ? undefined : this.#add(whole) }
      this.#byWord.set(word, terms)
    }
    return terms
  }

  /** Counts a word, and its pair with the one before. @returns the word. */
  #countWord(id: number, field: number, previous: number, words: Set<number> | undefined, paired: boolean): number {
    this.#count(id, field)
    words?.add(id)
    if (paired && previous >= 0) this.#count(this.#addPair(previous, id), field)
    return id
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

const HAN = /[\u3400-\u9fff]/

function hasHan({ texts }: CatalogTool): boolean {
  return FIELDS.some(field => texts[field].some(text => HAN.test(text)))
}

function grown<T extends Int32Array | Uint8Array>(from: T, into: T): T {
  into.set(from)
  return into
}
