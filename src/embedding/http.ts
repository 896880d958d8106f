/**
 * Vectors of an OpenAI-compatible `/v1/embeddings` endpoint.
 * @module
 */

import type { DenseConfig } from '../dense-config.ts'
import { postEmbeddings } from './http-request.ts'
import type { EmbeddingRequest } from './http-request.ts'
import { EmbeddingError, unitVectors } from './provider.ts'
import type { EmbeddingProvider } from './provider.ts'

/** How long one batch of documents may take with all its retries, in ms. */
const DOCUMENTS_DEADLINE = 120_000

/** The whole address of the endpoint. */
export function endpointOf(url: string): string {
  const address = new URL(url)
  if (!/\/embeddings\/?$/.test(address.pathname)) address.pathname = `${address.pathname.replace(/\/+$/, '')}/embeddings`
  return address.href
}

/** @param environment - where the key is. */
export function createHttpProvider(config: DenseConfig, environment: NodeJS.ProcessEnv = process.env): EmbeddingProvider {
  const { url, model, apiKeyEnv, queryPrefix, documentPrefix, batchSize, concurrency, retries, timeoutMs } = config
  const endpoint = endpointOf(url)
  const disposal = new AbortController()
  const running = new Set<Promise<unknown>>()
  let size = config.dimensions === 0 ? undefined : config.dimensions

  function keyOf(): string | undefined {
    if (apiKeyEnv === '') return undefined
    const key = environment[apiKeyEnv]
    if (key === undefined || key === '') {
      throw new EmbeddingError(`the environment variable ${apiKeyEnv} that dense.apiKeyEnv names is not set; set it and start again`, { permanent: true })
    }
    return key
  }

  async function embed(prefix: string, texts: readonly string[], deadlineMs: number, signal: AbortSignal): Promise<Float32Array[]> {
    const request: EmbeddingRequest = {
      endpoint,
      apiKey: keyOf(),
      body: { model, input: texts.map(text => prefix + text), encoding_format: 'float', ...config.dimensions > 0 && { dimensions: config.dimensions } },
      retries,
      deadlineMs,
      signal: AbortSignal.any([signal, disposal.signal]),
    }
    const task = postEmbeddings(request)
    running.add(task)
    try {
      const vectors = unitVectors(await task, texts.length, size)
      size = vectors[0]?.length
      return vectors
    } finally {
      running.delete(task)
    }
  }

  return {
    identity: JSON.stringify(['http', endpoint, model, config.dimensions, queryPrefix, documentPrefix]),
    get dimensions() { return size },
    prepare: async () => {},
    embedQueries: async (texts, signal) => embed(queryPrefix, texts, timeoutMs, signal),
    async embedDocuments(texts, signal, onVectors) {
      const failure = new AbortController()
      let next = 0
      async function takeBatches(): Promise<void> {
        while (next < texts.length) {
          const from = next
          next += batchSize
          const batch = texts.slice(from, from + batchSize)
          onVectors(from, await embed(documentPrefix, batch, DOCUMENTS_DEADLINE, AbortSignal.any([signal, failure.signal])))
        }
      }
      try {
        await Promise.all(Array.from({ length: concurrency }, takeBatches))
      } finally {
        // The others of a batch that failed are not waited for.
        failure.abort()
      }
    },
    async dispose() {
      disposal.abort(new EmbeddingError('the dense channel was unloaded'))
      await Promise.allSettled(running)
    },
  }
}
