/**
 * Other words for a term, from the hand-written list.
 * @module
 */

import { wordTerm } from '../text/english.ts'
import { SYNONYMS } from './data/synonyms.ts'

/** Letters that a base form and its stem have in common at their beginning. */
const SHARED_START = 2

/** The groups of the list, one a line. */
const groups = SYNONYMS.replace(/^#.*\n/gm, '')

const known = new Map<string, readonly string[]>()
const terms = new Map<string, string>()

/**
 * Only words that begin like the term are stemmed: all of the list would take longer than everything else in the first search of a small
 * catalogue.
 * @returns terms of the same meaning, without the term itself, in the order of the list; none for most terms.
 */
export function synonymsOf(term: string): readonly string[] {
  let synonyms = known.get(term)
  if (synonyms === undefined) {
    synonyms = findSynonyms(term)
    // No more terms than the list has words.
    if (synonyms.length > 0) known.set(term, synonyms)
  }
  return synonyms
}

function findSynonyms(term: string): readonly string[] {
  const start = term.slice(0, SHARED_START)
  const synonyms = new Set<string>()
  for (let at = groups.indexOf(start); at >= 0; at = groups.indexOf(start, at + 1)) {
    if (!/\s/.test(groups[at - 1]!) || termOf(/\S+/y.exec(groups.slice(at))![0]) !== term) continue
    const group = groups.slice(groups.lastIndexOf('\n', at) + 1, groups.indexOf('\n', at))
    for (const word of group.split(' ')) synonyms.add(termOf(word))
  }
  synonyms.delete(term)
  return [...synonyms]
}

function termOf(word: string): string {
  let term = terms.get(word)
  if (term === undefined) terms.set(word, term = wordTerm(word))
  return term
}
