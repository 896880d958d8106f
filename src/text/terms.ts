/**
 * Text to terms: the one analysis of documents and queries.
 * @module
 */

import { isStopWord, wordTerm } from './english.ts'
import { foldMarks } from './fold.ts'
import { createRecent } from './recent.ts'
import { identifierParts, runsOf } from './words.ts'
import type { Run } from './words.ts'

/** One analysed unit of text: a word, an identifier, or one character or character pair of a dense script. */
export interface Token {
  /** As written, width-folded. */
  readonly surface: string
  /** Offset in the width-folded text. */
  readonly start: number
  /** Terms in reading order, stop words left out: one for a plain word, one for each part of an identifier. */
  readonly parts: readonly string[]
  /** The term of an identifier as a whole, beside its parts. */
  readonly whole?: string | undefined
  /** `pair` and `single`: two neighbouring characters, or one, of a dense script; `single` is evidence of its own kind. */
  readonly kind: 'word' | 'pair' | 'single'
}

type WordAnalysis = Pick<Token, 'parts' | 'whole'>

const analyseRecent = createRecent(analyseWord)

/** Analyses one word of an alphabet. */
export function analyseWord(word: string): WordAnalysis {
  const pieces = identifierParts(foldMarks(word))
  const parts = pieces.map(piece => piece.toLowerCase()).filter(piece => !isStopWord(piece)).map(wordTerm).filter(Boolean)
  if (pieces.length === 1) return { parts }
  const whole = wordTerm(pieces.join('').toLowerCase())
  return { parts, whole: whole === '' ? undefined : whole }
}

/** Scripts in which one character is often a word of its own: Han and Kana. Hangul syllables are not. */
const SINGLE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u

/**
 * Analyses text. Linear in the text's length.
 * @param limit - how many UTF-16 code units of the text are read.
 */
export function tokensOf(text: string, limit: number): Token[] {
  return runsOf(text, limit).flatMap((run): Token[] => run.kind === 'word'
    ? [{ surface: run.text, start: run.start, kind: 'word', ...analyseRecent(run.text) }]
    : denseTokens(run))
}

/** The character pairs and single characters of one run of a dense script; each is a token of one part. */
export function denseTokens({ text, start }: Run): Token[] {
  const tokens: Token[] = []
  const characters = Array.from(text)
  let offset = start
  for (const [position, character] of characters.entries()) {
    const next = characters[position + 1]
    if (next !== undefined) tokens.push({ surface: character + next, start: offset, kind: 'pair', parts: [character + next] })
    else if (characters.length === 1 && !SINGLE.test(character)) tokens.push({ surface: character, start: offset, kind: 'pair', parts: [character] })
    if (SINGLE.test(character)) tokens.push({ surface: character, start: offset, kind: 'single', parts: [character] })
    offset += character.length
  }
  return tokens
}
