/**
 * Other words for a term, from the hand-written list.
 * @module
 */

import { wordTerm } from '../text/english.ts'
import { SYNONYMS } from './data/synonyms.ts'

/** The groups of the list, one a line, after an empty one. */
const groups = SYNONYMS.replace(/^#.*\n/gm, '')

/** The words of the list by their first two letters, which a base form and its stem have in common: chains of numbers of words. */
interface Starts {
  /** By {@link startOf}: the first word, −1 for none. */
  readonly heads: Int16Array
  /** By word: the next one that begins alike, −1 for none; and where the word stands in the list. */
  readonly next: Int16Array
  readonly places: Uint16Array
}

const CHAINS = 1_024

const startOf = (text: string, at: number): number => (text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) % CHAINS

let starts: Starts | undefined

const terms = new Map<string, string>()

/**
 * Only words that begin like the term are stemmed: all of the list would take longer than everything else in the first search of a small
 * catalogue.
 * @returns terms of the same meaning, without the term itself, in the order of the list; none for most terms.
 */
export function synonymsOf(term: string): readonly string[] {
  starts ??= readStarts()
  const synonyms = new Set<string>()
  for (let word = starts.heads[startOf(term, 0)]!; word >= 0; word = starts.next[word]!) {
    const place = starts.places[word]!
    if (termOf(wordAt(place)) !== term) continue
    const group = groups.slice(groups.lastIndexOf('\n', place) + 1, groups.indexOf('\n', place))
    for (const other of group.split(' ')) synonyms.add(termOf(other))
  }
  synonyms.delete(term)
  return [...synonyms]
}

function wordAt(place: number): string {
  let end = place
  while (groups.charCodeAt(end) > SPACE) end++
  return groups.slice(place, end)
}

function termOf(word: string): string {
  let term = terms.get(word)
  if (term === undefined) terms.set(word, term = wordTerm(word))
  return term
}

const SPACE = 32

function readStarts(): Starts {
  const places: number[] = []
  for (let at = 1; at < groups.length; at++) {
    if (groups.charCodeAt(at) > SPACE && groups.charCodeAt(at - 1) <= SPACE) places.push(at)
  }
  const heads = new Int16Array(CHAINS).fill(-1)
  const next = new Int16Array(places.length)
  // From the end, so that a chain is in the order of the list.
  for (let word = places.length - 1; word >= 0; word--) {
    const start = startOf(groups, places[word]!)
    next[word] = heads[start]!
    heads[start] = word
  }
  return { heads, next, places: Uint16Array.from(places) }
}
