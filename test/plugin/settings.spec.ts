/** The settings namespace, on DSH's own file-backed settings service. */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import FileSettingsProvider from '@deepseek-ai/dsh-settings-file'
import type { SettingsNamespace } from '@deepseek-ai/dsh-settings'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SETTINGS_NAMESPACE } from '../../src/settings.ts'
import type { SearchValue } from '../../src/tools/contract.ts'
import { startEmbeddingsServer } from '../support/embeddings-server.ts'
import { call, lastText, text, toolBytes, toolNames } from '../support/harness.ts'
import type { BootOptions, Harness, TestAgent } from '../support/harness.ts'
import { keepLog } from '../support/log.ts'
import type { LogLine } from '../support/log.ts'
import { writeTinyE5 } from '../support/tiny-e5.ts'
import { bootPlugin, FORECAST, ISSUE, TOOLS } from './tools.ts'

const NAMESPACE = SETTINGS_NAMESPACE as SettingsNamespace
const SURFACE = ['bash', 'read', 'tool_search']
const ALL = TOOLS.map(({ name }) => name)

let folder: string
let file: string
let harness: Harness

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'settings-'))
  file = join(folder, 'settings.yaml')
})

afterEach(async () => {
  await harness.dispose()
  await rm(folder, { recursive: true })
})

async function bootWithSettings(options: BootOptions = {}): Promise<Harness> {
  return harness = await bootPlugin({ ...options, before: [[FileSettingsProvider, { path: file, watch: false }], ...options.before ?? []] })
}

const set = async (patch: object) => harness.ctx.settings.update(NAMESPACE, patch)
const unset = async (key: string) => harness.ctx.settings.mutate(NAMESPACE, [{ op: 'unset', path: [key] }])
const sent = () => toolNames(harness.requests.at(-1)!)
const valueOf = (agent: TestAgent) =>
  agent.events().findLast(event => event.type === 'tool/result')!.data.meta as unknown as SearchValue

describe('settings', () => {
  it('are what the profile says while nobody has set one', async () => {
    await bootWithSettings({ config: { topK: 5, rewrite: { when: 'never' }, disclosure: { neverSearch: ['x'], preselect: { tools: 2 } } } })
    expect(harness.ctx.settings.get(NAMESPACE)).toEqual({
      topK: 5, mode: 'inject', alwaysVisible: [], neverSearch: ['x'], preselect: 2, rewrite: false, dense: false,
    })
  })

  it('describe each key to a settings page, and when it takes effect', async () => {
    await bootWithSettings()
    const { schema, applies } = harness.ctx.settings.describe().find(({ ns }) => ns === NAMESPACE)!
    expect(applies).toBe('live')
    expect(JSON.stringify(schema)).toContain('off frees it')
  })

  it('are written to the file of the user', async () => {
    await bootWithSettings()
    await set({ topK: 3 })
    expect(await readFile(file, 'utf8')).toBe('tool-retriever:\n  topK: 3\n')
  })

  it('take effect at the next request of agents that live, and go back when unset', async () => {
    await bootWithSettings({ script: [text('a'), text('b'), text('c'), text('d')] })
    const agent = await harness.createAgent()
    await agent.say('go')
    expect(sent()).toEqual(SURFACE)
    await set({ alwaysVisible: ['mcp__weather__*'] })
    await agent.say('go')
    expect(sent()).toEqual([...SURFACE, FORECAST])
    await set({ neverSearch: ['read'] })
    await agent.say('go')
    expect(sent()).toEqual(['bash', 'tool_search', FORECAST])
    await unset('alwaysVisible')
    await unset('neverSearch')
    await agent.say('go')
    expect(sent()).toEqual(['bash', 'tool_search', 'read'])
  })

  it('change the number of results of the next search, and not what was sent', async () => {
    const search = call('tool_search', { query: 'issue' })
    await bootWithSettings({ script: [search, text('a'), search, text('b')] })
    const agent = await harness.createAgent()
    await agent.say('go')
    expect(valueOf(agent).results.length).toBeGreaterThan(1)
    await set({ topK: 1 })
    const before = toolBytes(harness.requests[1]!)
    await agent.say('again')
    expect(valueOf(agent).results).toHaveLength(1)
    expect(toolBytes(harness.requests[2]!)).toEqual(before)
  })

  it('preselect for sessions that have made no request yet', async () => {
    await bootWithSettings({ config: { disclosure: { preselect: { confidence: 0.3 } } }, script: [text('a'), text('b'), text('c')] })
    const [early, late] = [await harness.createAgent(), await harness.createAgent()]
    await early.say('Get the weather forecast of a city')
    expect(sent()).toEqual(SURFACE)
    await set({ preselect: 1 })
    await early.say('Get the weather forecast of a city')
    expect(sent()).toEqual(SURFACE)
    await late.say('Get the weather forecast of a city')
    expect(sent()).toEqual([...SURFACE, FORECAST])
  })

  it('turn rewriting off and on', async () => {
    const search = call('tool_search', { query: 'atmospheric outlook somewhere' })
    await bootWithSettings({ config: { rewrite: { when: 'always', minCatalogSize: 0 } }, script: [search, text('a'), search, text('b'), search, text('c')] })
    const agent = await harness.createAgent()
    const reason = async () => {
      await agent.say('go')
      return valueOf(agent).rewrite.reason
    }
    // The scripted model answers what is asked beside a session with nothing: so it was asked.
    expect(await reason()).toBe('invalid-response')
    await set({ rewrite: false })
    expect(await reason()).toBe('disabled')
    await unset('rewrite')
    expect(await reason()).toBe('invalid-response')
  })

  it('work as composed in a profile without settings, and again when the service has gone', async () => {
    harness = await bootPlugin({ script: [text('a'), text('b'), text('c')] })
    const agent = await harness.createAgent()
    await agent.say('go')
    expect(sent()).toEqual(SURFACE)
    const service = await harness.load(FileSettingsProvider, { path: file, watch: false })
    await set({ mode: 'off' })
    await agent.say('go')
    expect([...sent()].sort()).toEqual([...ALL, 'tool_search'].sort())
    await service.dispose()
    await agent.say('go')
    expect(sent()).toEqual(SURFACE)
  })
})

