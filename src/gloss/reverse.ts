/**
 * The glossary reversed, for the Chinese words of some texts alone: reversing all 85,000 words costs more than any search may.
 * @module
 */

import { tokensOf } from '../text/terms.ts'
import { functionWords } from './function-words.ts'
import type { Glossary } from './glossary.ts'
import { HAN_RUN, segment } from './segment.ts'

/** Chinese words kept of one English phrase; the rarest go first, since they say most. */
const MOST_WORDS = 12

/** Longest English phrase that is looked up, in words. */
export const LONGEST_PHRASE = 3

/** English phrase (terms as a query has them, joined by blanks) to the Chinese words that translate it, as the texts spell them. */
export type ReverseGlossary = ReadonlyMap<string, readonly string[]>

/** Linear in the texts' length. */
export function reverseGlossary(texts: Iterable<string>, glossary: Glossary): ReverseGlossary {
  const rarities = new Map<string, Map<string, number>>()
  for (const [word, folded] of wordsOf(texts, glossary)) {
    const entry = glossary.find(folded)
    if (entry === undefined || functionWords.has(folded)) continue
    for (const gloss of entry.glosses) {
      const terms = tokensOf(gloss, gloss.length).flatMap(({ parts }) => parts)
      if (terms.length === 0 || terms.length > LONGEST_PHRASE) continue
      const phrase = terms.join(' ')
      const words = rarities.get(phrase)
      if (words === undefined) rarities.set(phrase, new Map([[word, entry.rarity]]))
      else words.set(word, entry.rarity)
    }
  }
  return new Map(Array.from(rarities, ([phrase, words]) => {
    const rarest = [...words].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    return [phrase, rarest.slice(0, MOST_WORDS).map(([word]) => word)]
  }))
}

/** Words of the segmentation, and every pair of characters, which is most often what a longer word is made of, with their folded forms. */
function wordsOf(texts: Iterable<string>, glossary: Glossary): Map<string, string> {
  const words = new Map<string, string>()
  const runs = new Set<string>()
  for (const text of texts) for (const [run] of text.matchAll(HAN_RUN)) runs.add(run)
  for (const run of runs) {
    const folded = glossary.fold(run)
    for (const { word, start } of segment(folded, glossary)) words.set(run.slice(start, start + word.length), word)
    for (let at = 0; at + 2 <= run.length; at++) words.set(run.slice(at, at + 2), folded.slice(at, at + 2))
  }
  return words
}
