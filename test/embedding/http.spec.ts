import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { resolveDense } from '../../src/dense-config.ts'
import type { DenseConfig } from '../../src/dense-config.ts'
import { retryAfter } from '../../src/embedding/http-request.ts'
import { createHttpProvider, endpointOf } from '../../src/embedding/http.ts'
import type { EmbeddingError, EmbeddingProvider } from '../../src/embedding/provider.ts'
import { sendJson, sendVectors, startEmbeddingsServer } from '../support/embeddings-server.ts'
import type { Respond } from '../support/embeddings-server.ts'
import { WORD_DIMENSIONS, wordVector } from '../support/word-vectors.ts'

const never = (): AbortSignal => new AbortController().signal

function provider(url: string, change: Partial<DenseConfig> = {}, environment: NodeJS.ProcessEnv = {}): EmbeddingProvider {
  return createHttpProvider(resolveDense({ provider: 'http', url, model: 'words', ...change }) as DenseConfig, environment)
}

/** Embeds one query against an endpoint that answers so. */
async function failure(respond: Respond, change: Partial<DenseConfig> = {}): Promise<{ error: EmbeddingError; requests: number }> {
  await using server = await startEmbeddingsServer(respond)
  const error = await provider(server.url, change).embedQueries(['weather'], never()).then(
    () => { throw new Error('it was accepted') },
    (thrown: unknown) => thrown as EmbeddingError,
  )
  return { error, requests: server.requests.length }
}

const embedding = (values: unknown): Respond => (_body, response) => sendJson(response, { data: [{ index: 0, embedding: values }] })

describe('an embeddings endpoint', () => {
  it('gives unit vectors in the order of the texts, whatever order it answers in', async () => {
    await using server = await startEmbeddingsServer()
    const words = provider(server.url, { queryPrefix: 'q: ' })
    const vectors = await words.embedQueries(['weather in Rome', 'open an issue'], never())
    for (const [at, text] of ['q: weather in Rome', 'q: open an issue'].entries()) {
      wordVector(text).forEach((value, component) => expect(vectors[at]![component]).toBeCloseTo(value, 5))
    }
    expect(words.dimensions).toBe(WORD_DIMENSIONS)
    expect(server.requests[0]).toMatchObject({ model: 'words', input: ['q: weather in Rome', 'q: open an issue'], encoding_format: 'float' })
  })

  it('gets documents in batches, at most so many requests at once', async () => {
    await using server = await startEmbeddingsServer((body, response) => setTimeout(sendVectors, 5, body, response))
    const texts = Array.from({ length: 23 }, (_, at) => `document ${at}`)
    const got: Float32Array[] = []
    await provider(server.url, { batchSize: 4, concurrency: 2 }).embedDocuments(texts, never(), (from, vectors) => {
      vectors.forEach((vector, at) => { got[from + at] = vector })
    })
    expect(got.length).toBe(23)
    got.forEach((vector, at) => expect(vector[0]).toBeCloseTo(wordVector(texts[at]!)[0]!, 5))
    expect(server.requests.map(({ input }) => input.length)).toEqual([4, 4, 4, 4, 4, 3])
    expect(server.mostAtOnce).toBe(2)
  })

  it('is asked for a number of dimensions when one is configured', async () => {
    await using server = await startEmbeddingsServer()
    const [vector] = await provider(server.url, { dimensions: 8 }).embedQueries(['weather'], never())
    expect([vector!.length, server.requests[0]!.dimensions]).toEqual([8, 8])
  })

  it('gets the key of the named variable, and no key when none is named', async () => {
    await using server = await startEmbeddingsServer()
    await provider(server.url, { apiKeyEnv: 'MY_KEY' }, { MY_KEY: 'sesame' }).embedQueries(['a'], never())
    await provider(server.url, {}, { MY_KEY: 'sesame' }).embedQueries(['a'], never())
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer sesame', undefined])
  })

  it('is not asked at all when the named variable is not set', async () => {
    await using server = await startEmbeddingsServer()
    await expect(provider(server.url, { apiKeyEnv: 'MY_KEY' }).embedQueries(['a'], never())).rejects.toMatchObject({
      permanent: true, message: 'the environment variable MY_KEY that dense.apiKeyEnv names is not set; set it and start again',
    })
    expect(server.requests).toEqual([])
  })

  it('may be given with or without /embeddings', () => {
    expect(endpointOf('http://127.0.0.1:11434/v1/')).toBe('http://127.0.0.1:11434/v1/embeddings')
    expect(endpointOf('https://host/v1/embeddings?api-version=1')).toBe('https://host/v1/embeddings?api-version=1')
  })
})

