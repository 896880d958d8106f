import { afterEach, describe, expect, it } from 'vitest'
import type { Overview, OverviewTool, Preview } from '../../src/web/protocol.ts'
import { bootPlugin, FORECAST, ISSUE, TOOLS } from '../plugin/tools.ts'
import { call, text, toolBytes, toolNames } from '../support/harness.ts'
import type { BootOptions, Harness, TestAgent } from '../support/harness.ts'
import { webConnection } from '../support/web-connection.ts'

let harness: Harness

afterEach(async () => { await harness.dispose() })

/** Boots with a connection, on whose channel the page's calls arrive. */
async function bootWeb(options: BootOptions = {}) {
  const connection = webConnection()
  harness = await bootPlugin({ before: [[connection.plugin]], ...options })
  return connection
}

const overviewOf = async (connection: Awaited<ReturnType<typeof bootWeb>>, agent: TestAgent) =>
  (await connection.call('overview', { agent: agent.agent.id }) as { overview: Overview }).overview

const states = ({ tools }: Overview) => Object.fromEntries(tools.map(({ name, state }) => [name, state]))

describe('the overview of an agent', () => {
  it('has every registered tool with family, tokens, state and the rule that decides', async () => {
    const connection = await bootWeb({ config: { disclosure: { alwaysVisible: ['mcp__weather__*'], neverSearch: ['mcp__calendar__delete_event'] } } })
    const overview = await overviewOf(connection, await harness.createAgent())
    expect(overview.tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name).sort())
    expect(states(overview)).toMatchObject({
      bash: 'always', [FORECAST]: 'always', [ISSUE]: 'deferred', mcp__calendar__create_event: 'deferred', mcp__calendar__delete_event: 'never',
    })
    const tool = (wanted: string): OverviewTool => overview.tools.find(({ name }) => name === wanted)!
    expect(tool('bash').rule).toEqual({ list: 'coreTools', pattern: 'bash' })
    expect(tool(FORECAST).rule).toEqual({ list: 'alwaysVisible', pattern: 'mcp__weather__*' })
    expect(tool('mcp__calendar__delete_event')).toMatchObject({ family: 'calendar', rule: { list: 'neverSearch', pattern: 'mcp__calendar__delete_event' } })
    expect(tool(ISSUE)).toMatchObject({ family: 'github', description: 'Create a new issue in a GitHub repository.' })
    expect(tool(ISSUE).rule).toBeUndefined()
    expect(tool(ISSUE).tokens).toBeGreaterThan(20)
    expect(overview.totals).toMatchObject({ tools: 8, requests: 0, savedTokens: 0 })
    expect(overview.totals.byState).toEqual({ always: 3, deferred: 4, loaded: 0, never: 1 })
  })

  it('follows what is loaded, and counts what the requests did not carry', async () => {
    const connection = await bootWeb({ script: [call('tool_search', { query: `select:${FORECAST}` }), text('done')] })
    const agent = await harness.createAgent()
    const before = await overviewOf(connection, agent)
    await agent.say('go')
    const after = await overviewOf(connection, agent)
    expect([states(before)[FORECAST], states(after)[FORECAST]]).toEqual(['deferred', 'loaded'])
    const forecast = after.tools.find(({ name }) => name === FORECAST)!
    expect(after.totals.shownTokens - before.totals.shownTokens).toBe(forecast.tokens)
    expect(before.totals.deferredTokens - after.totals.deferredTokens).toBe(forecast.tokens)
    const sent = harness.requests.map(request => toolBytes(request).reduce((sum, bytes) => sum + Math.ceil(bytes.length / 4), 0))
    const all = after.tools.reduce((sum, { tokens }) => sum + tokens, 0)
    expect(after.totals).toMatchObject({ requests: 2, savedTokens: 2 * all - sent[0]! - sent[1]! })
  })

  it('of a fork counts its own requests', async () => {
    const connection = await bootWeb({ script: [text('one'), text('two')] })
    const parent = await harness.createAgent()
    await parent.say('go')
    const fork = await harness.fork(parent)
    expect((await overviewOf(connection, parent)).totals.requests).toBe(1)
    expect((await overviewOf(connection, fork)).totals.requests).toBe(0)
    await fork.say('on')
    expect((await overviewOf(connection, fork)).totals.requests).toBe(1)
  })

  it('in dispatch mode calls a tool loaded when a result has shown its schema', async () => {
    const connection = await bootWeb({ config: { disclosure: { mode: 'dispatch' } }, script: [call('tool_search', { query: `select:${FORECAST}` }), text('done')] })
    const agent = await harness.createAgent()
    const shown = (await overviewOf(connection, agent)).totals.shownTokens
    await agent.say('go')
    const after = await overviewOf(connection, agent)
    expect(states(after)).toMatchObject({ [FORECAST]: 'loaded', [ISSUE]: 'deferred' })
    expect(after.totals.shownTokens).toBe(shown)
  })

  it.each([['off', {}], ['auto', { inertTokens: 18_000 }]])('in mode %s, with nothing hidden, says so', async (mode, more) => {
    const connection = await bootWeb({ config: { disclosure: { mode, neverSearch: [ISSUE], ...more } }, script: [text('done')] })
    const agent = await harness.createAgent()
    await agent.say('go')
    expect(toolNames(harness.requests[0]!)).toContain(FORECAST)
    expect((await overviewOf(connection, agent)).totals.byState).toMatchObject({ deferred: 0, loaded: 0 })
  })
})

