/**
 * The words of the table, found without a string for each: making 25,000 strings and a Map of them takes ten times as long as this
 * hash table over the bytes of the file.
 * @module
 */

export interface WordList {
  readonly length: number
  /** @returns the place of a word; undefined when it is not in the list. */
  idOf(word: string): number | undefined
}

const LINE_FEED = 10

/** At most half full, so that a word is found at the first or second look. */
const BITS = 16
const MOST_WORDS = 2 ** (BITS - 1)

/** Multiplicative string hash; the high bits are taken at the end (Knuth, The Art of Computer Programming 3, 6.4). */
const step = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193)
const slotOf = (hash: number): number => Math.imul(hash, 0x9E3779B1) >>> (32 - BITS)

/**
 * @param bytes - ASCII words, each once, joined by line feeds.
 * @throws Error for more words than there is room for.
 */
export function createWordList(bytes: Uint8Array, count: number): WordList {
  if (count > MOST_WORDS) throw new Error(`the word table has ${count} words, more than ${MOST_WORDS}; install the package again`)
  const starts = new Uint32Array(count + 1)
  /** Places plus one; 0 is an empty slot. */
  const slots = new Uint16Array(2 ** BITS)
  let id = 0
  let hash = 0
  for (let at = 0; at <= bytes.length; at++) {
    const unit = at < bytes.length ? bytes[at]! : LINE_FEED
    if (unit !== LINE_FEED) {
      hash = step(hash, unit)
      continue
    }
    let slot = slotOf(hash)
    while (slots[slot] !== 0) slot = (slot + 1) & (2 ** BITS - 1)
    slots[slot] = ++id
    starts[id] = at + 1
    hash = 0
  }

  function isAt(place: number, word: string): boolean {
    const start = starts[place]!
    if (starts[place + 1]! - start - 1 !== word.length) return false
    for (let at = 0; at < word.length; at++) if (bytes[start + at] !== word.charCodeAt(at)) return false
    return true
  }

  return {
    length: count,
    idOf(word) {
      let wanted = 0
      for (let at = 0; at < word.length; at++) wanted = step(wanted, word.charCodeAt(at))
      for (let slot = slotOf(wanted); slots[slot] !== 0; slot = (slot + 1) & (2 ** BITS - 1)) {
        if (isAt(slots[slot]! - 1, word)) return slots[slot]! - 1
      }
      return undefined
    },
  }
}
