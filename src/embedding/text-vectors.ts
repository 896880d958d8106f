/**
 * Vectors of texts: from disk, and from the model what is not there.
 * @module
 */

import { storeVector } from '../vectors/vector-rows.ts'
import type { StoredVector } from '../vectors/vector-rows.ts'
import { reasonOf } from './provider.ts'
import type { EmbeddingProvider } from './provider.ts'
import type { VectorCache } from './vector-cache.ts'

export type VectorsByKey = ReadonlyMap<string, StoredVector>

export interface TextVectors {
  /**
   * @param texts - by key.
   * @param beforeEmbedding - called when there are texts that have no vector on disk; what it throws ends it.
   * @param onProgress - told how many texts still have no vector.
   * @returns a vector for every key, all of one size.
   */
  of(
    texts: ReadonlyMap<string, string>,
    signal: AbortSignal,
    beforeEmbedding: (signal: AbortSignal) => Promise<void>,
    onProgress: (left: number) => void,
  ): Promise<VectorsByKey>
}

interface Options {
  readonly provider: EmbeddingProvider
  readonly cache: VectorCache
  readonly warn: (message: string) => void
}

/** New vectors are written to disk in parts of so many, so that what interrupts a long run costs little of it. */
const VECTORS_AT_ONCE = 256

export function createTextVectors({ provider, cache, warn }: Options): TextVectors {
  async function read(keys: ReadonlySet<string>): Promise<Map<string, StoredVector>> {
    try {
      return await cache.read(keys)
    } catch (error: unknown) {
      warn(`vectors can not be read from disk, so that they are computed: ${reasonOf(error)}`)
      return new Map()
    }
  }

  async function write(vectors: VectorsByKey): Promise<void> {
    try {
      await cache.write(vectors)
    } catch (error: unknown) {
      warn(`vectors can not be kept on disk, so that they are computed again after a restart: ${reasonOf(error)}; check dense.cacheDir`)
    }
  }

  /** Adds what is missing. Texts of similar length are neighbours, so that little of a batch is padding. */
  async function embed(
    texts: readonly (readonly [key: string, text: string])[],
    vectors: Map<string, StoredVector>,
    signal: AbortSignal,
    onProgress: (left: number) => void,
  ): Promise<void> {
    signal.throwIfAborted()
    const todo = texts.toSorted(([, a], [, b]) => a.length - b.length)
    let left = todo.length
    onProgress(left)
    let unwritten = new Map<string, StoredVector>()
    let writing = Promise.resolve()
    const flush = (): void => {
      const part = unwritten
      unwritten = new Map()
      writing = writing.then(() => write(part))
    }
    try {
      await provider.embedDocuments(todo.map(([, text]) => text), signal, (from, batch) => {
        for (const [at, vector] of batch.entries()) {
          const [key] = todo[from + at]!
          const stored = storeVector(vector)
          vectors.set(key, stored)
          unwritten.set(key, stored)
        }
        left -= batch.length
        onProgress(left)
        if (unwritten.size >= VECTORS_AT_ONCE) flush()
      })
    } finally {
      flush()
      await writing
    }
  }

  return {
    async of(texts, signal, beforeEmbedding, onProgress) {
      const vectors = await read(new Set(texts.keys()))
      if (vectors.size < texts.size) await beforeEmbedding(signal)
      const sizesOnDisk = new Set(Array.from(vectors.values(), ({ length }) => length))
      await embed([...texts].filter(([key]) => !vectors.has(key)), vectors, signal, onProgress)
      const { dimensions } = provider
      if (dimensions !== undefined && sizesOnDisk.size > 0 && !sizesOnDisk.has(dimensions)) {
        // What is on disk is of another model under the same name.
        await cache.clear()
        vectors.clear()
        await embed([...texts], vectors, signal, onProgress)
      }
      return vectors
    },
  }
}
