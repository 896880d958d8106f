/**
 * Scoring by groups of alternative phrases: what a word says in a language that has several phrases for it.
 * @module
 */

import { clear, idfOf, impactOf, raiseBest } from './bm25-score.ts'
import type { Accumulator } from './bm25-score.ts'
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
 * @param into - clear.
 * @param sums - clear; scratch space for phrases of several words, left clear.
 * @returns the best score, 0 when no tool has evidence.
 */
export function addPhrases(postings: Postings, groups: readonly PhraseGroup[], into: Accumulator, sums: Accumulator): number {
  const { scores, touched, best, bestTouched } = into
  for (const { weight, phrases } of groups) {
    let found = 0
    for (const phrase of phrases) found = raiseToPhrase(postings, phrase, weight, into, sums, found)
    for (let at = 0; at < found; at++) {
      const tool = bestTouched[at]!
      if (scores[tool] === 0) touched[into.count++] = tool
      scores[tool]! += best[tool]!
      best[tool] = 0
    }
  }
  let greatest = 0
  for (let at = 0; at < into.count; at++) if (scores[touched[at]!]! > greatest) greatest = scores[touched[at]!]!
  return greatest
}

/**
 * Raises each tool's best score of the group to that of one phrase. The terms of a longer phrase are summed aside first.
 * @param found - how many tools have a best score already.
 * @returns how many have one now.
 */
function raiseToPhrase(
  postings: Postings, { terms, weight }: Phrase, importance: number, into: Accumulator, sums: Accumulator, found: number,
): number {
  const { offsets, tools, values: impacts } = postings
  const { best, bestTouched } = into
  const only = terms.length === 1 ? terms[0]! : undefined
  if (only !== undefined) return raiseBest(postings, only, importance * weight * idfOf(postings, only), into, found)
  const { scores, touched } = sums
  for (const term of terms) {
    const unit = importance * weight * idfOf(postings, term)
    for (let at = offsets[term]!, end = offsets[term + 1]!; at < end; at++) {
      const tool = tools[at]!
      if (scores[tool] === 0) touched[sums.count++] = tool
      scores[tool]! += unit * impacts[at]!
    }
  }
  for (let at = 0; at < sums.count; at++) {
    const tool = touched[at]!
    if (best[tool] === 0) bestTouched[found++] = tool
    if (scores[tool]! > best[tool]!) best[tool] = scores[tool]!
  }
  clear(sums)
  return found
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
