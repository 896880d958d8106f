/** The real transformers.js in the real thread: on a stand-in without semantics always, on real weights where there are some. */

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import type { Worker } from 'node:worker_threads'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { resolveDense } from '../../src/dense-config.ts'
import type { DenseConfig } from '../../src/dense-config.ts'
import { batchEnds, createE5Provider } from '../../src/embedding/e5.ts'
import type { EmbeddingProvider } from '../../src/embedding/provider.ts'
import { TINY_E5_DIMENSIONS, writeTinyE5 } from '../support/tiny-e5.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** Threads are announced on the next tick. */
const nextTick = async (): Promise<void> => new Promise(resolve => setImmediate(resolve))

const never = (): AbortSignal => new AbortController().signal

let models: string
const threads: Worker[] = []
const providers: EmbeddingProvider[] = []
const onThread = (thread: Worker): void => { threads.push(thread) }

function e5(change: Partial<DenseConfig> = {}): EmbeddingProvider {
  const provider = createE5Provider(resolveDense({ offline: true, ...change }) as DenseConfig, models)
  providers.push(provider)
  return provider
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * b[at]!, 0)
}

beforeAll(async () => {
  models = await mkdtemp(join(tmpdir(), 'tiny-e5-'))
  writeTinyE5(models)
})

afterAll(async () => { await rm(models, { recursive: true }) })

beforeEach(() => {
  threads.length = 0
  process.on('worker', onThread)
})

afterEach(async () => {
  process.off('worker', onThread)
  await Promise.all(providers.splice(0).map(async provider => provider.dispose()))
})

describe('a local model', () => {
  it('gives unit vectors: one text one vector, alone or in a batch', async () => {
    const provider = e5()
    const [alone] = await provider.embedQueries(['create an issue'], never())
    const batch = await provider.embedQueries(['weather forecast for tomorrow in the city of 天気', 'create an issue'], never())
    expect([alone!.length, provider.dimensions]).toEqual([TINY_E5_DIMENSIONS, TINY_E5_DIMENSIONS])
    expect(dot(alone!, alone!)).toBeCloseTo(1, 5)
    expect(dot(alone!, batch[1]!)).toBeCloseTo(1, 5)
    expect(dot(alone!, batch[0]!)).toBeLessThan(0.99)
  })

  it('puts the right prefix before queries and before documents', async () => {
    const documents: Float32Array[] = []
    await e5().embedDocuments(['file'], never(), (_from, vectors) => documents.push(...vectors))
    const bare = e5({ queryPrefix: '', documentPrefix: '' })
    const [asQuery, asPassage] = await bare.embedQueries(['query: file', 'passage: file'], never())
    const [query] = await e5().embedQueries(['file'], never())
    expect(dot(query!, asQuery!)).toBeCloseTo(1, 5)
    expect(dot(documents[0]!, asPassage!)).toBeCloseTo(1, 5)
    expect(dot(query!, asPassage!)).toBeLessThan(0.99)
  })

  it('pools as configured', async () => {
    const [mean] = await e5().embedQueries(['weather forecast'], never())
    const [cls] = await e5({ pooling: 'cls' }).embedQueries(['weather forecast'], never())
    expect(dot(mean!, cls!)).toBeLessThan(0.99)
  })

  it('gives every document its vector, in whatever batches', async () => {
    const texts = Array.from({ length: 11 }, (_, at) => `file ${'image '.repeat(at)}`)
    const got: Float32Array[] = []
    const provider = e5({ batchSize: 4 })
    await provider.embedDocuments(texts, never(), (from, vectors) => vectors.forEach((vector, at) => { got[from + at] = vector }))
    const [last] = await e5({ queryPrefix: 'passage: ' }).embedQueries([texts[10]!], never())
    expect(got.length).toBe(11)
    expect(dot(got[10]!, last!)).toBeCloseTo(1, 5)
  })

  it('cuts batches by number and by the length that padding gives them', () => {
    expect(batchEnds([1, 1, 1, 1, 1], 2)).toEqual([2, 4, 5])
    expect(batchEnds([10, 10, 60, 200], 16, 100)).toEqual([2, 3, 4])
    expect(batchEnds([], 16)).toEqual([])
  })

  it('answers a query before documents that wait', async () => {
    const provider = e5({ batchSize: 1 })
    const order: string[] = []
    await Promise.all([
      provider.embedDocuments(['a', 'b', 'c'], never(), from => order.push(`document ${from}`)),
      provider.embedQueries(['q'], never()).then(() => order.push('query')),
    ])
    expect(order).toEqual(['document 0', 'query', 'document 1', 'document 2'])
  })
})