describe('what may pass is tried again', () => {
  const twiceThen = (status: number, headers: Record<string, string> = {}): Respond => (body, response, index) =>
    index < 2 ? sendJson(response, { error: { message: 'busy' } }, status, headers) : sendVectors(body, response)

  it.each([429, 500, 503])('%i', async (status) => {
    await using server = await startEmbeddingsServer(twiceThen(status))
    expect(await provider(server.url).embedQueries(['weather'], never())).toHaveLength(1)
    expect(server.requests.length).toBe(3)
  })

  it('a connection that breaks', async () => {
    await using server = await startEmbeddingsServer((body, response, index) =>
      index === 0 ? response.destroy() : sendVectors(body, response))
    expect(await provider(server.url).embedQueries(['weather'], never())).toHaveLength(1)
  })

  it('after the pause that it asks for', async () => {
    await using server = await startEmbeddingsServer(twiceThen(429, { 'retry-after': '0' }))
    expect(await provider(server.url).embedQueries(['weather'], never())).toHaveLength(1)
  })

  it('but not when that pause would take longer than there is', async () => {
    const { error, requests } = await failure((_body, response) => sendJson(response, {}, 429, { 'retry-after': '60' }))
    expect(error.message).toMatch(/answered 429/)
    expect(requests).toBe(1)
  })

  it('and not for ever', async () => {
    const { error, requests } = await failure((_body, response) => sendJson(response, { error: 'overloaded' }, 503), { retries: 1 })
    expect(error.message).toMatch(/\/v1\/embeddings answered 503: \{"error":"overloaded"\}, 2 times; see that it runs and keeps up$/)
    expect([requests, error.permanent]).toEqual([2, false])
  })

  it('Retry-After is read in seconds and as a date', () => {
    expect(retryAfter('7')).toBe(7_000)
    expect(retryAfter('Thu, 01 Jan 1970 00:00:10 GMT', 4_000)).toBe(6_000)
    expect([retryAfter(null), retryAfter('soon'), retryAfter('-1')]).toEqual([undefined, undefined, undefined])
  })
})

describe('what can not be used is an error that says what to mend', () => {
  it.each<[string, Respond, RegExp]>([
    ['a wrong key', (_body, response) => sendJson(response, { error: 'who are you' }, 401), /401: .*who are you.*check the key in the variable/],
    ['an unknown model', (_body, response) => sendJson(response, { error: 'no such model' }, 404), /404: .*no such model.*check dense.url and dense.model/],
    ['too large a request', (_body, response) => sendJson(response, {}, 413), /413: \{\}; lower dense.batchSize/],
    ['a page', (_body, response) => { response.end('<html>') }, /not JSON; check that dense.url is an embeddings endpoint/],
    ['other JSON', (_body, response) => sendJson(response, { choices: [] }), /JSON without embeddings .*must have required property 'data'/],
    ['no vector', (_body, response) => sendJson(response, { data: [] }), /0 vectors for 1 texts/],
    ['two vectors', (body, response) => sendVectors({ ...body, input: [...body.input, 'more'] }, response), /2 vectors for 1 texts/],
    ['an empty vector', embedding([]), /JSON without embeddings/],
    ['null in a vector', embedding([1, null]), /JSON without embeddings \(.*must be number/],
    ['a text as a vector', embedding('base64=='), /JSON without embeddings \(.*must be array/],
    ['zeros', embedding([0, 0]), /vector of zeros/],
    ['infinity', (_body, response) => { response.end('{"data":[{"index":0,"embedding":[1e999,1]}]}') }, /not finite numbers/],
    ['a redirect', (_body, response) => { response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end() }, /can not be reached \(unexpected redirect/],
  ])('%s', async (_what, respond, message) => {
    expect((await failure(respond, { retries: 0 })).error.message).toMatch(message)
  })

  it('other dimensions than before', async () => {
    await using server = await startEmbeddingsServer()
    const words = provider(server.url)
    await words.embedQueries(['weather'], never())
    server.respond = (body, response) => sendVectors({ ...body, dimensions: 7 }, response)
    await expect(words.embedQueries(['weather'], never())).rejects.toThrow(/vector of 7 dimensions where 32 were expected/)
  })

  it('nobody there', async () => {
    const gone = await startEmbeddingsServer()
    await gone[Symbol.asyncDispose]()
    await expect(provider(gone.url, { retries: 0 }).embedQueries(['a'], never())).rejects.toThrow(/can not be reached \(ECONNREFUSED\)/)
  })

  it('nothing within the time there is', async () => {
    const { error } = await failure(() => {}, { timeoutMs: 50 })
    expect(error.message).toMatch(/did not answer within 50 ms; see that it runs and keeps up$/)
  })

  it('and the key is in none of it', async () => {
    await using server = await startEmbeddingsServer((_body, response) => sendJson(response, { error: 'bad key sesame' }, 401))
    await expect(provider(server.url, { apiKeyEnv: 'MY_KEY' }, { MY_KEY: 'sesame' }).embedQueries(['a'], never())).rejects.toThrow(/bad key …/)
  })
})

describe('what is not wanted any more is stopped', () => {
  it('by its signal', async () => {
    await using server = await startEmbeddingsServer(() => {})
    const stop = new AbortController()
    const embedding = provider(server.url).embedQueries(['a'], stop.signal)
    stop.abort(new Error('enough'))
    await expect(embedding).rejects.toThrow('enough')
  })

  it('when one batch fails, with the others', async () => {
    let first: ServerResponse | undefined
    await using server = await startEmbeddingsServer((_body, response, index) => {
      first ??= response
      if (index === 2) sendJson(first, {}, 400)
    })
    const words = provider(server.url, { batchSize: 1, concurrency: 3 })
    await expect(words.embedDocuments(['0', '1', '2', '3', '4'], never(), () => {})).rejects.toThrow(/answered 400/)
    expect(server.requests.length).toBe(3)
  })

  it('when the channel goes', async () => {
    await using server = await startEmbeddingsServer(() => {})
    const words = provider(server.url)
    const embedding = words.embedQueries(['a'], never())
    const rejected = expect(embedding).rejects.toThrow('the dense channel was unloaded')
    await words.dispose()
    await rejected
  })
})
