import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { buildCatalog } from '../../src/catalog/store.ts'
import type { Catalog } from '../../src/catalog/types.ts'
import { createBm25Channel } from '../../src/channels/bm25.ts'
import { createDenseChannel } from '../../src/channels/dense.ts'
import type { DenseChannel } from '../../src/channels/dense.ts'
import { createExactChannel } from '../../src/channels/exact.ts'
import { resolveDense } from '../../src/dense-config.ts'
import type { DenseConfig } from '../../src/dense-config.ts'
import { PROBE } from '../../src/embedding/model-check.ts'
import { REFERENCE_TASKS } from '../../src/embedding/reference-tasks.ts'
import type { EmbeddingProvider } from '../../src/embedding/provider.ts'
import { DEFAULT_RETRIEVAL } from '../../src/retrieval-defaults.ts'
import { createRetriever } from '../../src/retriever.ts'
import type { Retriever } from '../../src/retriever.ts'
import { wordProvider, wordVector } from '../support/word-vectors.ts'
import type { WordProvider } from '../support/word-vectors.ts'

const WEATHER = { name: 'get_forecast', description: 'weather forecast of a city' }
const ISSUE = { name: 'create_issue', description: 'report a bug in a repository' }
const MAIL = { name: 'send_mail', description: 'send a message to a person' }
const catalog = buildCatalog([WEATHER, ISSUE, MAIL])

let cacheDir: string
let warnings: string[]
const channels: DenseChannel[] = []

beforeEach(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'dense-'))
  warnings = []
})

afterEach(async () => {
  await Promise.all(channels.splice(0).map(async channel => channel.dispose()))
  await rm(cacheDir, { recursive: true })
})

/** Lexical and dense evidence, put together as the plugin does. */
function retriever(provider: EmbeddingProvider, change: Partial<DenseConfig> = {}): Retriever {
  const config = resolveDense({ cacheDir, wait: true, ...change }) as DenseConfig
  const channel = createDenseChannel(config, { provider, warn: message => warnings.push(message) })
  channels.push(channel)
  return createRetriever(DEFAULT_RETRIEVAL, [() => createExactChannel(), createBm25Channel, () => channel])
}

async function search(from: Retriever, query: string, tools: Catalog = catalog) {
  const { results, failures, match } = await from.search(tools, { query, limit: 8 })
  return { names: results.map(({ name }) => name), results, failures, match }
}

/** Another model of the same size: every word has another vector. */
const otherWords = { accent: 'other ' }

/** A provider whose documents wait until they are let go. */
function held(): { provider: WordProvider; release: () => void } {
  const gate = Promise.withResolvers<void>()
  const words = wordProvider()
  return {
    provider: {
      ...words,
      async embedDocuments(texts, signal, onVectors) {
        await Promise.race([gate.promise, new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error))
        })])
        await words.embedDocuments(texts, signal, onVectors)
      },
    },
    release: () => gate.resolve(),
  }
}

describe('dense evidence', () => {
  it('joins the lexical evidence, with its own rank, score and explanation', async () => {
    const found = retriever(wordProvider())
    const { outcome, explanations } = await found.explain(catalog, { query: 'weather forecast city', limit: 8 })
    expect(outcome.results[0]).toMatchObject({ name: WEATHER.name, channels: { dense: { rank: 1 }, bm25: { rank: 1 } } })
    expect(explanations[0]!.shares.dense).toBeGreaterThan(0)
    expect(explanations[0]!.terms.dense).toEqual([{ term: 'weather forecast city', fields: ['name', 'description'], score: expect.any(Number) as number }])
  })

  it('finds what no word of the query is in, when it is near enough', async () => {
    // The model knows that "rain" means "weather forecast of a city"; the words don't.
    const knowing = wordProvider({
      embedQueries: async texts => texts.map(text => Float32Array.from(wordVector(text === 'regnet es' ? 'get forecast weather forecast of a city' : text))),
    })
    expect(await search(retriever(knowing), 'regnet es')).toMatchObject({ match: 'ranked', names: [WEATHER.name, expect.anything(), expect.anything()] })
  })

  it('makes no match of a query that is near to nothing', async () => {
    expect(await search(retriever(wordProvider()), 'xylophone')).toMatchObject({ match: 'none', names: [], failures: [] })
  })

  it('counts little where the model does not know the language, and in full where it does', async () => {
    const tools = buildCatalog([{ name: 'nalssi', description: '도시의 일기 예보를 조회합니다' }, { name: 'ilgi', description: '내일 일기를 씁니다' }])
    const declared = new Map(REFERENCE_TASKS.hangul.asked.map((text, at) => [text, REFERENCE_TASKS.hangul.declared[at]!]))
    const knowing = wordProvider({
      embedQueries: async texts => texts.map(text => Float32Array.from(wordVector(declared.get(text) ?? text))),
    })
    const shares = []
    for (const [provider, folder] of [[wordProvider(), 'noise'], [knowing, 'known']] as const) {
      const { explanations } = await retriever(provider, { cacheDir: join(cacheDir, folder) }).explain(tools, { query: '일기 예보', limit: 1 })
      shares.push(explanations[0]!.shares.dense!)
      expect(Object.values(explanations[0]!.shares).reduce((sum, share) => sum + share)).toBeCloseTo(1, 10)
    }
    expect(shares[0]).toBeLessThan(shares[1]! / 4)
  })

  it('is not asked for names', async () => {
    const words = wordProvider()
    expect((await search(retriever(words), `select:${MAIL.name}`)).names).toEqual([MAIL.name])
    expect(words.queries).not.toContain(MAIL.name)
  })

  it('costs one vector a query, however often it is asked', async () => {
    const words = wordProvider()
    const found = retriever(words)
    await search(found, 'weather')
    await search(found, 'weather')
    expect(words.queries.filter(query => query === 'weather')).toEqual(['weather'])
  })

  it('is none in an empty catalogue', async () => {
    expect(await search(retriever(wordProvider()), 'weather', buildCatalog([]))).toMatchObject({ names: [], failures: [] })
  })
})

