/**
 * A query to its plan: grammar, weighted terms, clauses.
 * @module
 */

import { foldWidth, isAscii } from '../text/fold.ts'
import { tokensOf } from '../text/terms.ts'
import type { Token } from '../text/terms.ts'
import { parseQuery } from './grammar.ts'
import type { QueryClause, QueryPlan, QueryTerm } from './plan.ts'
import { characterWeights, wordWeight } from './weights.ts'

/** How much of a query is analysed, in UTF-16 code units; nobody describes a tool at greater length. */
const ANALYSED_CHARACTERS = 2_000

/** Shorter words have too many neighbours at one edit. */
const SHORTEST_CORRECTABLE = 5

/** A sentence whose every term weighs no more ("Thanks!", "I need 3.") asks for nothing. */
const NOISE = 0.5

const SENTENCE_END = /[.!?](?=\s)|[。！？；;\n]/g

/**
 * @param query - as the model wrote it; any length, also blank. The grammar is read to its end, the rest to
 *   {@link ANALYSED_CHARACTERS}.
 */
export function planQuery(query: string): QueryPlan {
  const { kind, names, families, required, text } = parseQuery(query)
  const analysed = foldWidth(text.slice(0, ANALYSED_CHARACTERS))
  const weights = characterWeights(analysed)
  const tokens = kind === 'natural' ? tokensOf(analysed, ANALYSED_CHARACTERS) : []
  const read = tokens.map(token => ({ start: token.start, terms: tokenTerms(token, weights) }))
  return {
    query,
    kind,
    names,
    families,
    required: requiredTerms(required),
    text,
    terms: queryTerms(read),
    clauses: clausesOf(analysed, read),
    hasHan: !isAscii(analysed) && /\p{sc=Han}/u.test(analysed),
  }
}

/** Every part of every required word; a whole identifier or a single character is required only where there is nothing else. */
function requiredTerms(words: readonly string[]): QueryTerm[] {
  return words.flatMap((word) => {
    const tokens = tokensOf(word, ANALYSED_CHARACTERS)
    const pairs = tokens.some(({ kind }) => kind === 'pair')
    return tokens
      .filter(({ kind }) => kind !== 'single' || !pairs)
      .flatMap(({ parts, surface, kind }) => parts.map(term => ({ term, surface, weight: 1, kind, correctable: false })))
  })
}

/** A token's place in the text and its terms. */
interface ReadToken {
  readonly start: number
  readonly terms: readonly QueryTerm[]
}

function queryTerms(tokens: readonly ReadToken[]): QueryTerm[] {
  const terms = tokens.flatMap(token => token.terms)
  return terms.some(term => term.weight > 0) ? terms : terms.map(term => ({ ...term, weight: 1 }))
}

function tokenTerms(token: Token, weights: Float64Array): QueryTerm[] {
  const { surface, start } = token
  let weight = token.kind === 'word' ? wordWeight(surface) : 1
  for (let at = start; at < start + surface.length; at++) weight = Math.min(weight, weights[at]!)
  const correctable = token.kind === 'word' && weight === 1 && surface.length >= SHORTEST_CORRECTABLE && isLowerCase(surface)
  const terms: QueryTerm[] = token.parts.map(term => ({ term, surface, weight, kind: token.kind, correctable }))
  if (token.whole !== undefined) terms.push({ term: token.whole, surface, weight, kind: 'whole', correctable: false })
  return terms
}

function isLowerCase(word: string): boolean {
  return isAscii(word) ? /^[a-z]+$/.test(word) : /^\p{Ll}+$/u.test(word)
}

function clausesOf(text: string, tokens: readonly ReadToken[]): QueryClause[] {
  const clauses: QueryClause[] = []
  let start = 0
  let next = 0
  for (const end of [...Array.from(text.matchAll(SENTENCE_END), match => match.index), text.length]) {
    const first = next
    while (next < tokens.length && tokens[next]!.start < end) next++
    const terms = tokens.slice(first, next).flatMap(token => token.terms).filter(term => term.weight > 0)
    const clause = text.slice(start, end)
    if (terms.some(({ weight }) => weight > NOISE)) {
      clauses.push({ text: clause.trim(), start: start + clause.length - clause.trimStart().length, terms })
    }
    start = end + 1
  }
  return clauses.length > 1 ? clauses : []
}
