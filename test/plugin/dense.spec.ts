import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { SearchValue } from '../../src/tools/contract.ts'
import { sendJson, sendVectors, startEmbeddingsServer } from '../support/embeddings-server.ts'
import { call, lastText, text, toolNames } from '../support/harness.ts'
import type { Harness, TestAgent } from '../support/harness.ts'
import type { Loaded } from '../support/loaded-by-plugin.ts'
import { writeTinyE5 } from '../support/tiny-e5.ts'
import { bootPlugin, FORECAST } from './tools.ts'

let cacheDir: string
let harness: Harness | undefined

beforeAll(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'dense-plugin-'))
  writeTinyE5(cacheDir)
})

afterAll(async () => { await rm(cacheDir, { recursive: true }) })

afterEach(async () => {
  await harness?.dispose()
  harness = undefined
})

const QUERY = 'weather forecast'

/** A session that searches once. */
async function searched(dense: object): Promise<{ agent: TestAgent; value: SearchValue; answer: string }> {
  harness = await bootPlugin({ config: { dense: { cacheDir, ...dense } }, script: [call('tool_search', { query: QUERY }), text('done'), text('done')] })
  const agent = await harness.createAgent()
  await agent.say('go')
  const result = agent.events().find(event => event.type === 'tool/result')!
  return { agent, value: result.data.meta as unknown as SearchValue, answer: lastText(harness.requests[1]!) }
}

describe('the plugin with dense retrieval', () => {
  it('answers with a local model', async () => {
    const { value } = await searched({ offline: true, wait: true, timeoutMs: 60_000 })
    expect(value.unanswered).toEqual([])
    expect(value.results[0]).toMatchObject({ name: FORECAST, dense: expect.any(Number) as number })
    expect(value.results[0]!.dense).toBeGreaterThan(0)
  })

  it('says when tools are still being embedded, to a program and not to the model, which has what it wanted', async () => {
    await using server = await startEmbeddingsServer(() => {})
    const { value, answer } = await searched({ provider: 'http', url: server.url, model: 'never' })
    expect(value.unanswered).toEqual([{ channel: 'dense', state: 'warming', reason: 'warming: 0 of 8 tools are embedded' }])
    expect(answer).toContain(`1. ${FORECAST} (loaded)`)
    expect(answer).not.toContain('warming')
  })

  it('answers without it when it fails, and says what is to mend', async () => {
    await using server = await startEmbeddingsServer((_body, response) => sendJson(response, { error: 'no such model' }, 404))
    const { value, answer } = await searched({ provider: 'http', url: server.url, model: 'unknown', wait: true })
    const reason = expect.stringMatching(/\/v1\/embeddings answered 404: .*no such model.*; check dense.url and dense.model$/) as string
    expect(value.unanswered).toEqual([{ channel: 'dense', state: 'failed', reason }])
    expect(value.results[0]).toMatchObject({ name: FORECAST, dense: 0 })
    expect(answer).toMatch(/^The dense channel did not answer: .*check dense.url and dense.model$/m)
    expect(toolNames(harness!.requests[1]!)).toContain(FORECAST)
  })

  it('embeds tools as soon as an agent has them, before it searches', async () => {
    await using server = await startEmbeddingsServer()
    harness = await bootPlugin({ config: { dense: { cacheDir, provider: 'http', url: server.url, model: 'early' } }, script: [text('hello')] })
    await (await harness.createAgent()).say('hi')
    const texts = ['weather get forecast. Get the weather forecast of a city.', 'weather get forecast: q']
    await expect.poll(() => server.requests.flatMap(({ input }) => input)).toEqual(expect.arrayContaining(texts))
  })

  it('stops embedding when it is unloaded', async () => {
    const waiting: ServerResponse[] = []
    await using server = await startEmbeddingsServer((body, response, index) => {
      // The first request asks who answers.
      if (index === 0) sendVectors(body, response)
      else waiting.push(response)
    })
    await searched({ provider: 'http', url: server.url, model: 'slow', batchSize: 2, concurrency: 2 })
    await expect.poll(() => waiting.length).toBe(2)
    await harness!.pluginFiber!.dispose()
    await expect.poll(() => waiting.every(response => response.destroyed)).toBe(true)
    expect(server.requests.length).toBe(3)
  })
})

describe('the plugin without dense retrieval', () => {
  const script = fileURLToPath(new URL('../support/loaded-by-plugin.ts', import.meta.url))
  const DENSE_MODULE = /\/src\/(?:embedding\/|channels\/dense\.ts)|@huggingface\/transformers|onnxruntime/

  async function loadedBy(config: unknown): Promise<Loaded> {
    const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', script, JSON.stringify(config)], { maxBuffer: 10_000_000 })
    return JSON.parse(stdout) as Loaded
  }

  it.each([[{}], [{ dense: false }]])('loads nothing of it: %j', async (config) => {
    const { modules, threads, libraries, answer } = await loadedBy(config)
    expect(answer).toContain(`1. ${FORECAST} (loaded)`)
    expect(modules.some(url => url.endsWith('/src/retriever.ts'))).toBe(true)
    expect(modules.filter(url => DENSE_MODULE.test(url))).toEqual([])
    expect(libraries.filter(file => /onnxruntime/.test(file))).toEqual([])
    expect(threads).toBe(0)
  })

  it('and the same look at a plugin with it sees everything, in memory too', async () => {
    const [unset, off] = [await loadedBy({}), await loadedBy({ dense: false })]
    const { modules, threads, libraries, memory } = await loadedBy({ dense: { cacheDir, offline: true, wait: true, timeoutMs: 60_000 } })
    expect(modules.filter(url => DENSE_MODULE.test(url)).map(url => url.replace(/^.*\/src\//, ''))).toEqual(expect.arrayContaining([
      'channels/dense.ts', 'embedding/catalog-vectors.ts', 'embedding/e5-model.ts', 'embedding/vector-cache.ts',
    ]))
    expect(libraries.some(file => /onnxruntime/.test(file))).toBe(true)
    expect(threads).toBe(1)
    expect(memory - Math.max(unset.memory, off.memory)).toBeGreaterThan(30e6)
  })
})
