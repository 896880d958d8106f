/**
 * Vectors of words for tests of everything around a model: texts that share words are similar, and nothing else is.
 * @module
 */

import { createRandom, seedOf } from '../../evaluation/random.ts'
import type { EmbeddingProvider } from '../../src/embedding/provider.ts'

export const WORD_DIMENSIONS = 32

/**
 * The sum of one seeded random vector per word.
 * @param accent - another one gives every word another vector, as another model does.
 */
export function wordVector(text: string, size = WORD_DIMENSIONS, accent = ''): number[] {
  const sum = Array.from({ length: size }, () => 0)
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['']) {
    const random = createRandom(seedOf(accent + word))
    for (let at = 0; at < size; at++) sum[at]! += random() - 0.5
  }
  const length = Math.hypot(...sum)
  return sum.map(value => value / length)
}

/** A provider in this process, and what it was asked. */
export interface WordProvider extends EmbeddingProvider {
  readonly documents: string[]
  readonly queries: string[]
  isDisposed: boolean
}

/** @param change - replaces single parts. */
export function wordProvider(change: Partial<EmbeddingProvider> & { readonly size?: number; readonly accent?: string } = {}): WordProvider {
  const { size = WORD_DIMENSIONS, accent = '', ...parts } = change
  const documents: string[] = []
  const queries: string[] = []
  const vectors = (texts: readonly string[]) => texts.map(text => Float32Array.from(wordVector(text, size, accent)))
  return {
    identity: 'words',
    dimensions: size,
    documents,
    queries,
    isDisposed: false,
    async prepare() {},
    async embedQueries(texts) {
      queries.push(...texts)
      return vectors(texts)
    },
    async embedDocuments(texts, signal, onVectors) {
      for (const [at, text] of texts.entries()) {
        signal.throwIfAborted()
        documents.push(text)
        onVectors(at, vectors([text]))
      }
    },
    async dispose() { this.isDisposed = true },
    ...parts,
  }
}
