/**
 * CC-CEDICT entries and word frequencies to the list that ships: which words, which glosses, how rare, and how traditional
 * characters are folded.
 * @module
 */

import { LONGEST_WORD, RAREST } from '../../src/gloss/dictionary.ts'
import type { ListedWord, WordList } from './encode.ts'
import { glosses } from './senses.ts'
import type { CedictEntry } from './sources.ts'

/** Glosses kept of one entry. More cost size and bring rare senses; R@8 of Chinese queries is the same with five. */
const GLOSSES_PER_ENTRY = 3

/** Glosses kept of one word, which may be written like another of other sound and meaning. */
const GLOSSES_PER_WORD = 5

/** Characters of the basic plane alone: the others have two code units and no everyday word. */
const WORD = new RegExp(`^[\\u3400-\\u9fff]{1,${LONGEST_WORD}}$`)

/** Information, in nats, from which on a word is as rare as any: one in 160,000 words of general text. */
const RAREST_INFORMATION = 12

/**
 * The simplified character of each traditional one: that of most running text, where it has several (乾 is 干 in most words, not in
 * 乾坤), or itself where simplified text has it more often (么 in 什么, not for 幺). Both spellings of a word are folded before they are
 * listed or looked up, so that no word gets lost by a wrong guess.
 */
function characterFolds(entries: readonly CedictEntry[], frequencies: ReadonlyMap<string, number>): Map<string, string> {
  const votes = new Map<string, Map<string, number>>()
  const vote = (from: string, to: string, count: number): void => {
    const of = votes.get(from) ?? new Map<string, number>()
    of.set(to, (of.get(to) ?? 0) + count)
    votes.set(from, of)
  }
  for (const { traditional, simplified } of entries) {
    if (!WORD.test(traditional) || traditional.length !== simplified.length) continue
    const count = 1 + (frequencies.get(simplified) ?? 0)
    for (let at = 0; at < traditional.length; at++) {
      vote(traditional[at]!, simplified[at]!, count)
      if (traditional[at] !== simplified[at]) vote(simplified[at]!, simplified[at]!, count)
    }
  }
  const folds = new Map<string, string>()
  for (const [traditional, of] of votes) {
    const [simplified] = [...of].reduce((best, candidate) => candidate[1] > best[1] ? candidate : best)
    if (simplified !== traditional) folds.set(traditional, simplified)
  }
  // the simplified character of a rare one is sometimes traditional itself: folding once must be enough
  for (const [traditional, simplified] of folds) folds.set(traditional, folds.get(simplified) ?? simplified)
  return folds
}

/** First glosses of every entry before second ones, entries of common words before names. */
function mergeGlosses(entries: readonly CedictEntry[]): string[] {
  const isName = ({ pinyin }: CedictEntry): boolean => /^[A-Z]/.test(pinyin)
  const byEntry = [...entries.filter(entry => !isName(entry)), ...entries.filter(isName)].map(({ definitions }) => glosses(definitions))
  const byPlace = Array.from({ length: GLOSSES_PER_ENTRY }, (_, place) => byEntry.flatMap(of => of[place] ?? []))
  return [...new Set(byPlace.flat())].slice(0, byEntry.length === 1 ? GLOSSES_PER_ENTRY : GLOSSES_PER_WORD)
}

/** @param frequencies - occurrences by simplified word; words without any are left out. */
export function makeWordList(entries: readonly CedictEntry[], frequencies: ReadonlyMap<string, number>): WordList {
  const folds = characterFolds(entries, frequencies)
  const fold = (word: string): string => Array.from(word, character => folds.get(character) ?? character).join('')
  const occurrences = [...frequencies.values()].reduce((sum, count) => sum + count, 0)

  const homographs = new Map<string, CedictEntry[]>()
  for (const entry of entries) {
    if (!WORD.test(entry.simplified) || !frequencies.has(entry.simplified)) continue
    for (const word of new Set([fold(entry.simplified), fold(entry.traditional)])) {
      const of = homographs.get(word)
      if (of === undefined) homographs.set(word, [entry])
      else of.push(entry)
    }
  }
  const words: ListedWord[] = []
  for (const [word, of] of homographs) {
    const merged = mergeGlosses(of)
    // a word without gloss still keeps its characters from being taken for words of their own
    if (merged.length === 0 && word.length === 1) continue
    const count = Math.max(...of.map(({ simplified }) => frequencies.get(simplified)!))
    const information = Math.log(occurrences / (count + 1))
    words.push({ word, glosses: merged, rarity: Math.round(RAREST * Math.min(1, information / RAREST_INFORMATION)) })
  }
  return { words, folds }
}
