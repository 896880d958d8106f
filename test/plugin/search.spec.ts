import { afterEach, describe, expect, it } from 'vitest'
import type { SearchValue } from '../../src/tools/contract.ts'
import { call, calls, lastText, shownTool, text, tool, toolBytes, toolNames } from '../support/harness.ts'
import type { Harness } from '../support/harness.ts'
import { bootPlugin, FORECAST, ISSUE, TOOLS } from './tools.ts'

let harness: Harness

afterEach(async () => { await harness.dispose() })

async function search(args: unknown, options = {}): Promise<string> {
  harness = await bootPlugin({ script: [call('tool_search', args), text('done')], ...options })
  await (await harness.createAgent()).say('go')
  return lastText(harness.requests[1]!)
}

describe('an agent', () => {
  it('finds a tool it could not see, is shown its schema in the next request, and calls it', async () => {
    harness = await bootPlugin({
      script: [call('tool_search', { query: 'open a new issue' }), call(ISSUE, { title: 'Bug' }), text('done')],
    })
    const agent = await harness.createAgent()
    await agent.say('Report the bug')

    const [first, second, third] = harness.requests
    expect(toolNames(first!)).toEqual(['bash', 'read', 'tool_search'])
    expect(toolNames(second!).slice(0, 3)).toEqual(['bash', 'read', 'tool_search'])
    expect(shownTool(second!, ISSUE)?.parameters).toEqual(TOOLS.find(({ name }) => name === ISSUE)!.parameters)
    expect(lastText(second!).split('\n').slice(0, 2)).toEqual([
      expect.stringMatching(/^Loaded \d+ tools?\. /),
      `1. ${ISSUE} (loaded) - Create a new issue in a GitHub repository.`,
    ])
    expect(lastText(third!)).toBe(`${ISSUE}({"title":"Bug"})`)
    expect(toolBytes(third!)).toEqual(toolBytes(second!))
    expect(toolBytes(second!).slice(0, 3)).toEqual(toolBytes(first!))
  })

  it('keeps the canonical value in the log, without schemas', async () => {
    harness = await bootPlugin({ script: [call('tool_search', { query: 'weather forecast' }), text('done')] })
    const agent = await harness.createAgent()
    await agent.say('go')
    const result = agent.events().find(event => event.type === 'tool/result')!
    const value = result.data.meta as unknown as SearchValue
    expect(value).toMatchObject({
      query: 'weather forecast', catalogSize: 8, rewrite: { status: 'skipped', reason: 'catalog-below-threshold', query: '' },
    })
    expect(value.catalogRevision).toMatch(/^[0-9a-f]{64}$/)
    expect(value.results[0]).toMatchObject({ name: FORECAST, rank: 1, status: 'loaded', exact: 0, dense: 0 })
    expect(value.results[0]!.bm25).toBeGreaterThan(0)
    expect(value.results[0]!.matchedFields).toContain('description')
    expect(value.remainingDeferred).toBe(6 - value.results.length)
    expect(JSON.stringify(value)).not.toContain('"parameters"')
  })

  it('learns what was there before', async () => {
    harness = await bootPlugin({
      script: [call('tool_search', { query: `select:${FORECAST}` }), call('tool_search', { query: `select:${FORECAST},bash` }), text('done')],
    })
    await (await harness.createAgent()).say('go')
    expect(lastText(harness.requests[2]!)).toBe([
      'Nothing new to load. What matches is in your tool list already: call it by name.',
      `1. ${FORECAST} (already available) - Get the weather forecast of a city.`,
      '2. bash (already available) - Run a shell command.',
    ].join('\n'))
    expect(toolBytes(harness.requests[2]!)).toEqual(toolBytes(harness.requests[1]!))
  })

  it('may search several times in one step', async () => {
    harness = await bootPlugin({
      script: [calls([
        { name: 'tool_search', args: { query: `select:${FORECAST}` } },
        { name: 'tool_search', args: { query: `select:${ISSUE}` } },
      ]), text('done')],
    })
    await (await harness.createAgent()).say('go')
    expect(toolNames(harness.requests[1]!)).toEqual(['bash', 'read', 'tool_search', FORECAST, ISSUE])
  })
})

describe('the answer', () => {
  it('to a query that nothing fits loads nothing and says what there is', async () => {
    const answer = await search({ query: 'zxqv wvut' })
    expect(answer.split('\n')[0]).toBe('No tool matches. Nothing was loaded.')
    expect(answer).toContain('Servers that can be searched: github (3), calendar (2), weather (1).')
    expect(toolNames(harness.requests[1]!)).toEqual(['bash', 'read', 'tool_search'])
  })

  it('lists the candidates of a short name that two servers share', async () => {
    const answer = await search({ query: 'select:create_issue' }, { tools: [...TOOLS, tool('mcp__gitlab__create_issue')] })
    expect(answer).toContain('"create_issue" is the short name of 2 tools: mcp__github__create_issue, mcp__gitlab__create_issue.')
    expect(toolNames(harness.requests[1]!)).toEqual(['bash', 'read', 'tool_search'])
  })

  it('names what does not exist and still loads what does', async () => {
    const answer = await search({ query: `select:${FORECAST},no_such_tool` })
    expect(answer).toContain(`1. ${FORECAST} (loaded)`)
    expect(answer).toContain('2. no_such_tool (not available here)')
  })
})

describe('the arguments', () => {
  it('refuse a blank query and say so', async () => {
    expect(await search({ query: '  ' })).toBe('Error: tool_search: "query" is blank; say in a few words what you want to do')
  })

  it('refuse a query over the limit and say so', async () => {
    expect(await search({ query: 'x'.repeat(513) })).toContain('"query" has 513 characters, at most 512 are allowed')
  })

  it('accept a query of exactly the limit', async () => {
    expect(await search({ query: `weather ${'x'.repeat(504)}` })).not.toContain('Error')
  })

  it('clamp a limit that is out of range, since an error would cost the model a round trip', async () => {
    expect((await search({ query: 'create', limit: 0 })).match(/^\d+\. /gm)).toHaveLength(1)
    await harness.dispose()
    const answer = await search({ query: 'create issue event', limit: 999 }, { config: { topK: 2 } })
    expect(answer.match(/^\d+\. /gm)).toHaveLength(2)
  })

  it('refuse a limit that is no integer', async () => {
    expect(await search({ query: 'weather', limit: 1.5 })).toMatch(/^Error: /)
  })
})
