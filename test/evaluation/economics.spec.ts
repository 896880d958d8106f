import { describe, expect, it } from 'vitest'
import { coreTools, createCatalog, drawNeeds } from '../../evaluation/economics/catalog.ts'
import { cheapestFixed } from '../../evaluation/economics/grid.ts'
import { createModel } from '../../evaluation/economics/model.ts'
import { autoPolicy, FIXED, FIXED_POLICIES } from '../../evaluation/economics/policy.ts'
import type { Policy } from '../../evaluation/economics/policy.ts'
import { BLOCK_TOKENS, costOf, createPrefixCache } from '../../evaluation/economics/prefix-cache.ts'
import { bootMetered } from '../../evaluation/economics/session.ts'
import type { Meter } from '../../evaluation/economics/session.ts'
import { shareSchemas } from '../../evaluation/economics/shared-schemas.ts'
import { segmentOf, wireTool } from '../../evaluation/economics/tokens.ts'
import type { text } from '../support/harness.ts'
import type { ModelRequest } from '../support/harness.ts'

const segments = (...tokens: readonly (readonly [id: number, tokens: number])[]) => tokens.map(([id, length]) => ({ id, tokens: length }))

describe('the prefix cache', () => {
  it('hits whole blocks of what was sent before, and nothing behind the first difference', () => {
    const cache = createPrefixCache()
    expect(cache.send(segments([1, 100], [2, 100]))).toEqual({ hit: 0, miss: 200 })
    expect(cache.send(segments([1, 100], [2, 100], [3, 50]))).toEqual({ hit: 3 * BLOCK_TOKENS, miss: 250 - 3 * BLOCK_TOKENS })
    expect(cache.send(segments([1, 100], [4, 10], [2, 100], [3, 50]))).toEqual({ hit: BLOCK_TOKENS, miss: 260 - BLOCK_TOKENS })
    expect(cache.send(segments([4, 10], [1, 100]))).toEqual({ hit: 0, miss: 110 })
  })

  it('of a branch knows what was sent before it, and its own', () => {
    const cache = createPrefixCache()
    cache.send(segments([1, 640]))
    const branch = createPrefixCache(cache)
    expect(branch.send(segments([1, 640], [2, 640]))).toEqual({ hit: 640, miss: 640 })
    expect(branch.send(segments([1, 640], [2, 640])).hit).toBe(1_280)
    expect(cache.cached(segments([1, 640], [2, 640]))).toBe(640)
  })

  it('is priced in cached tokens', () => {
    expect(costOf({ hit: 1_000, miss: 10, output: 3 }, { miss: 50, outputToMiss: 2 })).toBe(1_000 + 10 * 50 + 3 * 100)
  })
})

describe('the catalogue', () => {
  it('has tools of one size, all with names of their own', () => {
    const catalog = createCatalog(1_000)
    expect(new Set(catalog.map(({ definition }) => definition.name)).size).toBe(1_000)
    for (const { definition } of catalog) {
      const { tokens } = segmentOf(wireTool(definition))
      expect(tokens).toBeGreaterThan(190)
      expect(tokens).toBeLessThan(280)
    }
  })

  it('stands beside tools of the size of DSH\'s own', () => {
    const sizes = coreTools().map(definition => segmentOf(wireTool(definition)).tokens)
    expect(sizes).toHaveLength(25)
    expect(Math.abs(sizes.reduce((a, b) => a + b) - 6_800)).toBeLessThan(300)
  })

  it('is asked for in words that its names do not have', () => {
    for (const { ask, definition } of drawNeeds(createCatalog(300), 12, 3)) {
      const [, , own] = definition.name.split('__')
      expect(ask).not.toContain(own)
    }
  })

  it('draws the same needs for the same seed, of at most three servers, and no more than there are', () => {
    const catalog = createCatalog(300)
    const needs = drawNeeds(catalog, 12, 3)
    expect(drawNeeds(catalog, 12, 3)).toEqual(needs)
    expect(new Set(needs.map(({ definition }) => definition.name)).size).toBe(12)
    expect(new Set(needs.map(({ server }) => server)).size).toBeLessThanOrEqual(3)
    expect(drawNeeds(createCatalog(10), 12, 3)).toHaveLength(10)
  })
})

