/**
 * Scoring by groups of alternative phrases: what a word says in a language that has several phrases for it.
 * @module
 */

import { addBest, idfOf, impactOf } from './bm25-score.ts'
import type { TermUnit } from './bm25-score.ts'
import type { Postings } from './bm25-index.ts'

/** One way to say what a group means, in one word or several. */
export interface Phrase {
  /** Ids of those of its terms that the catalogue has, one or more, each once. */
  readonly terms: readonly number[]
  /** How much this way counts beside the others, 0..1. */
  readonly weight: number
  /** The phrase, where it is not the user's own. */
  readonly via?: string
}

/** One thing the query asks for. Of its phrases the best-scoring one counts in each tool, never their sum. */
export interface PhraseGroup {
  /** As the user wrote it. */
  readonly surface: string
  /** Importance in the query, above 0. */
  readonly weight: number
  /** One or more. */
  readonly phrases: readonly Phrase[]
}

/**
 * Adds up, per group, the best phrase of each tool: `weight × Σ idf × impact` over the phrase's terms. Unlike in the lexical channel the
 * covered share of the query does not count: words that are half understood make it a poor measure (−0.5 R@8).
 *
 * Leaves the sums in `scratch.whole`.
 */
export function addPhrases(postings: Postings, groups: readonly PhraseGroup[]): void {
  for (const { weight, phrases } of groups) {
    const words: TermUnit[] = []
    const ofLonger: number[] = []
    for (const phrase of phrases) {
      const { terms } = phrase
      if (terms.length === 1) {
        words.push({ term: terms[0]!, unit: phrase.weight * idfOf(postings, terms[0]!) })
      } else {
        raiseToPhrase(postings, phrase)
        ofLonger.push(...terms)
      }
    }
    addBest(postings, words, ofLonger, 0, { sums: postings.scratch.whole, weight })
  }
}

/** Raises each tool's best score of the group to that of a phrase of several terms, which are summed aside. */
function raiseToPhrase(postings: Postings, { terms, weight }: Phrase): void {
  const { offsets, tools, values, scratch: { kernels, best, phraseSums } } = postings
  for (const term of terms) {
    const unit = weight * idfOf(postings, term)
    const from = offsets[term]!
    kernels.add(tools.byteOffset + 4 * from, values.byteOffset + 4 * from, offsets[term + 1]! - from, unit, phraseSums.byteOffset)
  }
  for (const term of terms) {
    const from = offsets[term]!
    kernels.move(tools.byteOffset + 4 * from, offsets[term + 1]! - from, phraseSums.byteOffset, best.byteOffset)
  }
}

/** What one group gives one tool: the best phrase and its score; `undefined` when the tool has none of them. */
export function bestPhrase(
  postings: Postings,
  group: PhraseGroup,
  tool: number,
): { readonly phrase: Phrase; readonly score: number } | undefined {
  let best: { phrase: Phrase; score: number } | undefined
  for (const phrase of group.phrases) {
    const sum = phrase.terms.reduce((total, term) => total + idfOf(postings, term) * impactOf(postings, term, tool), 0)
    const score = group.weight * phrase.weight * sum
    if (score > (best?.score ?? 0)) best = { phrase, score }
  }
  return best
}
