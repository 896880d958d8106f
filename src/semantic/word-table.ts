/**
 * The word table in memory: texts to vectors, without a model.
 * @module
 */

import { readFileSync } from 'node:fs'
import { packageFile } from '../package-files.ts'
import { createRecent } from '../text/recent.ts'
import { piecesOf } from './pieces.ts'
import { readWordTable } from './table-format.ts'
import type { WordTableData } from './table-format.ts'

/** A word with its importance, above 0. */
export interface WeightedWord {
  readonly word: string
  readonly weight: number
}

export interface WordTable {
  readonly dimensions: number
  /**
   * The vector of a bag of words, of length 1: Σ weight · (word's weight) · √occurrences · (word's vector). Words that the table can't
   * spell count nothing.
   * @returns undefined when no word counts.
   */
  vectorOf(words: readonly WeightedWord[]): Float32Array | undefined
  /** The same for words that all have weight 1. @param into - where it is made; a new array when left out. */
  vectorOfText(words: readonly string[], into?: Float32Array): Float32Array | undefined
  /** How much a word says, 0 to 1: common words little, words that the table can't spell nothing. */
  weightOf(word: string): number
}

let loaded: WordTable | undefined

/** The table that ships, read at the first call. */
export function loadWordTable(): WordTable {
  loaded ??= createWordTable(readWordTable(readFileSync(packageFile('data/semantic-words.bin'))))
  return loaded
}

export function createWordTable({ words, dimensions, weights, scales, nibbles }: WordTableData): WordTable {
  const piecesIn = createRecent(word => piecesOf(word, entry => words.idOf(entry)))

  function add(id: number, factor: number, into: Float32Array): void {
    const unit = factor * scales[id]!
    for (let component = 0, at = id * dimensions / 2; component < dimensions; component += 2, at++) {
      const pair = nibbles[at]!
      // The sign bit of a half byte is its fourth: shifting it to the top of 32 bits and back extends it.
      into[component]! += unit * (pair << 28 >> 28)
      into[component + 1]! += unit * (pair << 24 >> 28)
    }
  }

  return {
    dimensions,
    vectorOf(bag) {
      const occurrences = new Map<number, { count: number; weight: number }>()
      for (const { word, weight } of bag) {
        for (const id of piecesIn(word)) {
          const entry = occurrences.get(id)
          if (entry === undefined) occurrences.set(id, { count: 1, weight })
          else {
            entry.count++
            entry.weight = Math.max(entry.weight, weight)
          }
        }
      }
      const vector = new Float32Array(dimensions)
      for (const [id, { count, weight }] of occurrences) add(id, weight * weights[id]! * Math.sqrt(count), vector)
      return normalise(vector)
    },
    vectorOfText(text, vector = new Float32Array(dimensions)) {
      const counts = new Map<number, number>()
      for (const word of text) for (const id of piecesIn(word)) counts.set(id, (counts.get(id) ?? 0) + 1)
      vector.fill(0)
      for (const [id, count] of counts) add(id, weights[id]! * Math.sqrt(count), vector)
      return normalise(vector)
    },
    weightOf: word => Math.max(0, ...piecesIn(word).map(id => weights[id]!)),
  }
}

/** Scales to length 1, in place; undefined for the zero vector. */
export function normalise(vector: Float32Array): Float32Array | undefined {
  let squares = 0
  for (let at = 0; at < vector.length; at++) squares += vector[at]! * vector[at]!
  if (squares === 0) return undefined
  const factor = 1 / Math.sqrt(squares)
  for (let at = 0; at < vector.length; at++) vector[at]! *= factor
  return vector
}
