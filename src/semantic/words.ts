/**
 * Words as the word table knows them: the parts of identifiers, in lower-case Latin letters.
 * @module
 */

import { createRecent } from '../text/recent.ts'
import { foldMarks } from '../text/fold.ts'
import { identifierParts, runsOf } from '../text/words.ts'

/** Longest text that is read, in UTF-16 code units: what a tool does is said in its first sentences, and the teacher read no more. */
export const SEMANTIC_CHARS = 600

const LETTERS = /[a-z]+/g

/** The words of one run of letters and digits, such as an identifier. */
export const wordsOfRun = createRecent((run): readonly string[] =>
  identifierParts(run).flatMap(part => foldMarks(part).toLowerCase().match(LETTERS) ?? []))

/** The words of a text in order, repetitions included. Digits, and scripts that the table has no words for, are left out. */
export function semanticWords(text: string, limit: number = SEMANTIC_CHARS): string[] {
  const words: string[] = []
  for (const run of runsOf(text, limit)) if (run.kind === 'word') words.push(...wordsOfRun(run.text))
  return words
}