describe('one model a process', () => {
  it('serves everyone who configures the same, until the last one goes', async () => {
    const [first, second] = [e5(), e5()]
    await first.embedQueries(['a'], never())
    await second.embedQueries(['b'], never())
    expect(threads.length).toBe(1)
    const exit = once(threads[0]!, 'exit')
    await first.dispose()
    expect(await second.embedQueries(['c'], never())).toHaveLength(1)
    await second.dispose()
    await exit
  })

  it('and one more for other settings', async () => {
    await e5().embedQueries(['a'], never())
    await e5({ pooling: 'cls' }).embedQueries(['a'], never())
    expect(threads.length).toBe(2)
  })

  it('is freed when nobody uses it, and loaded again when somebody does', async () => {
    const provider = createE5Provider({ ...resolveDense({ offline: true }) as DenseConfig, idleSeconds: 0.05 }, models)
    providers.push(provider)
    await provider.embedQueries(['a'], never())
    await once(threads[0]!, 'exit')
    expect(await provider.embedQueries(['a'], never())).toHaveLength(1)
    expect(threads.length).toBe(2)
  })

  it('is freed while it works, and what it worked on fails', async () => {
    const provider = e5()
    const embedding = expect(provider.embedQueries(['a'], never())).rejects.toThrow('the dense channel was unloaded')
    await nextTick()
    const exit = once(threads[0]!, 'exit')
    await provider.dispose()
    await Promise.all([embedding, exit])
    await expect(provider.embedQueries(['a'], never())).rejects.toThrow('the dense channel was unloaded')
  })

  it('drops what was aborted, and answers the others', async () => {
    const provider = e5()
    const stop = new AbortController()
    const running = expect(provider.embedQueries(['a'], stop.signal)).rejects.toThrow('enough')
    const waiting = expect(provider.embedQueries(['b'], stop.signal)).rejects.toThrow('enough')
    const other = provider.embedQueries(['c'], never())
    stop.abort(new Error('enough'))
    await Promise.all([running, waiting])
    expect(await other).toHaveLength(1)
  })
})

describe('a model that can not be used', () => {
  it('starts again after a crash, and no more after the third', async () => {
    const provider = e5()
    await provider.embedQueries(['a'], never())
    for (const crash of [1, 2, 3]) {
      const lost = provider.embedQueries(['b'], never()).catch((error: unknown) => error)
      await threads.at(-1)!.terminate()
      const error = await lost
      expect(error).toMatchObject({ permanent: crash === 3, message: expect.stringMatching(/^the model's thread ended by itself/) as string })
      if (crash < 3) expect(await provider.embedQueries(['c'], never())).toHaveLength(1)
    }
    await expect(provider.embedQueries(['d'], never())).rejects.toThrow(/after 3 times it is not started again until the plugin is reloaded/)
    expect(threads.length).toBe(3)
  })

  it.each<[string, Partial<DenseConfig>, RegExp]>([
    ['no weights', { model: 'Xenova/other-e5' }, /^model "Xenova\/other-e5" with dtype "q8" is not in .*; put it there, or set dense.offline: false once to download it$/],
    ['no weights of this format', { dtype: 'fp16' }, /^model ".*" with dtype "fp16" is not in /],
  ])('says so: %s', async (_what, change, message) => {
    await expect(e5(change).embedQueries(['a'], never())).rejects.toMatchObject({ permanent: true, message: expect.stringMatching(message) as string })
  })

  it('says so: damaged weights', async () => {
    await cp(join(models, 'Xenova'), join(models, 'Damaged'), { recursive: true })
    await writeFile(join(models, 'Damaged', 'multilingual-e5-small', 'onnx', 'model_quantized.onnx'), 'not a model')
    await expect(e5({ model: 'Damaged/multilingual-e5-small' }).embedQueries(['a'], never()))
      .rejects.toThrow(/^model "Damaged\/multilingual-e5-small" could not be loaded \(/)
  })

  it('says so: no package', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'no-package-'))
    await cp(join(ROOT, 'src'), join(folder, 'src'), { recursive: true })
    const script = `
      import { createE5Provider } from ${JSON.stringify(join(folder, 'src/embedding/e5.ts'))}
      import { resolveDense } from ${JSON.stringify(join(folder, 'src/dense-config.ts'))}
      const provider = createE5Provider(resolveDense({ offline: true }), ${JSON.stringify(models)})
      const told = await provider.embedQueries(['a'], new AbortController().signal).then(vectors => 'vectors: ' + vectors.length, error => error.message)
      await provider.dispose()
      console.log(told)`
    const run = async () => promisify(execFile)(process.execPath, ['--no-warnings', '--input-type=module', '--eval', script])
    const without = await run()
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    const withPackage = await run()
    await rm(folder, { recursive: true })
    expect(without.stdout).toBe('the package @huggingface/transformers is not installed; add version 4 of it beside this plugin, '
      + 'use dense.provider "http", or set dense: false\n')
    expect(withPackage).toEqual({ stdout: 'vectors: 1\n', stderr: '' })
  })
})

const REAL_MODELS = process.env['DSH_TOOL_RETRIEVER_MODELS']

describe.skipIf(REAL_MODELS === undefined)('real weights, in the folder that DSH_TOOL_RETRIEVER_MODELS names', () => {
  it('are near to what means the same, in other words and in other languages', async () => {
    const provider = createE5Provider(resolveDense({ offline: true }) as DenseConfig, REAL_MODELS!)
    providers.push(provider)
    const tools: Float32Array[] = []
    await provider.embedDocuments(
      ['get forecast. Get the weather forecast of a city.', 'create issue. Report a bug in a repository.', 'send mail. Send a message to a person.'],
      never(),
      (_from, vectors) => tools.push(...vectors),
    )
    const queries = await provider.embedQueries(['will it rain tomorrow?', '明天会下雨吗？', 'morgen Regen?', 'something is broken in the code', '代码有错误'], never())
    const best = queries.map(query => tools.map(tool => dot(query, tool))).map(cosines => cosines.indexOf(Math.max(...cosines)))
    expect(best).toEqual([0, 0, 0, 1, 1])
  })
})
