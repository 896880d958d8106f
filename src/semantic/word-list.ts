/**
 * The words of the table, found without a string for each: making 25,000 strings and a Map of them takes ten times as long as this
 * hash table over the bytes of the file.
 * @module
 */

import { memoryOf } from '../wasm/assembler.ts'
import { fillSlotsIn, hashStep, LINE_FEED, nextSlot, SLOT_BITS, slotOf } from '../wasm/word-hash.ts'

export interface WordList {
  readonly length: number
  /** @returns the place of a word; undefined when it is not in the list. */
  idOf(word: string): number | undefined
}

/** At most half full, so that a word is found at the first or second look. */
const MOST_WORDS = 2 ** (SLOT_BITS - 1)

/**
 * @param bytes - ASCII words, each once, joined by line feeds.
 * @throws Error for more words than there is room for.
 */
export function createWordList(bytes: Uint8Array, count: number): WordList {
  if (count > MOST_WORDS) throw new Error(`the word table has ${count} words, more than ${MOST_WORDS}; install the package again`)
  const slotsAt = 0
  const startsAt = 2 * 2 ** SLOT_BITS
  const wordsAt = startsAt + 4 * (count + 1)
  const memory = memoryOf(wordsAt + bytes.length + 1)
  const words = new Uint8Array(memory.buffer, wordsAt, bytes.length + 1)
  words.set(bytes)
  words[bytes.length] = LINE_FEED
  fillSlotsIn(memory)(wordsAt, words.length, startsAt, slotsAt)
  const starts = new Uint32Array(memory.buffer, startsAt, count + 1)
  /** Places plus one; 0 is an empty slot. */
  const slots = new Uint16Array(memory.buffer, slotsAt, 2 ** SLOT_BITS)

  function isAt(place: number, word: string): boolean {
    const start = starts[place]!
    if (starts[place + 1]! - start - 1 !== word.length) return false
    for (let at = 0; at < word.length; at++) if (words[start + at] !== word.charCodeAt(at)) return false
    return true
  }

  return {
    length: count,
    idOf(word) {
      let wanted = 0
      for (let at = 0; at < word.length; at++) wanted = hashStep(wanted, word.charCodeAt(at))
      for (let slot = slotOf(wanted); slots[slot] !== 0; slot = nextSlot(slot)) {
        if (isAt(slots[slot]! - 1, word)) return slots[slot]! - 1
      }
      return undefined
    },
  }
}
