/**
 * Which words and pieces the table has, and how often each occurs.
 * @module
 */

import { CONTINUATION, piecesOf } from '../../src/semantic/pieces.ts'
import { semanticWords } from '../../src/semantic/words.ts'
import type { TrainingText } from './texts.ts'

/** A word outside the teacher's vocabulary enters the table when this many training texts have it. */
const MIN_TEXTS = 4

/** A whole word of the teacher's vocabulary that no training text has enters it when it is among this many most frequent pieces. */
const TEACHER_WORDS = 22_000

export interface Vocabulary {
  /** Entries in code-unit order; pieces that continue a word begin with `##`. */
  readonly entries: readonly string[]
  readonly idOf: (entry: string) => number | undefined
  /** Ids of a text's words and pieces in order. */
  readonly idsOf: (text: string) => readonly number[]
}

/**
 * Whole words of the teacher and of the training texts, and the teacher's continuation pieces for what is in neither.
 * @param teacherPieces - by falling frequency.
 */
export function createVocabulary(teacherPieces: readonly string[], texts: readonly TrainingText[]): Vocabulary {
  const textsWith = new Map<string, number>()
  for (const { text } of texts) {
    for (const word of new Set(semanticWords(text))) textsWith.set(word, (textsWith.get(word) ?? 0) + 1)
  }
  const entries = new Set<string>()
  teacherPieces.forEach((piece, rank) => {
    if (/^##[a-z]+$/.test(piece)) entries.add(piece)
    else if (/^[a-z]+$/.test(piece) && (rank < TEACHER_WORDS || textsWith.has(piece))) entries.add(piece)
  })
  for (const [word, count] of textsWith) if (count >= MIN_TEXTS && word.length > 1) entries.add(word)
  for (const letter of 'abcdefghijklmnopqrstuvwxyz') {
    entries.add(letter)
    entries.add(`${CONTINUATION}${letter}`)
  }
  const sorted = [...entries].sort((a, b) => (a < b ? -1 : 1))
  const ids = new Map(sorted.map((entry, id) => [entry, id]))
  const idOf = (entry: string): number | undefined => ids.get(entry)
  return { entries: sorted, idOf, idsOf: text => semanticWords(text).flatMap(word => piecesOf(word, idOf)) }
}

/**
 * Probability of each entry in running text: half by catalogues and documentation, half by everyday English, with one occurrence
 * added everywhere.
 */
export function entryProbabilities(vocabulary: Vocabulary, texts: readonly TrainingText[]): Float64Array {
  const { length } = vocabulary.entries
  const technical = new Float64Array(length).fill(1)
  const everyday = new Float64Array(length).fill(1)
  for (const { source, text } of texts) {
    const counts = source === 'wordnet' ? everyday : technical
    for (const id of vocabulary.idsOf(text)) counts[id]! += 1
  }
  const total = (counts: Float64Array): number => counts.reduce((sum, count) => sum + count, 0)
  const [technicalTotal, everydayTotal] = [total(technical), total(everyday)]
  return technical.map((count, id) => 0.5 * count / technicalTotal + 0.5 * everyday[id]! / everydayTotal)
}
