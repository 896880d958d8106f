/**
 * A query to its plan: grammar, weighted terms, clauses.
 * @module
 */

import { foldWidth } from '../text/fold.ts'
import { tokensOf } from '../text/terms.ts'
import type { Token } from '../text/terms.ts'
import type { QueryClause, QueryPlan, QueryTerm } from './plan.ts'
import { characterWeights, wordWeight } from './weights.ts'

/** How much of a query is analysed, in UTF-16 code units; nobody describes a tool at greater length. */
const ANALYSED_CHARACTERS = 2_000

/** Shorter words have too many neighbours at one edit. */
const SHORTEST_CORRECTABLE = 5

const SENTENCE_END = /[.!?](?=\s)|[。！？；;\n]/g

/** @param query - as the model wrote it; any length, also blank. */
export function planQuery(query: string): QueryPlan {
  const text = foldWidth(query.slice(0, ANALYSED_CHARACTERS))
  const weights = characterWeights(text)
  const tokens = tokensOf(text, ANALYSED_CHARACTERS)
  const terms = queryTerms(tokens, weights)
  return {
    query,
    kind: 'natural',
    names: [],
    families: [],
    required: [],
    text,
    terms,
    clauses: clausesOf(text, tokens, weights),
    hasHan: /\p{sc=Han}/u.test(text),
  }
}

function queryTerms(tokens: readonly Token[], weights: Float32Array): QueryTerm[] {
  const terms = tokens.flatMap(token => tokenTerms(token, weights))
  return terms.some(term => term.weight > 0) ? terms : terms.map(term => ({ ...term, weight: 1 }))
}

function tokenTerms(token: Token, weights: Float32Array): QueryTerm[] {
  const { surface, start } = token
  let weight = token.kind === 'word' ? wordWeight(surface) : 1
  for (let at = start; at < start + surface.length; at++) weight = Math.min(weight, weights[at]!)
  const correctable = token.kind === 'word' && weight === 1 && surface.length >= SHORTEST_CORRECTABLE && /^\p{Ll}+$/u.test(surface)
  const terms: QueryTerm[] = token.parts.map(term => ({ term, surface, weight, kind: token.kind, correctable }))
  if (token.whole !== undefined) terms.push({ term: token.whole, surface, weight, kind: 'whole', correctable: false })
  return terms
}

function clausesOf(text: string, tokens: readonly Token[], weights: Float32Array): QueryClause[] {
  const clauses: QueryClause[] = []
  let start = 0
  let next = 0
  for (const end of [...Array.from(text.matchAll(SENTENCE_END), match => match.index), text.length]) {
    const first = next
    while (next < tokens.length && tokens[next]!.start < end) next++
    const terms = tokens.slice(first, next).flatMap(token => tokenTerms(token, weights)).filter(term => term.weight > 0)
    if (terms.length > 0) clauses.push({ text: text.slice(start, end).trim(), terms })
    start = end + 1
  }
  return clauses.length > 1 ? clauses : []
}
