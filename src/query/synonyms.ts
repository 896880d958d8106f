/**
 * Other words for a term, from the hand-written list.
 * @module
 */

import { lemmaOf, wordTerm } from '../text/english.ts'
import { SYNONYMS } from './data/synonyms.ts'

/** A word of a group of the list. */
interface Listed {
  readonly word: string
  /** All words of its group. */
  readonly group: string
}

/** Letters that a base form and its stem have in common at their beginning. */
const SHARED_START = 2

/**
 * By their first letters, read at the first question. The words are made terms when a term that begins like them is asked for: all of
 * them would take longer than everything else in the first search of a small catalogue.
 */
let byStart: ReadonlyMap<string, readonly Listed[]> | undefined

const known = new Map<string, readonly string[]>()
const terms = new Map<string, string>()

/** @returns terms of the same meaning, without the term itself, in the order of the list; none for most terms. */
export function synonymsOf(term: string): readonly string[] {
  byStart ??= readGroups(SYNONYMS)
  const listed = byStart.get(term.slice(0, SHARED_START))
  if (listed === undefined) return []
  let synonyms = known.get(term)
  if (synonyms === undefined) {
    const groups = listed.filter(({ word }) => termOf(word) === term)
    const others = groups.flatMap(({ group }) => group.split(' ').map(termOf).filter(other => other !== term))
    synonyms = [...new Set(others)]
    // No more terms than the list has words.
    if (synonyms.length > 0) known.set(term, synonyms)
  }
  return synonyms
}

function termOf(word: string): string {
  let term = terms.get(word)
  if (term === undefined) terms.set(word, term = wordTerm(word))
  return term
}

function readGroups(source: string): Map<string, readonly Listed[]> {
  const words = new Map<string, Listed[]>()
  for (const group of source.split('\n')) {
    if (group === '' || group.startsWith('#')) continue
    for (const word of group.split(' ')) {
      const start = lemmaOf(word).slice(0, SHARED_START)
      const listed = words.get(start)
      if (listed === undefined) words.set(start, [{ word, group }])
      else listed.push({ word, group })
    }
  }
  return words
}