describe('a bad setting is refused at the write, with the rule', () => {
  it.each([
    [{ topK: 0 }, 'setting "topK" is 0; it must be from 1 to 50.'],
    [{ topK: '8' }, 'setting "topK" is "8"; it must be an integer from 1 to 50.'],
    [{ topK: null }, 'setting "topK" is null; it must be an integer from 1 to 50.'],
    [{ mode: 'hide' }, 'setting "mode" is "hide"; it must be one of "auto", "inject", "dispatch", "off".'],
    [{ alwaysVisible: 'bash' }, 'setting "alwaysVisible" is "bash"; it must be an array.'],
    [{ neverSearch: [''] }, 'setting "neverSearch.0" is empty; write a name or remove it.'],
    [{ preselect: 21 }, 'setting "preselect" is 21; it must be from 0 to 20.'],
    [{ rewrite: 'yes' }, 'setting "rewrite" is "yes"; it must be a boolean.'],
    [{ dense: { provider: 'e5' } }, 'setting "dense" is {"provider":"e5"}; it must be a boolean.'],
    [{ topk: 8 }, 'setting "topk" is unknown; known here: topK, mode, alwaysVisible, neverSearch, preselect, rewrite, dense. Remove it or correct its name.'],
  ])('%j', async (patch, message) => {
    await bootWithSettings({ script: [text('a')] })
    await expect(set(patch)).rejects.toThrow(`dsh-tool-retriever: ${message}`)
    await expect(readFile(file, 'utf8')).rejects.toThrow('ENOENT')
    await (await harness.createAgent()).say('go')
    expect(sent()).toEqual(SURFACE)
  })

  it('in the file leaves everything as composed, says so, and can be mended', async () => {
    await writeFile(file, 'tool-retriever:\n  topK: 0\n  mode: off\n')
    const log: LogLine[] = []
    await bootWithSettings({ script: [text('a'), text('b')], before: [[keepLog(log)]] })
    const agent = await harness.createAgent()
    await agent.say('go')
    expect(sent()).toEqual(SURFACE)
    expect(log.filter(({ type }) => type === 'error')).toEqual([{
      type: 'error', text: 'dsh-tool-retriever: setting "topK" is 0; it must be from 1 to 50. Until then all settings stay as they were.',
    }])
    await expect(set({ mode: 'auto' })).rejects.toThrow('setting "topK" is 0')
    await set({ topK: 4, mode: 'off' })
    await agent.say('go')
    expect(sent()).toContain(FORECAST)
  })
})

