/**
 * Other words for a term, from the hand-written list.
 * @module
 */

import { wordTerm } from '../text/english.ts'
import { SYNONYMS } from './data/synonyms.ts'

let byTerm: ReadonlyMap<string, readonly string[]> | undefined

/** @returns terms of the same meaning, without the term itself, in the order of the list; none for most terms. */
export function synonymsOf(term: string): readonly string[] {
  byTerm ??= readGroups(SYNONYMS)
  return byTerm.get(term) ?? []
}

function readGroups(source: string): Map<string, readonly string[]> {
  const synonyms = new Map<string, string[]>()
  for (const line of source.split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const group = line.split(' ').map(wordTerm)
    for (const term of group) {
      let others = synonyms.get(term)
      if (others === undefined) synonyms.set(term, others = [])
      for (const other of group) if (other !== term && !others.includes(other)) others.push(other)
    }
  }
  return synonyms
}
