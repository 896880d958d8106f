/**
 * The dense channel: a sentence model's similarity of the query with each tool. Opt-in; nothing imports this file until it is asked for.
 * @module
 */

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Catalog } from '../catalog/types.ts'
import type { DenseConfig } from '../dense-config.ts'
import { createAttempts } from '../embedding/attempts.ts'
import { createCatalogVectors } from '../embedding/catalog-vectors.ts'
import type { CatalogVectors } from '../embedding/catalog-vectors.ts'
import { withDeadline } from '../embedding/deadline.ts'
import { createE5Provider } from '../embedding/e5.ts'
import { cacheFolder } from '../embedding/folders.ts'
import { createHttpProvider } from '../embedding/http.ts'
import { lengthTrust, scriptOf } from '../embedding/fitness.ts'
import { PROBE } from '../embedding/model-check.ts'
import { EmbeddingError } from '../embedding/provider.ts'
import type { EmbeddingProvider } from '../embedding/provider.ts'
import type { Script } from '../embedding/reference-tasks.ts'
import { createVectorCache } from '../embedding/vector-cache.ts'
import type { QueryPlan } from '../query/plan.ts'
import { ChannelWarming } from './channel.ts'
import type { Channel, ChannelRanking } from './channel.ts'
import { scoresOf, topK } from './top-k.ts'

export interface DenseChannel extends Channel {
  /** Begins to embed a catalogue in the background, unless that was done. Never throws. */
  warm(catalog: Catalog): void
  /** Stops everything and frees the model; resolves when nothing is left. */
  dispose(): Promise<void>
}

export interface DenseOptions {
  /** Told what the person who runs the host should know, each once. */
  readonly warn: (message: string) => void
  /** In place of the configured one. */
  readonly provider?: EmbeddingProvider
}

/**
 * Strength per excess of the best cosine over the noise floor, as a share of what is possible. Queries of other catalogues stay below an
 * excess of 0.4 nineteen times of twenty, half of a catalogue's own are above 0.35 (RESULTS.md): so 0.4 is where the retriever
 * loads (0.2), and half of it where it lists (0.1).
 */
const STRENGTH_PER_EXCESS = 0.5

/** Queries whose vectors are remembered: a model repeats itself. */
const REMEMBERED_QUERIES = 64

/** Another model under the same name: nothing is wrong with it, the next search finds its vectors. */
class OtherModel extends EmbeddingError {}

const NOTHING: ChannelRanking = { tools: [], scores: [], strength: 0, matchedFields: () => [], explain: () => [] }

export function createDenseChannel(config: DenseConfig, { warn, provider: given }: DenseOptions): DenseChannel {
  const folder = cacheFolder(config.cacheDir)
  const provider = given ?? (config.provider === 'http' ? createHttpProvider(config) : createE5Provider(config, folder))
  const attempts = createAttempts()
  const vectors = createCatalogVectors({
    provider,
    attempts,
    cache: createVectorCache({
      folder: join(folder, 'vectors'), identity: provider.identity, maxBytes: config.maxCacheMegabytes * 1_048_576, warn,
    }),
    maxCatalogs: config.maxCachedCatalogs,
    warn,
  })
  const queries = new Map<string, Float32Array>()

  /** What there is of a catalogue after the configured patience. */
  async function vectorsOf(catalog: Catalog, signal: AbortSignal): Promise<CatalogVectors & { state: 'ready' }> {
    let found = vectors.of(catalog)
    if (found.state === 'warming' && config.wait !== false) {
      await patience(found.done, config.wait, signal)
      found = vectors.of(catalog)
    }
    if (found.state === 'ready') return found
    throw new ChannelWarming(`warming: ${found.embedded} of ${found.total} tools are embedded`)
  }

  /** What the model made before can't be compared with what it makes now. */
  function startOver(what: string): OtherModel {
    queries.clear()
    vectors.forget()
    return new OtherModel(`the model answers ${what}; they are embedded again`)
  }

  /** A query's vector, and how far the model is to be trusted with its language. */
  async function embedded(text: string, tools: Script | undefined, signal: AbortSignal): Promise<{ vector: Float32Array; trust: number }> {
    const late = `the query was not embedded within ${config.timeoutMs} ms; raise dense.timeoutMs or use a faster model`
    if (!queries.has(text)) attempts.check()
    try {
      return await withDeadline(config.timeoutMs, late, signal, async ends => ({
        vector: await queryVector(text, ends),
        trust: await vectors.fitness.trust(scriptOf(text), tools, ends),
      }))
    } catch (error: unknown) {
      if (!signal.aborted && !(error instanceof OtherModel)) attempts.failed(error)
      throw error
    }
  }

  async function queryVector(text: string, signal: AbortSignal): Promise<Float32Array> {
    const known = queries.get(text)
    if (known !== undefined) return known
    const [vector, probe] = await provider.embedQueries(vectors.model.isDue() ? [text, PROBE] : [text], signal)
    attempts.succeeded()
    if (probe !== undefined && !vectors.model.compare(probe)) throw startOver('other vectors now than for the tools')
    if (queries.size >= REMEMBERED_QUERIES) queries.delete(queries.keys().next().value!)
    queries.set(text, vector!)
    return vector!
  }

  async function search(catalog: Catalog, plan: QueryPlan, limit: number, signal: AbortSignal): Promise<ChannelRanking> {
    if (plan.kind === 'select' || plan.text === '' || catalog.tools.length === 0) return NOTHING
    const { matrix, noiseFloor, script } = await vectorsOf(catalog, signal)
    const { vector: query, trust } = await embedded(plan.text, script, signal)
    if (query.length !== matrix.size) throw startOver(`${query.length} dimensions now and answered ${matrix.size} for the tools`)
    const cosines = new Float32Array(matrix.count)
    matrix.cosines([query], cosines)
    return ranking(plan.text, cosines, limit, noiseFloor, trust)
  }

  return {
    id: 'dense',
    index(catalog) {
      this.warm(catalog)
      return { search: async (plan, limit, signal) => search(catalog, plan, limit, signal ?? new AbortController().signal) }
    },
    warm(catalog) {
      try {
        vectors.of(catalog)
      } catch {
        // Why it failed is said by the search that needs it.
      }
    },
    async dispose() {
      await Promise.all([vectors.dispose(), provider.dispose()])
    },
  }
}

/** Waits for work, at most so long. */
async function patience(work: Promise<void>, wait: true | number, signal: AbortSignal): Promise<void> {
  const ends = new AbortController()
  const either = AbortSignal.any([signal, ends.signal])
  const time = sleep(wait === true ? 2_147_483_647 : wait, undefined, { signal: either }).catch(() => {})
  await Promise.race([work, time])
  ends.abort()
  signal.throwIfAborted()
}

function ranking(query: string, cosines: Float32Array, limit: number, noiseFloor: number, trust: number): ChannelRanking {
  const candidates = Int32Array.from(cosines.keys()).filter(tool => cosines[tool]! > 0)
  const tools = topK(candidates, candidates.length, cosines, limit)
  const scores = scoresOf(tools, cosines)
  const excess = ((scores[0] ?? 0) - noiseFloor) / (1 - noiseFloor)
  return {
    tools,
    scores,
    strength: trust * Math.min(1, Math.max(0, excess * STRENGTH_PER_EXCESS)),
    trust: trust * lengthTrust(query),
    // A vector does not say which words it is of.
    matchedFields: () => [],
    explain: tool => [{ term: query, fields: ['name', 'description'], score: cosines[tool]! }],
  }
}