describe('while tools are being embedded', () => {
  it('a search answers without dense and says so, and a later one answers with it', async () => {
    const { provider, release } = held()
    const found = retriever(provider, { wait: false })
    const early = await search(found, 'weather')
    expect(early.names).toEqual([WEATHER.name])
    expect(early.failures).toEqual([{ channel: 'dense', state: 'warming', reason: 'warming: 0 of 3 tools are embedded' }])
    release()
    await expect.poll(async () => (await search(found, 'weather')).failures).toEqual([])
    expect((await search(found, 'weather')).results[0]!.channels.dense).toMatchObject({ rank: 1 })
  })

  it('a search waits as configured', async () => {
    const { provider, release } = held()
    const impatient = await search(retriever(provider, { wait: 1 }), 'weather')
    expect(impatient.failures).toMatchObject([{ state: 'warming' }])
    const patient = search(retriever(provider, { wait: true }), 'weather')
    release()
    expect((await patient).failures).toEqual([])
  })

  it('a search that waits ends with its signal', async () => {
    const { provider } = held()
    const stop = new AbortController()
    const waiting = retriever(provider).search(catalog, { query: 'weather', limit: 8, signal: stop.signal })
    stop.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
  })

  it('unloading stops it, keeps what is done, and leaves nothing running', async () => {
    const words = wordProvider()
    let embedding: Promise<void> | undefined
    const provider: WordProvider = {
      ...words,
      embedDocuments(texts, signal, onVectors) {
        onVectors(0, texts.slice(0, 2).map(text => Float32Array.from(wordVector(text))))
        embedding = new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
        return embedding
      },
    }
    retriever(provider).prepare(catalog)
    await expect.poll(() => embedding !== undefined).toBe(true)
    const stopped = expect(embedding).rejects.toThrow('the dense channel was unloaded')
    await channels.pop()!.dispose()
    await stopped
    expect(provider.isDisposed).toBe(true)
    const next = wordProvider()
    await search(retriever(next), 'weather')
    expect(next.documents.length).toBe(1)
  })
})

