import type { Context } from '@deepseek-ai/cordis'
import { afterEach, describe, expect, it } from 'vitest'
import { isInjectionCheaper, tokensBehind } from '../../src/surface/economics.ts'
import { call, lastText, text, tool, toolNames } from '../support/harness.ts'
import type { Harness } from '../support/harness.ts'
import { bootPlugin, FORECAST, ISSUE, TOOLS } from './tools.ts'

const SURFACE = ['bash', 'read', 'tool_search', 'tool_dispatch']

let harness: Harness

afterEach(async () => { await harness.dispose() })

const auto = (change: object = {}) => ({ disclosure: { mode: 'auto', inertTokens: 0, ...change } })

describe('in auto mode', () => {
  it('a catalogue that is too small to pay for itself is simply shown, and its calls are nobody\'s business', async () => {
    harness = await bootPlugin({ config: auto({ inertTokens: 4_000 }), script: [call(ISSUE, { title: 7 }), text('a')] })
    await (await harness.createAgent()).say('go')
    expect(toolNames(harness.requests[0]!)).toEqual(TOOLS.map(({ name }) => name).sort())
    expect(lastText(harness.requests[1]!)).toBe(`${ISSUE}({"title":7})`)
  })

  it('a search hands over through the dispatch when the history is worth more than the detour', async () => {
    harness = await bootPlugin({ config: auto(), prompt: { persona: 'You are careful. '.repeat(200) }, script: [call('tool_search', { query: `select:${FORECAST}` }), text('a')] })
    await (await harness.createAgent()).say('go')
    expect(toolNames(harness.requests[0]!)).toEqual(SURFACE)
    expect(lastText(harness.requests[1]!)).toContain(`1. ${FORECAST} (ready)`)
    expect(toolNames(harness.requests[1]!)).toEqual(SURFACE)
  })

  it('a search loads where a cached token costs as much as any other', async () => {
    harness = await bootPlugin({ config: auto({ pricing: { cacheHit: 1, cacheMiss: 1 } }), script: [call('tool_search', { query: `select:${FORECAST}` }), text('a')] })
    await (await harness.createAgent()).say('go')
    expect(lastText(harness.requests[1]!)).toContain(`1. ${FORECAST} (loaded)`)
    expect(toolNames(harness.requests[1]!)).toEqual([...SURFACE, FORECAST])
  })

  it('what was dispatched moves into the list when the list changes anyway, and stays there', async () => {
    const connects = { name: 'connects', inject: ['tools'], apply(ctx: Context) { ctx.tools.register(tool('aaa_core')) } }
    harness = await bootPlugin({
      config: auto({ alwaysVisible: ['aaa_core'] }),
      prompt: { persona: 'You are careful. '.repeat(200) },
      script: [
        call('tool_search', { query: `select:${FORECAST},${ISSUE}` }), call('tool_dispatch', { name: FORECAST, arguments: { q: 'x' } }), text('a'), text('b'),
        text('c'), text('d'),
      ],
    })
    const agent = await harness.createAgent()
    await agent.say('go')
    await agent.say('nothing changes')
    expect(toolNames(harness.requests[3]!)).toEqual(SURFACE)
    const connected = await harness.load(connects)
    await agent.say('one more')
    expect(toolNames(harness.requests[4]!)).toEqual([...SURFACE, 'aaa_core', FORECAST])
    await connected.dispose()
    await agent.say('one less')
    expect(toolNames(harness.requests[5]!)).toEqual([...SURFACE, FORECAST])
  })
})

describe('what stands behind the tools', () => {
  it('is a share of what the provider counted, and an estimate where it counted nothing or too little', () => {
    expect(tokensBehind(2_000, 6_000, 8_000)).toBe(2_000)
    expect(tokensBehind(2_000, 6_000, 0)).toBe(500)
    expect(tokensBehind(2_000, 6_000, 10)).toBe(500)
  })

  it('does not vanish when tools take fewer tokens than their characters suggest', () => {
    // 37,000 characters of tools counted as 6,700 tokens, with 1,100 tokens behind them: an estimate of the tools alone would exceed both.
    expect(isInjectionCheaper(tokensBehind(5_500, 37_000, 7_800), { cacheHit: 1, cacheMiss: 50 })).toBe(false)
  })
})

describe('injection', () => {
  it('is cheaper while little stands behind the tools, or where caching saves nothing', () => {
    const deepseek = { cacheHit: 1, cacheMiss: 50 }
    expect(isInjectionCheaper(50, deepseek)).toBe(true)
    expect(isInjectionCheaper(2_000, deepseek)).toBe(false)
    expect(isInjectionCheaper(2_000, { cacheHit: 1, cacheMiss: 1 })).toBe(true)
  })
})
