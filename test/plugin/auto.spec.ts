import type { Context } from '@deepseek-ai/cordis'
import { afterEach, describe, expect, it } from 'vitest'
import { isInjectionCheaper, pricingOf, tokensBehind } from '../../src/surface/economics.ts'
import * as plugin from '../../src/index.ts'
import { boot, call, lastText, program, text, tool, toolNames } from '../support/harness.ts'
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

  it('is the default, under which a catalogue as small as this is simply shown, and a large one is not', async () => {
    for (const size of [20, 200]) {
      const tools = Array.from({ length: size }, (_, at) => tool(`mcp__big__t${at}`, { description: 'Does one thing, and says at length what it is. '.repeat(10) }))
      harness = await boot({ plugin, tools: [...TOOLS, ...tools], script: [text('a')] })
      await (await harness.createAgent()).say('go')
      expect(toolNames(harness.requests[0]!)).toEqual(size === 20 ? [...TOOLS, ...tools].map(({ name }) => name).sort() : SURFACE)
      if (size === 20) await harness.dispose()
    }
  })

  it('in Code Mode shows, hides and hands over by the same rules, and a search once shown stays', async () => {
    const connects = { name: 'connects', inject: ['tools'], apply(ctx: Context) { ctx.tools.register(tool('mcp__big__one', { description: 'x'.repeat(8_000) })) } }
    const declared = (request: number) => ['bash', FORECAST, 'tool_search', 'tool_dispatch'].filter(name => new RegExp(`^  ${name}: `, 'm').test(harness.requests[request]!.system!))
    harness = await bootPlugin({
      mode: 'code', config: auto({ inertTokens: 1_000 }), prompt: { persona: 'You are careful. '.repeat(200) },
      script: [text('a'), program(`const { results } = await tools.tool_search({ query: 'select:${FORECAST}' }); return results[0].status`), text('b'), text('c')],
    })
    const agent = await harness.createAgent()
    await agent.say('small')
    expect(declared(0)).toEqual(['bash', FORECAST])
    const connected = await harness.load(connects)
    await agent.say('large')
    expect(declared(1)).toEqual(['bash', 'tool_search', 'tool_dispatch'])
    expect(lastText(harness.requests[2]!)).toBe('ready')
    await connected.dispose()
    await agent.say('small again')
    expect(harness.requests[3]!.system).toBe(harness.requests[1]!.system)
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

  it('the price ratio is that of the agent\'s model, unless prices are configured', async () => {
    const delivered: string[] = []
    for (const [model, pricing] of [['gpt-4o', undefined], ['deepseek-chat', undefined], ['unheard-of', undefined], ['gpt-4o', { cacheMiss: 50 }]] as const) {
      harness = await bootPlugin({ config: auto({ ...pricing !== undefined && { pricing } }), script: [call('tool_search', { query: `select:${FORECAST}` }), text('a')] })
      await (await harness.createAgent({ agentOptions: { provider: 'scripted', model } })).say('Is it going to rain in Oslo tomorrow, or can we go out?')
      delivered.push(/\((loaded|ready)\)/.exec(lastText(harness.requests[1]!))![1]!)
      await harness.dispose()
    }
    harness = await bootPlugin()
    expect(delivered).toEqual(['loaded', 'ready', 'ready', 'ready'])
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

describe('prices', () => {
  it('are those that were configured, else those of the model\'s family, else DeepSeek\'s', () => {
    const byRoute = { cacheHit: 1, cacheMiss: 0 }
    const ratioOf = (provider: string, model: string) => pricingOf(byRoute, { provider, model }).cacheMiss
    expect([ratioOf('deepseek', 'deepseek-chat'), ratioOf('anthropic', 'claude-sonnet-4-5'), ratioOf('openai', 'gpt-4.1-mini'), ratioOf('openai', 'gpt-4o'),
      ratioOf('openai', 'gpt-5'), ratioOf('mine', 'unheard-of')]).toEqual([50, 10, 4, 2, 10, 50])
    expect(pricingOf(byRoute, undefined)).toEqual({ cacheHit: 1, cacheMiss: 50 })
    expect(pricingOf({ cacheHit: 2, cacheMiss: 3 }, { provider: 'deepseek', model: 'deepseek-chat' })).toEqual({ cacheHit: 2, cacheMiss: 3 })
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
