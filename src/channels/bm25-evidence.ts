/**
 * The terms of a query as evidence to look for: each with its synonyms or corrections, and the order of neighbours.
 * @module
 */

import type { QueryTerm } from '../query/plan.ts'
import { wordTerm } from '../text/english.ts'
import { weakMemo } from '../weak-memo.ts'
import { idfOf } from './bm25-score.ts'
import type { Alternative, Evidence, TermGroup } from './bm25-score.ts'
import type { LexicalIndex } from './lexical-index.ts'

/** Weights of another word beside the user's own; a word with many synonyms has a wide meaning, so each says less. */
const SYNONYM_WEIGHT = 0.6
const PLAIN_SYNONYMS = 4
const CORRECTION_WEIGHT = 0.8

/** Weight of an ordered pair beside its words, and how many words further the second may stand. */
const PAIR_WEIGHT = 0.2
const PAIR_DISTANCE = 2

/** How a term can be said in a catalogue. */
type Wording = Pick<TermGroup, 'alternatives' | 'idfCap'>

/** Enough for the words and glosses that recur from query to query; forgotten all at once beyond it. */
const REMEMBERED_TEXTS = 4_000

/** What some terms of a query ask for. */
export function readEvidence(index: LexicalIndex, terms: readonly QueryTerm[]): Evidence {
  return { groups: readGroups(index, terms), pairs: pairsOf(index, terms) }
}

/** Terms in the order of the query, each once with its greatest weight; unknown and weightless ones are left out. */
export function readGroups(index: LexicalIndex, terms: readonly QueryTerm[]): TermGroup[] {
  const strongest = new Map<string, QueryTerm>()
  for (const term of terms) if (term.weight > (strongest.get(term.term)?.weight ?? 0)) strongest.set(term.term, term)
  const groups: TermGroup[] = []
  for (const term of strongest.values()) {
    const said = wordingOf(index, term.term) ?? (term.correctable ? correctionOf(index, term.surface) : undefined)
    if (said !== undefined) groups.push({ surface: term.surface, weight: term.weight, ...said })
  }
  return groups
}

/** A term that the catalogue has, with its synonyms there. */
const wordingOf = remembered(wording)

/** What a word that the catalogue does not know may have been meant to be. */
const correctionOf = remembered(correction)

/** The same function, computed once for each text of an index: the sentences of a query and the channels repeat its words. */
export function remembered<T>(make: (index: LexicalIndex, text: string) => T): typeof make {
  const madeOf = weakMemo((_: LexicalIndex) => new Map<string, T>())
  return (index, text) => {
    const made = madeOf(index)
    if (!made.has(text)) {
      if (made.size >= REMEMBERED_TEXTS) made.clear()
      made.set(text, make(index, text))
    }
    return made.get(text) as T
  }
}

function wording(index: LexicalIndex, term: string): Wording | undefined {
  const own = index.term(term)
  const alternatives: Alternative[] = own === undefined ? [] : [{ term: own, weight: 1 }]
  const synonyms = index.synonyms(term)
  const synonymWeight = SYNONYM_WEIGHT * Math.min(1, Math.sqrt(PLAIN_SYNONYMS / synonyms.length))
  for (const synonym of synonyms) {
    const id = index.term(synonym)
    if (id !== undefined) alternatives.push({ term: id, weight: synonymWeight, via: synonym })
  }
  if (alternatives.length === 0) return undefined
  // A synonym that happens to be rare must not outweigh the user's own word.
  return { alternatives, idfCap: own === undefined ? Infinity : idfOf(index.postings, own) }
}

function correction(index: LexicalIndex, surface: string): Wording | undefined {
  const alternatives = index.speller().corrections(surface).flatMap((word): Alternative[] => {
    const term = index.term(wordTerm(word))
    return term === undefined ? [] : [{ term, weight: CORRECTION_WEIGHT, via: word }]
  })
  return alternatives.length === 0 ? undefined : { alternatives, idfCap: Infinity }
}

/** Two parts of one identifier were one word. */
function joined(first: string, second: string): string {
  return first === second ? first : `${first} ${second}`
}

function pairsOf(index: LexicalIndex, terms: readonly QueryTerm[]): TermGroup[] {
  const words = terms.filter(term => term.kind === 'word' && term.weight > 0)
  const ids = words.map(({ term }) => index.term(term))
  const pairs = new Map<number, TermGroup>()
  for (const [first, before] of ids.entries()) {
    for (let second = first + 1; second <= first + PAIR_DISTANCE && second < ids.length; second++) {
      const after = ids[second]
      const pair = before === undefined || after === undefined ? undefined : index.pair(before, after)
      if (pair === undefined) continue
      // As great as in any sentence: the sum of the whole is never less than a sentence's.
      const weight = PAIR_WEIGHT * Math.min(words[first]!.weight, words[second]!.weight)
      if (weight <= (pairs.get(pair)?.weight ?? 0)) continue
      pairs.set(pair, {
        surface: joined(words[first]!.surface, words[second]!.surface),
        weight,
        alternatives: [{ term: pair, weight: 1 }],
        idfCap: Infinity,
      })
    }
  }
  return [...pairs.values()]
}
