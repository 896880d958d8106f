/**
 * Text to runs: words of alphabets, and runs of scripts that are written without spaces. Words to identifier parts.
 * @module
 */

import { foldWidth } from './fold.ts'

/** A stretch of one writing system. */
export interface Run {
  readonly text: string
  /** `word`: an alphabetic or numeric word; `dense`: Han, Kana, Hangul and other scripts whose words are not set apart by spaces. */
  readonly kind: 'word' | 'dense'
  /** Offset of the run in the width-folded text. */
  readonly start: number
}

/** Longest run of letters and digits that is read at all; longer ones are encoded data. Identifiers of real catalogues end near 70. */
const LONGEST_RUN = 80

/** Korean is spaced, but its particles stick to the words, so that it needs n-grams as well. */
const DENSE = '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}ー\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}'
const ANY_RUN = new RegExp(`[${DENSE}]+|(?:(?![${DENSE}])[\\p{L}\\p{N}\\p{M}])+`, 'gu')
const STARTS_DENSE = new RegExp(`^[${DENSE}]`, 'u')
const NON_ASCII = /[\u0080-\uffff]/

/**
 * Splits text into runs. Linear in the text's length whatever it holds.
 * @param text - raw text; only its first `limit` UTF-16 code units are read.
 */
export function runsOf(text: string, limit: number): Run[] {
  const read = text.length > limit ? text.slice(0, limit) : text
  if (!NON_ASCII.test(read)) return asciiRuns(read)
  const runs: Run[] = []
  for (const match of foldWidth(read).matchAll(ANY_RUN)) {
    const dense = STARTS_DENSE.test(match[0])
    if (dense || match[0].length <= LONGEST_RUN) runs.push({ text: match[0], kind: dense ? 'dense' : 'word', start: match.index })
  }
  return runs
}

/** By UTF-16 unit below 128: 1 for letters and digits. */
const ALPHANUMERIC = Uint8Array.from({ length: 128 }, (_, unit) => Number(/[A-Za-z0-9]/.test(String.fromCharCode(unit))))

/** Most text of tools: one look at each unit, where a regular expression takes three times as long. */
function asciiRuns(text: string): Run[] {
  const runs: Run[] = []
  for (let at = 0; at < text.length; at++) {
    if (ALPHANUMERIC[text.charCodeAt(at)] === 0) continue
    const start = at
    while (at < text.length && ALPHANUMERIC[text.charCodeAt(at)] === 1) at++
    if (at - start <= LONGEST_RUN) runs.push({ text: text.slice(start, at), kind: 'word', start })
  }
  return runs
}

/**
 * Borders inside a word, most specific first: a plural acronym (`URLs`), an acronym before a capitalised word (`HTML|Parser`), a
 * capitalised or lower-case word, digits, and letters without case.
 */
const PARTS = /\p{Lu}{2,}s(?!\p{Ll})|\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|[^\p{Lu}\p{Ll}\p{N}]+/gu
const ASCII_PARTS = /[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g
const ONE_PART = /^(?:[A-Z]?[a-z]+|[A-Z]+|[0-9]+)$/

/**
 * The parts of an identifier word by case, acronym and letter-digit borders: `HTMLParser2` to `HTML, Parser, 2`.
 * @param word - one `word` run without marks; a word without borders is its only part.
 */
export function identifierParts(word: string): readonly string[] {
  if (ONE_PART.test(word)) return [word]
  return word.match(NON_ASCII.test(word) ? PARTS : ASCII_PARTS) ?? [word]
}