describe('a change of the mode keeps what is loaded', () => {
  const load = call('tool_search', { query: `select:${FORECAST}` })

  it('from inject to dispatch and back: the list only grows by the dispatch', async () => {
    await bootWithSettings({
      script: [load, text('a'), call(FORECAST, { q: 'Oslo' }), call('tool_dispatch', { name: ISSUE, arguments: { title: 't' } }), text('b'), text('c')],
    })
    const agent = await harness.createAgent()
    await agent.say('go')
    expect(sent()).toEqual([...SURFACE, FORECAST])
    const before = toolBytes(harness.requests[1]!)
    await set({ mode: 'dispatch' })
    await agent.say('go')
    expect(toolNames(harness.requests[2]!)).toEqual([...SURFACE, FORECAST, 'tool_dispatch'])
    expect(toolBytes(harness.requests[2]!).slice(0, 4)).toEqual(before)
    expect(lastText(harness.requests[3]!)).toBe(`${FORECAST}({"q":"Oslo"})`)
    expect(lastText(harness.requests[4]!)).toBe(`${ISSUE}({"title":"t"})`)
    await set({ mode: 'inject' })
    await agent.say('go')
    expect(sent()).toEqual([...SURFACE, FORECAST, ISSUE])
  })

  it('from dispatch to inject: what was shown in a result is in the list', async () => {
    await bootWithSettings({ config: { disclosure: { mode: 'dispatch' } }, script: [load, text('a'), text('b'), text('c')] })
    const agent = await harness.createAgent()
    await agent.say('go')
    expect(sent()).toEqual([...SURFACE, 'tool_dispatch'])
    await set({ mode: 'inject' })
    await agent.say('go')
    expect(sent()).toEqual([...SURFACE, FORECAST])
    await set({ mode: 'auto' })
    await agent.say('go')
    expect(sent()).toEqual([...SURFACE, FORECAST, 'tool_dispatch'])
  })

  it('to off and back: everything is shown in between, and nothing of it stays', async () => {
    await bootWithSettings({ script: [load, text('a'), text('b'), text('c')] })
    const agent = await harness.createAgent()
    await agent.say('go')
    await set({ mode: 'off' })
    await agent.say('go')
    expect(sent().slice(0, 4)).toEqual([...SURFACE, FORECAST])
    expect([...sent()].sort()).toEqual([...ALL, 'tool_search'].sort())
    await unset('mode')
    await agent.say('go')
    expect(sent()).toEqual([...SURFACE, FORECAST])
  })

  it('from off, which is not a choice of every tool', async () => {
    await bootWithSettings({ config: { disclosure: { mode: 'off' } }, script: [text('a'), text('b')] })
    const agent = await harness.createAgent()
    await agent.say('go')
    expect(sent()).toEqual([...ALL].sort().concat('tool_search'))
    await set({ mode: 'inject' })
    await agent.say('go')
    expect(sent()).toEqual(SURFACE)
  })

  it('and a resumed session has the same as the live one', async () => {
    await bootWithSettings({ persistence: join(folder, 'sessions'), script: [load, text('a'), text('b'), text('c'), text('d')] })
    const agent = await harness.createAgent()
    await agent.say('go')
    await set({ alwaysVisible: [ISSUE] })
    await agent.say('go')
    expect(sent()).toEqual([...SURFACE, FORECAST, ISSUE])
    await unset('alwaysVisible')
    await agent.say('go')
    expect(sent()).toEqual([...SURFACE, FORECAST])
    const resumed = await harness.resume(await harness.park(agent))
    await resumed.say('go')
    expect(sent()).toEqual([...SURFACE, FORECAST])
  })
})

describe('embeddings', () => {
  const search = call('tool_search', { query: 'weather' })

  it('begin when they are turned on, and stop when they are turned off', async () => {
    const waiting: ServerResponse[] = []
    await using server = await startEmbeddingsServer((_body, response) => { waiting.push(response) })
    await bootWithSettings({
      config: { dense: { provider: 'http', url: server.url, model: 'live', cacheDir: folder } }, script: [text('a'), text('b'), search, text('c')],
    })
    await set({ dense: false })
    const agent = await harness.createAgent()
    await agent.say('hi')
    await new Promise((resolve) => { setTimeout(resolve, 50) })
    expect(server.requests).toEqual([])
    await unset('dense')
    await agent.say('hi')
    await expect.poll(() => waiting.length).toBeGreaterThan(0)
    const asked = server.requests.length
    await set({ dense: false })
    await expect.poll(() => waiting.every(response => response.destroyed)).toBe(true)
    await agent.say('hi')
    expect(server.requests).toHaveLength(asked)
    expect(valueOf(agent).unanswered).toEqual([])
  })

  it('of the local model free its thread when they are turned off', async () => {
    writeTinyE5(folder)
    const threads: Worker[] = []
    const count = (worker: Worker) => { threads.push(worker) }
    process.on('worker', count)
    await bootWithSettings({
      config: { dense: { offline: true, wait: true, timeoutMs: 60_000, cacheDir: folder } }, script: [search, text('a'), search, text('b')],
    })
    const agent = await harness.createAgent()
    await agent.say('go')
    process.off('worker', count)
    expect(valueOf(agent).results[0]!.dense).toBeGreaterThan(0)
    expect(threads).toHaveLength(1)
    const ended = once(threads[0]!, 'exit')
    await set({ dense: false })
    await ended
    await agent.say('go')
    expect(valueOf(agent).unanswered).toEqual([])
    expect(valueOf(agent).results[0]).toMatchObject({ name: FORECAST, dense: 0 })
  })
})
