/**
 * A Chinese text as what to look for in English: each word that says something, with its weight and its translations.
 * @module
 */

import { characterWeights } from '../query/weights.ts'
import { functionWords } from './function-words.ts'
import { loadGlossary } from './glossary.ts'
import type { Glossary } from './glossary.ts'
import { weakMemo } from '../weak-memo.ts'
import { segment } from './segment.ts'

/** One Chinese word and the English for it. */
export interface GlossToken {
  /** The word in simplified characters. */
  readonly word: string
  /** The word as the text has it. */
  readonly surface: string
  /** Importance in 0..1, above 0: how rare the word is, less inside quotation marks and for single characters. */
  readonly weight: number
  /** English words and phrases in lower case; one of them is meant. */
  readonly alternatives: readonly string[]
}

/** A character alone is most often half of a word that the list does not have. Between .3 and .8 recall is the same. */
const SINGLE_CHARACTER = 0.5

/**
 * Distinct words in reading order; those without translation, function words, politeness and addresses are left out. Loads the
 * glossary when the text has Han characters. Linear in the text's length.
 */
export function glossTokens(text: string, glossary?: Glossary): GlossToken[] {
  if (!/[\u3400-\u9fff]/.test(text)) return []
  const words = glossary ?? loadGlossary()
  const folded = words.fold(text)
  const weights = characterWeights(folded)
  const tokens = new Map<string, GlossToken>()
  for (const { word, start } of segment(folded, words)) {
    if (functionWords.has(word)) continue
    const entry = words.find(word)
    if (entry === undefined || entry.glosses.length === 0) continue
    const weight = entry.rarity * spanWeight(weights, start, word.length) * (word.length === 1 ? SINGLE_CHARACTER : 1)
    if (weight <= (tokens.get(word)?.weight ?? 0)) continue
    tokens.set(word, { word, surface: text.slice(start, start + word.length), weight, alternatives: entry.glosses })
  }
  return [...tokens.values()]
}

/** The same of a query or a sentence of it, which several channels ask for. */
export const glossTokensOf = weakMemo(({ text }: { readonly text: string }): readonly GlossToken[] => glossTokens(text))

/** The highest weight of a word's characters: 请 in 请假 is no politeness. */
function spanWeight(weights: ArrayLike<number>, start: number, length: number): number {
  let highest = 0
  for (let at = start; at < start + length; at++) highest = Math.max(highest, weights[at]!)
  return highest
}
