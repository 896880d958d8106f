import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from '@deepseek-ai/cordis'
import { BasicCompactionEngine } from '@deepseek-ai/dsh-compaction-basic'
import TokenMeter from '@deepseek-ai/dsh-token-meter'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { PROVIDER_CACHE_MS } from '../../src/selection/free-moment.ts'
import { call, lastText, text, toolBytes, toolNames } from '../support/harness.ts'
import type { Harness, Script, TestAgent } from '../support/harness.ts'
import { bootPlugin, FORECAST, ISSUE } from './tools.ts'

const SURFACE = ['bash', 'read', 'tool_search']
const EVENT = 'mcp__calendar__create_event'

/** Long enough that a summary is shorter. */
const LONG = 'Tell me more. '.repeat(400)

let harness: Harness

afterEach(async () => {
  await harness.dispose()
  vi.useRealTimers()
})

const select = (...names: string[]) => call('tool_search', { query: `select:${names.join(',')}` })
const dispatch = (name: string) => call('tool_dispatch', { name, arguments: { q: 'x' } })

/** Mode `auto` for a catalogue as small as this, where the history is worth more than a detour. */
const AUTO = { mode: 'auto', inertTokens: 0 }
const CAREFUL = { persona: 'You are careful. '.repeat(200) }

/** Boots with DSH's own compaction. */
async function bootCompacting(disclosure: object, script: Script, prompt = {}): Promise<TestAgent> {
  const before = [[TokenMeter], [BasicCompactionEngine, { auto: false, retainTokens: 1 }]] as const
  harness = await bootPlugin({ before, config: { disclosure }, script, prompt })
  return harness.createAgent()
}

async function compact({ agent }: TestAgent): Promise<void> {
  const result = await harness.ctx.compaction.compactNow(agent, new AbortController().signal)
  expect(result).not.toBeNull()
}

const asked = (): string[][] => harness.requests.map(toolNames)

describe('a compaction by DSH', () => {
  it.each([
    ['keep', [FORECAST, ISSUE]],
    ['used', [FORECAST]],
    ['drop', []],
  ])('%s', async (compaction, kept) => {
    const agent = await bootCompacting({ compaction }, [select(FORECAST, ISSUE), call(FORECAST, { q: 'Oslo' }), text('a'), text('summary'), text('b')])
    await agent.say(LONG)
    await compact(agent)
    await agent.say('and now?')
    expect(toolNames(harness.requests.at(-1)!)).toEqual([...SURFACE, ...kept])
  })

  it('is when a budget takes the least recently called away, and the next search says which', async () => {
    const agent = await bootCompacting({ budget: { maxTools: 2 } }, [
      select(FORECAST, ISSUE, EVENT), call(FORECAST, { q: 'Oslo' }), text('a'), call(ISSUE, { title: 'Bug' }), text('b'),
      text('summary'), call('tool_search', { query: 'select:mcp__calendar__delete_event' }), text('c'),
    ])
    await agent.say(LONG)
    await agent.say(LONG)
    // Over the budget, and nothing is taken away while the prefix holds.
    expect(asked().slice(1).every(names => names.length === SURFACE.length + 3)).toBe(true)
    await compact(agent)
    await agent.say('and now?')
    const [shown, after] = harness.requests.slice(-2)
    expect(toolNames(shown!)).toEqual([...SURFACE, FORECAST, ISSUE])
    expect(lastText(after!)).toContain(`No longer loaded, search again when needed: ${EVENT}.`)
  })

  it.each([
    ['maxTokens', { maxTokens: 60 }, [FORECAST]],
    ['idleTurns', { idleTurns: 1 }, [FORECAST]],
    ['no bound', {}, [FORECAST, ISSUE]],
  ])('applies a budget of %s', async (_what, budget, kept) => {
    const agent = await bootCompacting({ budget }, [
      select(FORECAST, ISSUE), call(ISSUE, { title: 'Bug' }), text('a'), text('b'), call(FORECAST, { q: 'Oslo' }), text('c'), text('summary'), text('d'),
    ])
    for (const message of [LONG, 'and?', 'Oslo?']) await agent.say(message)
    expect(toolNames(harness.requests.at(-1)!)).toEqual([...SURFACE, FORECAST, ISSUE])
    await compact(agent)
    await agent.say('and now?')
    expect(toolNames(harness.requests.at(-1)!)).toEqual([...SURFACE, ...kept])
  })

  it('in mode auto moves what was dispatched into the list, and what was only found stays where it is', async () => {
    const agent = await bootCompacting(AUTO, [select(FORECAST), select(EVENT), dispatch(FORECAST), text('a'), text('summary'), text('b'), call(FORECAST, { q: 'x' }), text('c')], CAREFUL)
    await agent.say(LONG)
    expect(new Set(asked().map(names => names.join())).size).toBe(1)
    await compact(agent)
    await agent.say('and now?')
    await agent.say('native')
    const [first] = asked()
    expect(asked().slice(-3)).toEqual(Array.from({ length: 3 }, () => [...first!, FORECAST]))
    expect(lastText(harness.requests.at(-1)!)).toBe(`${FORECAST}({"q":"x"})`)
  })
})

describe('a resume', () => {
  it.each([
    ['after the provider has forgotten the prefix moves what was dispatched into the list', PROVIDER_CACHE_MS + 60_000, [FORECAST]],
    ['before that changes nothing', PROVIDER_CACHE_MS - 60_000, []],
  ])('%s', async (_what, later, added) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const root = mkdtempSync(join(tmpdir(), 'dsh-tool-retriever-'))
    const options = { persistence: root, config: { disclosure: AUTO }, prompt: CAREFUL }
    try {
      harness = await bootPlugin({ ...options, script: [select(FORECAST), dispatch(FORECAST), text('a')] })
      const agent = await harness.createAgent()
      await agent.say('go')
      const before = harness.requests.at(-1)!
      const id = await harness.park(agent)
      await harness.dispose()
      vi.setSystemTime(Date.now() + later)
      harness = await bootPlugin({ ...options, script: [text('b')] })
      await (await harness.resume(id)).say('again')
      expect(toolNames(harness.requests[0]!)).toEqual([...toolNames(before), ...added])
      expect(toolBytes(harness.requests[0]!).slice(0, before.tools!.length)).toEqual(toolBytes(before))
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  })
})

describe('another model', () => {
  it('has the same tools: the selection is the agent\'s', async () => {
    let model = 'first'
    const switches = { name: 'switches', apply(ctx: Context) { ctx.on('agent/request', async (_payload, next) => ({ ...await next(), model })) } }
    harness = await bootPlugin({ before: [[switches]], script: [select(FORECAST), text('a'), text('b')] })
    const agent = await harness.createAgent()
    await agent.say('go')
    model = 'second'
    await agent.say('again')
    expect(harness.requests.map(request => request.model)).toEqual(['first', 'first', 'second'])
    expect(toolBytes(harness.requests[2]!)).toEqual(toolBytes(harness.requests[1]!))
  })
})

describe('a conversation that is cleared', () => {
  it('goes on in a new session, which starts with nothing loaded', async () => {
    harness = await bootPlugin({ script: [select(FORECAST), text('a'), text('b')] })
    const agent = await harness.createAgent()
    await agent.say('go')
    await agent.dispose()
    await (await harness.createAgent()).say('from the beginning')
    expect(asked()).toEqual([SURFACE, [...SURFACE, FORECAST], SURFACE])
  })
})
