/**
 * The terms of every tool seen, as small integers, and each tool's terms by field, analysed once for its content.
 * @module
 */

import { FIELDS } from '../catalog/types.ts'
import type { CatalogTool, Field } from '../catalog/types.ts'
import { tokensOf } from '../text/terms.ts'

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

/** Fields whose neighbouring words are indexed as ordered pairs. */
const PAIRED: readonly Field[] = ['name', 'description']

/** UTF-16 code units of one text that are analysed. */
const ANALYSED_CHARACTERS = 20_000

/** Two ids below this give a product that a double holds exactly. */
const PAIR_BASE = 2 ** 26

/** Term ids and analyses that live across catalogue revisions. */
export class Vocabulary {
  readonly #ids = new Map<string, number>()
  readonly #pairs = new Map<number, number>()
  /** Lower-case words as written, by their term, for spelling correction. */
  readonly words = new Map<string, number>()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** @returns the id of a term; `undefined` when no tool has it. */
  id(term: string): number | undefined {
    return this.#ids.get(term)
  }

  /** @returns the id of an ordered pair of terms; `undefined` when no tool has it. */
  pair(first: number, second: number): number | undefined {
    return this.#pairs.get(first * PAIR_BASE + second)
  }

  /** Analyses one tool; the ids of its terms are added to the vocabulary. */
  analyse(tool: CatalogTool): ToolTerms {
    const counts = new Map<number, number[]>()
    const lengths = new Uint32Array(FIELDS.length)
    const nameWords = new Set<number>()
    const count = (id: number, field: number): void => {
      let byField = counts.get(id)
      if (byField === undefined) counts.set(id, byField = FIELDS.map(() => 0))
      byField[field]!++
    }
    for (const [field, name] of FIELDS.entries()) {
      const words = name === 'name' ? nameWords : undefined
      for (const text of tool.texts[name]) lengths[field]! += this.#analyseText(text, PAIRED.includes(name), id => count(id, field), words)
    }
    const frequencies = new Uint8Array(counts.size * FIELDS.length)
    let at = 0
    for (const byField of counts.values()) for (const frequency of byField) frequencies[at++] = Math.min(frequency, 255)
    return { ids: Int32Array.from(counts.keys()), frequencies, lengths, name: Int32Array.from(nameWords) }
  }

  /**
   * @param words - takes the ids that count as words.
   * @returns the text's length in words.
   */
  #analyseText(text: string, paired: boolean, count: (id: number) => void, words?: Set<number>): number {
    let length = 0
    let previous = -1
    for (const token of tokensOf(text, ANALYSED_CHARACTERS)) {
      if (token.kind !== 'single') length += token.parts.length
      for (const part of token.parts) {
        const id = this.#add(part)
        count(id)
        if (token.kind !== 'single') words?.add(id)
        if (token.kind !== 'word') continue
        if (paired && previous >= 0) count(this.#addPair(previous, id))
        previous = id
      }
      if (token.whole !== undefined) count(this.#add(token.whole))
      else if (token.kind === 'word' && token.parts.length === 1) this.words.set(token.surface.toLowerCase(), this.#add(token.parts[0]!))
    }
    return length
  }

  #add(term: string): number {
    let id = this.#ids.get(term)
    if (id === undefined) this.#ids.set(term, id = this.#size++)
    return id
  }

  #addPair(first: number, second: number): number {
    const key = first * PAIR_BASE + second
    let id = this.#pairs.get(key)
    if (id === undefined) this.#pairs.set(key, id = this.#size++)
    return id
  }
}