describe('tools are embedded once', () => {
  it('and never again after a restart', async () => {
    await search(retriever(wordProvider()), 'weather')
    const next = wordProvider()
    expect((await search(retriever(next), 'weather')).failures).toEqual([])
    expect([next.documents, next.queries]).toEqual([[], ['weather', PROBE]])
  })

  it('when the catalogue changes, only what changed', async () => {
    const words = wordProvider()
    const found = retriever(words)
    await search(found, 'weather')
    words.documents.length = 0
    const changed = buildCatalog([WEATHER, { ...ISSUE, description: 'open an issue' }, MAIL, { name: 'play_music', description: 'play a song' }])
    expect((await search(found, 'song', changed)).names[0]).toBe('play_music')
    expect(words.documents.toSorted()).toEqual(['create issue. open an issue', 'play music. play a song'])
  })

  it('also when more catalogues take turns than are kept in memory', async () => {
    const words = wordProvider()
    const found = retriever(words, { maxCachedCatalogs: 1 })
    const other = buildCatalog([ISSUE, MAIL])
    for (let turn = 0; turn < 3; turn++) {
      expect((await search(found, 'weather')).failures).toEqual([])
      expect((await search(found, 'report', other)).failures).toEqual([])
    }
    expect(words.documents.length).toBe(3)
  })

  it('also when the cache folder can not be written; that is said once', async () => {
    const words = wordProvider()
    const found = retriever(words, { cacheDir: '/dev/null/nowhere' })
    expect((await search(found, 'weather')).results[0]!.channels.dense).toBeDefined()
    await search(found, 'weather', buildCatalog([ISSUE, MAIL]))
    expect(words.documents.length).toBe(3)
    expect(warnings.join('\n')).toMatch(/vectors can not be kept on disk.*check dense.cacheDir/)
  })

  it.each([
    ['of another size', { size: 48, dimensions: undefined }],
    ['of the same size', otherWords],
  ])('unless another model has the name now, with vectors %s: then all of them, once', async (_what, change) => {
    await search(retriever(wordProvider()), 'weather')
    const other = wordProvider(change)
    const found = retriever(other)
    const reason = expect.stringContaining('the model answers other vectors now than for the tools; they are embedded again') as string
    expect((await search(found, 'weather')).failures).toMatchObject([{ state: 'failed', reason }])
    expect((await search(found, 'weather')).failures).toEqual([])
    expect(other.documents.length).toBe(3)
    const next = wordProvider(change)
    expect((await search(retriever(next), 'weather')).failures).toEqual([])
    expect([next.documents, warnings]).toEqual([[], []])
  })

  it('unless that is noticed with a new tool: then all of them at once, and nothing of both is compared', async () => {
    await search(retriever(wordProvider()), 'weather')
    const other = wordProvider(otherWords)
    const more = buildCatalog([WEATHER, ISSUE, MAIL, { name: 'play_music', description: 'play a song' }])
    expect(await search(retriever(other), 'song', more)).toMatchObject({ failures: [], names: expect.arrayContaining(['play_music']) as string[] })
    expect(warnings).toEqual(['the model answers other vectors than before under the same name, so that all tools are embedded again'])
    expect(other.documents.length).toBe(4)
  })

  it('also when the name gets another model while we run, and a changed catalogue does not mix the two', async () => {
    let current = wordProvider()
    const provider: EmbeddingProvider = {
      ...wordProvider(),
      embedQueries: async (texts, signal) => current.embedQueries(texts, signal),
      embedDocuments: async (texts, signal, onVectors) => current.embedDocuments(texts, signal, onVectors),
    }
    const found = retriever(provider)
    await search(found, 'weather')
    current = wordProvider(otherWords)
    expect((await search(found, 'song', buildCatalog([WEATHER, ISSUE, MAIL, { name: 'play_music', description: 'play a song' }]))).names[0]).toBe('play_music')
    expect(current.documents.length).toBe(4)
    await search(found, 'weather')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 })
    try {
      expect((await search(found, 'forecast')).failures).toEqual([])
      current = wordProvider()
      vi.setSystemTime(Date.now() + 600_000)
      expect((await search(found, 'city')).failures).toMatchObject([
        { state: 'failed', reason: 'the model answers other vectors now than for the tools; they are embedded again' },
      ])
      expect((await search(found, 'city')).failures).toEqual([])
      expect(current.documents.length).toBe(3)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('dense fails alone', () => {
  const fails = async (): Promise<never> => { throw new Error('out of order; mend it') }
  const isolated = { names: [WEATHER.name] }

  it.each<[string, Partial<EmbeddingProvider>, RegExp]>([
    ['documents can not be embedded', { embedDocuments: fails }, /^out of order; mend it/],
    ['the query can not be embedded', { embedQueries: fails }, /^out of order; mend it/],
    ['the model can not be loaded', { prepare: fails }, /^out of order; mend it/],
  ])('when %s', async (_what, change, reason) => {
    const { failures, ...found } = await search(retriever(wordProvider(change)), 'weather')
    expect(found).toMatchObject(isolated)
    expect(failures).toEqual([{ channel: 'dense', state: 'failed', reason: expect.stringMatching(reason) as string }])
  })

  it('when the model is slow', async () => {
    const words = wordProvider()
    const slow: EmbeddingProvider = {
      ...words,
      embedQueries: async (texts, signal) => texts.includes('weather') ? new Promise(() => {}) : words.embedQueries(texts, signal),
    }
    const { failures, ...found } = await search(retriever(slow, { timeoutMs: 20 }), 'weather')
    expect(found).toMatchObject(isolated)
    expect(failures[0]!.reason).toBe('the query was not embedded within 20 ms; raise dense.timeoutMs or use a faster model')
  })

  it('and is not asked again at once', async () => {
    let asked = 0
    const broken = wordProvider({
      embedDocuments: async () => {
        asked += 1
        return fails()
      },
    })
    const found = retriever(broken)
    await search(found, 'weather')
    await search(found, 'forecast')
    const { failures } = await search(found, 'city')
    expect(asked).toBe(1)
    expect(failures[0]!.reason).toMatch(/^out of order; mend it \(tried again in \d+ s\)$/)
  })

  it('and does not take a cancelled search for a failure', async () => {
    const found = retriever(wordProvider())
    await search(found, 'weather')
    await expect(found.search(catalog, { query: 'city', limit: 8, signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough')
    expect((await search(found, 'city')).failures).toEqual([])
  })
})
