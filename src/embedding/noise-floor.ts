/**
 * What similarity means nothing, for this model and these tools. Models differ: unrelated texts have a cosine of 0.1 for one and of 0.8
 * for another, and a large catalogue has by chance a more similar tool than a small one. So it is measured, by small talk that
 * asks for no tool.
 * @module
 */

import type { EmbeddingProvider } from './provider.ts'
import type { VectorCache } from './vector-cache.ts'
import { storeVector } from '../vectors/vector-rows.ts'
import type { VectorMatrix } from '../vectors/vector-matrix.ts'
import type { StoredVector } from '../vectors/vector-rows.ts'
import { vectorKey } from './vector-segment.ts'

const SMALL_TALK = [
  'hello',
  'good morning, how are you today?',
  'we had dinner together last night',
  'she walked along the river in the evening',
  'to be or not to be',
  '你好',
  '今天天气真好，我们出去走走吧',
  '她小时候住在一个小村庄里',
]

export interface References {
  /** The mean, over the upper half of the small talk, of the cosine with the nearest tool. */
  noiseFloor(matrix: VectorMatrix, signal: AbortSignal): Promise<number>
  forget(): void
}

/** Embeds the small talk once, and keeps it beside the tools' vectors. */
export function createReferences(provider: EmbeddingProvider, cache: VectorCache): References {
  let vectors: readonly StoredVector[] | undefined
  // Queries have another prefix than tools, so that a tool of the same text would not have the same vector.
  const keys = SMALL_TALK.map(text => vectorKey(`query\0${text}`))

  async function load(size: number, signal: AbortSignal): Promise<readonly StoredVector[]> {
    const kept = await cache.read(new Set(keys)).catch(() => new Map<string, StoredVector>())
    if (keys.every(key => kept.get(key)?.length === size)) return keys.map(key => kept.get(key)!)
    const made = (await provider.embedQueries(SMALL_TALK, signal)).map(storeVector)
    // A folder that can't be written was already warned of when the tools were.
    await cache.write(new Map(made.map((vector, at) => [keys[at]!, vector]))).catch(() => {})
    return made
  }

  return {
    async noiseFloor(matrix, signal) {
      if (matrix.count === 0) return 0
      vectors ??= await load(matrix.size, signal)
      const cosines = new Float32Array(matrix.count)
      const nearest = vectors.map((vector) => {
        matrix.cosines([unit(vector)], cosines)
        return cosines.reduce((best, cosine) => Math.max(best, cosine), -1)
      }).sort((a, b) => b - a)
      const upper = nearest.slice(0, nearest.length / 2)
      return upper.reduce((sum, cosine) => sum + cosine, 0) / upper.length
    },
    forget() { vectors = undefined },
  }
}

function unit(vector: StoredVector): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  return Float32Array.from(vector, value => value / length)
}
