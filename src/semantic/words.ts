/**
 * Words as the word table knows them: the parts of identifiers, in lower-case Latin letters.
 * @module
 */

import { foldMarks } from '../text/fold.ts'
import { identifierParts, runsOf } from '../text/words.ts'

/** Longest text that is read, in UTF-16 code units: what a tool does is said in its first sentences, and the teacher read no more. */
export const SEMANTIC_CHARS = 600

const LETTERS = /[a-z]+/g

/** The words of a text in order, repetitions included. Digits, and scripts that the table has no words for, are left out. */
export function semanticWords(text: string, limit: number = SEMANTIC_CHARS): string[] {
  return runsOf(text, limit).flatMap(run => run.kind === 'word'
    ? identifierParts(run.text).flatMap(part => foldMarks(part).toLowerCase().match(LETTERS) ?? [])
    : [])
}
