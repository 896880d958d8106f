/**
 * English words to terms: lemma for irregular forms, then Porter2 stem, as wink-nlp's `its.lemma` and `its.stem` give them.
 *
 * Loading wink-nlp's model costs 250 ms, and its stemmer is most of the time in which a catalogue is indexed. So the irregular lemmas and
 * stop words are data that `scripts/build-english.ts` takes from it, and the stemmer is our own, which gives the same stems.
 * @module
 */

import { IRREGULAR_FORMS, STOP_WORDS } from './data/english.ts'
import { porter2 } from './porter2.ts'

/** Longer words are encoded data or noise, and stemming is not linear in a word's length. */
const LONGEST_WORD = 40

const stopWords: ReadonlySet<string> = new Set(STOP_WORDS.split(/\s+/).filter(Boolean))

/** By form. */
const lemmas = new Map<string, string>()
// A plain loop: it runs once, before any search, and chained calls take three times as long there.
for (const line of IRREGULAR_FORMS.split('\n')) {
  const words = line.split(' ')
  for (let at = 1; at < words.length; at++) lemmas.set(words[at]!, words[0]!)
}

/** Whether a lower-case word carries no meaning for search. */
export function isStopWord(word: string): boolean {
  return stopWords.has(word)
}

/**
 * The term of one lower-case word without marks: the stem of its lemma. Words of other alphabets and numbers are their own term.
 * @returns `''` for a word too long to be one.
 */
export function wordTerm(word: string): string {
  if (word.length > LONGEST_WORD) return ''
  return /^[a-z]{3,}$/.test(word) ? porter2(lemmas.get(word) ?? word) : word
}
