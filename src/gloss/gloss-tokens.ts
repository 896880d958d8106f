/**
 * A Chinese text as what to look for in English: each word that says something, with its weight and its translations.
 * @module
 */

import type { QueryClause, QueryPlan } from '../query/plan.ts'
import { characterWeights } from '../query/weights.ts'
import { weakMemo } from '../weak-memo.ts'
import { functionWords } from './function-words.ts'
import { loadGlossary } from './glossary.ts'
import type { Glossary } from './glossary.ts'
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
  return distinct(occurrencesIn(text, glossary))
}

/** Those of a query, which several channels ask for. */
export const glossTokensOf = weakMemo((plan: QueryPlan): readonly GlossToken[] => distinct(occurrencesOf(plan)))

/** Those of a sentence of a query. */
export function glossTokensIn(plan: QueryPlan, { start, text }: QueryClause): GlossToken[] {
  return distinct(occurrencesOf(plan).filter(token => token.start >= start && token.start < start + text.length))
}

/** A word where it stands. */
interface Occurrence extends GlossToken {
  readonly start: number
}

/** A text is taken apart once for all that ask for it or for its sentences. */
const occurrencesOf = weakMemo(({ text }: QueryPlan): readonly Occurrence[] => occurrencesIn(text))

function occurrencesIn(text: string, glossary?: Glossary): Occurrence[] {
  if (!/[\u3400-\u9fff]/.test(text)) return []
  const words = glossary ?? loadGlossary()
  const folded = words.fold(text)
  const weights = characterWeights(folded)
  const occurrences: Occurrence[] = []
  for (const { word, start } of segment(folded, words)) {
    if (functionWords.has(word)) continue
    const entry = words.find(word)
    if (entry === undefined || entry.glosses.length === 0) continue
    const weight = entry.rarity * spanWeight(weights, start, word.length) * (word.length === 1 ? SINGLE_CHARACTER : 1)
    const surface = text.slice(start, start + word.length)
    if (weight > 0) occurrences.push({ word, surface, start, weight, alternatives: entry.glosses })
  }
  return occurrences
}

/** Each word once, with its greatest weight. */
function distinct(occurrences: readonly Occurrence[]): GlossToken[] {
  const strongest = new Map<string, Occurrence>()
  for (const token of occurrences) if (token.weight > (strongest.get(token.word)?.weight ?? 0)) strongest.set(token.word, token)
  return Array.from(strongest.values(), ({ word, surface, weight, alternatives }) => ({ word, surface, weight, alternatives }))
}

/** The highest weight of a word's characters: 请 in 请假 is no politeness. */
function spanWeight(weights: ArrayLike<number>, start: number, length: number): number {
  let highest = 0
  for (let at = start; at < start + length; at++) highest = Math.max(highest, weights[at]!)
  return highest
}
