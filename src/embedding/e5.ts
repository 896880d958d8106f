/**
 * Vectors of a local model.
 * @module
 */

import type { DenseConfig } from '../dense-config.ts'
import { shareModel } from './e5-model.ts'
import { unitVectors } from './provider.ts'
import type { EmbeddingProvider } from './provider.ts'

/**
 * Characters in one batch: it costs as much as its longest text times its number, and nothing can go before it while it runs, so that
 * this bounds how long a query waits (about 0.3 s for a small model on one core).
 */
const BATCH_CHARACTERS = 8_000

/**
 * Splits texts into batches of bounded number and bounded padded length.
 * @returns the end of each batch, exclusive.
 */
export function batchEnds(lengths: readonly number[], batchSize: number, characters = BATCH_CHARACTERS): number[] {
  const ends: number[] = []
  let start = 0
  let longest = 0
  for (const [at, length] of lengths.entries()) {
    longest = Math.max(longest, length)
    const count = at - start + 1
    if (count > 1 && (count > batchSize || longest * count > characters)) {
      ends.push(at)
      start = at
      longest = length
    }
  }
  if (lengths.length > 0) ends.push(lengths.length)
  return ends
}

/** @param cacheDir - absolute folder of models. */
export function createE5Provider(config: DenseConfig, cacheDir: string): EmbeddingProvider {
  const { model, dtype, pooling, offline, threads, queryPrefix, documentPrefix, batchSize, idleSeconds } = config
  const share = shareModel({ model, dtype, pooling, offline, cacheDir, threads }, idleSeconds * 1_000)
  let dimensions: number | undefined

  async function embed(prefix: string, texts: readonly string[], urgent: boolean, signal: AbortSignal): Promise<Float32Array[]> {
    const { size, values } = await share.embed(texts.map(text => prefix + text), urgent, signal)
    const rows = Array.from({ length: values.length / size }, (_, row) => values.subarray(row * size, (row + 1) * size))
    const vectors = unitVectors(rows, texts.length, dimensions)
    dimensions = size
    return vectors
  }

  return {
    identity: JSON.stringify(['e5', model, dtype, pooling, queryPrefix, documentPrefix]),
    get dimensions() { return dimensions },
    prepare: async (signal) => { await share.load(signal) },
    embedQueries: async (texts, signal) => embed(queryPrefix, texts, true, signal),
    async embedDocuments(texts, signal, onVectors) {
      let start = 0
      for (const end of batchEnds(texts.map(text => text.length), batchSize)) {
        onVectors(start, await embed(documentPrefix, texts.slice(start, end), false, signal))
        start = end
      }
    },
    dispose: () => share.release(),
  }
}
