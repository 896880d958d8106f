/**
 * Whether a model is still the one whose vectors are kept. Its name does not say: weights are replaced on disk or on a hub, and an
 * endpoint serves another model under the old name, often with vectors of the same size. So one sentence is embedded and compared
 * with what it was.
 * @module
 */

import { storeVector } from '../vectors/vector-rows.ts'
import type { StoredVector } from '../vectors/vector-rows.ts'
import type { EmbeddingProvider } from './provider.ts'
import type { VectorCache } from './vector-cache.ts'
import { vectorKey } from './vector-segment.ts'

/** Everyday words and a name, a number and another script: what models of one family differ in. */
export const PROBE = 'Please send the 2 invoices of March to Ana Kovač, and delete the old draft (请尽快).'

/**
 * Lowest cosine that the same model has with itself. Kernels of other processors, other batches and 8-bit vectors move it by less than a
 * hundredth; a model that was trained further, or another one, is below 0.95.
 */
const SAME_MODEL = 0.97

/** How long an answer holds in ms: an endpoint may be given another model while we run. */
const CHECK_AGE = 600_000

export interface ModelCheck {
  /** Reads what the sentence's vector was; embeds nothing. */
  load(): Promise<void>
  /** Whether it is time to look again. */
  isDue(): boolean
  /** Embeds the sentence. @returns whether its vector is what it was, or it never was any. */
  run(signal: AbortSignal): Promise<boolean>
  /** The same for a vector of {@link PROBE} that was embedded along with something else. */
  compare(probe: Float32Array): boolean
  /** Takes the latest vector for that of the model whose vectors are kept from now on. */
  accept(): Promise<void>
}

/** @param now - a clock in ms. */
export function createModelCheck(provider: EmbeddingProvider, cache: VectorCache, now: () => number = () => Date.now()): ModelCheck {
  // Queries have another prefix than tools; no query is stored, so that this is nobody else's key.
  const key = vectorKey(`probe\0${PROBE}`)
  let kept: StoredVector | undefined
  let latest: StoredVector | undefined
  let checkedAt = -Infinity

  function compare(probe: Float32Array): boolean {
    latest = storeVector(probe)
    checkedAt = now()
    return kept === undefined || cosine(kept, latest) >= SAME_MODEL
  }

  return {
    async load() {
      kept ??= (await cache.read(new Set([key])).catch(() => new Map<string, StoredVector>())).get(key)
    },
    isDue: () => now() - checkedAt >= CHECK_AGE,
    compare,
    async run(signal) {
      await this.load()
      const [probe] = await provider.embedQueries([PROBE], signal)
      const isSame = compare(probe!)
      if (kept === undefined) await this.accept()
      return isSame
    },
    async accept() {
      kept = latest
      // A folder that can't be written is warned of when the tools are.
      if (kept !== undefined) await cache.write(new Map([[key, kept]])).catch(() => {})
    },
  }
}

/** Vectors of different sizes have nothing in common. */
function cosine(a: StoredVector, b: StoredVector): number {
  if (a.length !== b.length) return 0
  let product = 0
  let squaresOfA = 0
  let squaresOfB = 0
  for (const [at, value] of a.entries()) {
    product += value * b[at]!
    squaresOfA += value * value
    squaresOfB += b[at]! * b[at]!
  }
  return product / Math.sqrt(squaresOfA * squaresOfB)
}
