/**
 * Spelling correction against the words of a catalogue: insertion, deletion, substitution or transposition of one letter.
 *
 * One edit leaves the first two or the last two letters of a word of five or more in place, so a word's neighbours are among the words
 * that share either pair. Two small maps give the candidates that a deletion neighbourhood (SymSpell) would, at a tenth of its memory.
 * @module
 */

/** Corrections of a word. */
export interface Speller {
  /**
   * @param word - lower case, five letters or more.
   * @returns known words at one edit, at most three: same first letter first, then frequent ones, then by name.
   */
  corrections(word: string): readonly string[]
}

const MOST_CORRECTIONS = 3

/** Shorter words have a neighbour for almost any typing. */
const SHORTEST_KNOWN = 4

/** @param frequencies - how many tools have each known lower-case word. */
export function createSpeller(frequencies: ReadonlyMap<string, number>): Speller {
  const byStart = new Map<string, string[]>()
  const byEnd = new Map<string, string[]>()
  for (const word of frequencies.keys()) {
    if (word.length < SHORTEST_KNOWN) continue
    push(byStart, word.slice(0, 2), word)
    push(byEnd, word.slice(-2), word)
  }
  return {
    corrections(word) {
      const candidates = [...byStart.get(word.slice(0, 2)) ?? [], ...byEnd.get(word.slice(-2)) ?? []]
      return [...new Set(candidates.filter(candidate => isOneEdit(word, candidate)))]
        .sort((a, b) =>
          Number(b[0] === word[0]) - Number(a[0] === word[0])
          || frequencies.get(b)! - frequencies.get(a)!
          || (a < b ? -1 : 1))
        .slice(0, MOST_CORRECTIONS)
    },
  }
}

function push(words: Map<string, string[]>, key: string, word: string): void {
  const bucket = words.get(key)
  if (bucket === undefined) words.set(key, [word])
  else bucket.push(word)
}

/** Whether the Damerau-Levenshtein distance of two words is 1: what lies between their common start and end tells it. */
export function isOneEdit(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  const shorter = Math.min(a.length, b.length)
  let start = 0
  while (start < shorter && a[start] === b[start]) start++
  let end = 0
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  const left = a.slice(start, a.length - end)
  const right = b.slice(start, b.length - end)
  if (left.length <= 1 && right.length <= 1) return left !== right
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0]
}