describe('the preview of a query', () => {
  const preview = async (connection: Awaited<ReturnType<typeof bootWeb>>, agent: TestAgent, query: string) =>
    await connection.call('preview', { agent: agent.agent.id, query }) as Preview

  it.each(['open a new issue', 'weather forecast 上海', `select:${FORECAST},nonsense_name`, 'status:github', 'qzxv', 'issue'])(
    'of %j is word for word what the agent reads', async (query) => {
      const connection = await bootWeb({ script: [call('tool_search', { query }), text('done')] })
      const agent = await harness.createAgent()
      const { answer } = await preview(connection, agent, query)
      await agent.say('go')
      const result = agent.events().find(event => event.type === 'tool/result')!
      expect(result.data.message.content[0]).toMatchObject({ content: [{ type: 'text', text: answer }] })
    })

  it('says each channel\'s share, the fields and the terms', async () => {
    const connection = await bootWeb()
    const { results, match } = await preview(connection, await harness.createAgent(), '天气预报')
    expect(match).toBe('ranked')
    const [first] = results
    expect(first).toMatchObject({ name: FORECAST, rank: 1, status: 'loaded' })
    expect(first!.shares.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1)
    expect(first!.shares.map(({ channel }) => channel)).toContain('gloss')
    expect(first!.terms).toContainEqual(expect.objectContaining({ channel: 'gloss', via: expect.stringMatching(/weather|forecast/) as string }))
    expect(first!.matchedFields).toContain('description')
  })

  it('loads nothing', async () => {
    const connection = await bootWeb({ script: [text('done')] })
    const agent = await harness.createAgent()
    await preview(connection, agent, 'open a new issue')
    expect(states(await overviewOf(connection, agent))[ISSUE]).toBe('deferred')
    await agent.say('go')
    expect(toolNames(harness.requests[0]!)).not.toContain(ISSUE)
  })

  it('of a blank query is the error that the model would get', async () => {
    const connection = await bootWeb()
    const agent = await harness.createAgent()
    await expect(preview(connection, agent, ' ')).rejects.toThrow('"query" is blank')
    await expect(preview(connection, agent, 'x'.repeat(600))).rejects.toThrow('at most 512')
  })
})

describe('the channel', () => {
  it('serves pages on this machine alone', async () => {
    expect((await bootWeb()).options).toEqual({ authority: 'loopback' })
  })

  it('lists the agents, and sends an overview once', async () => {
    const connection = await bootWeb()
    expect(await connection.call('overview', {})).toEqual({ agents: [], revision: '' })
    const { agent } = await harness.createAgent()
    const first = await connection.call('overview', {}) as { revision: string; overview?: Overview }
    expect(first).toMatchObject({ agents: [{ id: agent.id, title: '', cwd: process.cwd(), isSubagent: false }], agent: agent.id })
    expect(first.overview?.tools).toHaveLength(8)
    expect(await connection.call('overview', { agent: agent.id, revision: first.revision })).not.toHaveProperty('overview')
    harness.ctx.tools.register({ ...TOOLS[0]!, name: 'late' })
    expect(await connection.call('overview', { agent: agent.id, revision: first.revision })).toHaveProperty('overview')
  })

  it.each([['preview', { agent: 'gone', query: 'x' }, 'gone'], ['nothing', {}, 'there is no "nothing"']])('refuses %s %j', async (endpoint, payload, message) => {
    const connection = await bootWeb()
    await expect(connection.call(endpoint, payload)).rejects.toThrow(message)
  })

  it('is gone with the plugin', async () => {
    const connection = await bootWeb()
    expect(connection.isOpen()).toBe(true)
    await harness.pluginFiber!.dispose()
    expect(connection.isOpen()).toBe(false)
  })
})

describe('without a web page', () => {
  it('the plugin says so once and works', async () => {
    harness = await bootPlugin()
    await harness.createAgent()
    await harness.createAgent()
    expect(harness.ctx.logger.buffer.filter(message => JSON.stringify(message).includes('no web page'))).toHaveLength(1)
  })

  it('is not said where there is one', async () => {
    await bootWeb()
    await harness.createAgent()
    expect(harness.ctx.logger.buffer.filter(message => JSON.stringify(message).includes('no web page'))).toEqual([])
  })
})