describe('the scripted model', () => {
  const request = (tools: readonly string[], said: string): ModelRequest => ({
    provider: 'p', model: 'm', tools: tools.map(name => ({ name, description: '', parameters: {} })),
    messages: [{ role: 'user', content: [{ type: 'text', text: said }] }],
  }) as unknown as ModelRequest
  const step = { tool: 'mcp__a__b', args: { x: 1 }, queries: ['first', 'second'] }
  const calledBy = (chunks: ReturnType<typeof text>) => chunks.flatMap(chunk => chunk.type === 'block-end' && chunk.block.type === 'tool-call'
    ? [[chunk.block.name, JSON.parse(chunk.block.arguments) as unknown]] : [])

  it('calls what is listed, searches for what is not, and reads what it was told by name', () => {
    const model = createModel()
    model.begin([step])
    expect(calledBy(model.answer(request(['mcp__a__b'], 'go')))).toEqual([['mcp__a__b', { x: 1 }]])
    model.begin([step])
    expect(calledBy(model.answer(request([], 'go')))).toEqual([['tool_search', { query: 'first' }]])
    expect(calledBy(model.answer(request([], 'No tool matches.')))).toEqual([['tool_search', { query: 'second' }]])
    expect(calledBy(model.answer(request([], '1. mcp__a__b (listed)')))).toEqual([['tool_search', { query: 'select:mcp__a__b' }]])
    expect(calledBy(model.answer(request([], '1 tool is ready.\n1. mcp__a__b (ready)')))).toEqual([['tool_dispatch', { name: 'mcp__a__b', arguments: { x: 1 } }]])
    expect(calledBy(model.answer(request([], 'done')))).toEqual([])
    expect(model.statistics).toEqual({ searches: 3, repeated: 1, missed: 0 })
  })

  it('says so when it gets nowhere', () => {
    const model = createModel()
    model.begin([step])
    for (let i = 0; i < 4; i++) model.answer(request([], 'No tool matches.'))
    expect(() => model.answer(request([], 'No tool matches.'))).toThrow('"mcp__a__b" can\'t be had')
  })
})

describe('schemas that are shared', () => {
  it('are their own copies while it lasts, and nothing else is', () => {
    const schema = { type: 'object', properties: { a: {} } }
    const other = { type: 'object' }
    const end = shareSchemas([schema])
    expect(structuredClone(schema)).toBe(schema)
    expect(Object.isFrozen(schema.properties)).toBe(true)
    expect(structuredClone(other)).not.toBe(other)
    end()
    expect(structuredClone(schema)).not.toBe(schema)
  })
})

describe('metered sessions of the real agent loop', () => {
  const catalog = createCatalog(100)
  const [first, second] = drawNeeds(catalog, 2, 1)
  const turnOf = ({ definition, ask, again, args }: typeof first & object) =>
    ({ message: `Please ${ask}.`, steps: [{ tool: definition.name, args, queries: [ask, again] }] })

  async function meterOf(policy: Policy): Promise<Meter> {
    const harness = await bootMetered(policy, catalog)
    const session = await harness.start()
    await session.play(turnOf(first!))
    const branch = await session.fork()
    await branch.play(turnOf(second!))
    const meter = branch.meter()
    await harness.dispose()
    return meter
  }

  it('change no tool when dispatching or showing all, and break the cache less when appending than when inserting by name', async () => {
    const all = await meterOf(FIXED_POLICIES.all)
    const dispatch = await meterOf(FIXED_POLICIES.dispatch)
    const inject = await meterOf(FIXED_POLICIES.inject)
    const alphabetical = await meterOf(FIXED_POLICIES.alphabetical)
    expect(all).toMatchObject({ requests: 4, changes: 0 })
    expect(dispatch.changes).toBe(0)
    expect(inject.changes).toBeGreaterThan(0)
    expect(alphabetical.requests).toBe(inject.requests)
    expect(alphabetical.usage.miss).toBeGreaterThan(inject.usage.miss)
    expect(dispatch.usage.miss).toBeLessThan(inject.usage.miss)
    expect(all.usage.hit + all.usage.miss).toBeGreaterThan(dispatch.usage.hit + dispatch.usage.miss)
  })

  it('of mode auto dispatch under DeepSeek\'s prices, inject where caching saves nothing, and hide nothing of a small catalogue', async () => {
    expect((await meterOf(autoPolicy(50, false))).usage).toEqual((await meterOf(FIXED_POLICIES.dispatch)).usage)
    expect((await meterOf(autoPolicy(1, false))).changes).toBeGreaterThan(0)
    const small = createCatalog(10)
    for (const policy of [autoPolicy(50, false), FIXED_POLICIES.all]) {
      const harness = await bootMetered(policy, small)
      const session = await harness.start()
      await session.play({ message: 'go', steps: [{ tool: small[0]!.definition.name, args: small[0]!.args, queries: [] }] })
      expect(session.meter()).toMatchObject({ requests: 2, changes: 0 })
      await harness.dispose()
    }
  })
})

describe('the cheapest fixed policy', () => {
  it('is that of the lowest cost, and never one that decides', () => {
    const costs = { ...Object.fromEntries(FIXED.map(id => [id, 9])), inject: 5, auto: 1, autoPreselect: 1 } as unknown as Parameters<typeof cheapestFixed>[0]['costs']
    expect(cheapestFixed({ size: 10, ratio: 1, used: 1, turns: 1, timing: 'early', costs })).toBe('inject')
  })
})
