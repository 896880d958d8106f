import { afterEach, describe, expect, it } from 'vitest'
import { call, lastText, text, tool, toolBytes, toolNames } from '../support/harness.ts'
import type { Harness } from '../support/harness.ts'
import { bootPlugin, FORECAST, TOOLS } from './tools.ts'

const SURFACE = ['bash', 'read', 'tool_search']

let harness: Harness

afterEach(async () => { await harness.dispose() })

describe('a family', () => {
  it('comes along with a hit when configured so, and not otherwise', async () => {
    for (const expand of ['tool', 'family'] as const) {
      harness = await bootPlugin({ config: { disclosure: { expand } }, script: [call('tool_search', { query: 'select:mcp__github__create_issue' }), text('a')] })
      await (await harness.createAgent()).say('go')
      expect(toolNames(harness.requests[1]!)).toEqual([...SURFACE, 'mcp__github__create_issue',
        ...expand === 'family' ? ['mcp__github__list_issues', 'mcp__github__merge_pull_request'] : []])
      if (expand === 'tool') await harness.dispose()
    }
  })

  it('is unlocked with a hit in dispatch mode, and only its own tools are', async () => {
    for (const expand of ['tool', 'family'] as const) {
      harness = await bootPlugin({
        config: { disclosure: { mode: 'dispatch', expand, dispatch: { requireDiscovery: true } } },
        script: [
          call('tool_search', { query: 'select:mcp__github__create_issue' }), call('tool_dispatch', { name: 'mcp__github__list_issues', arguments: { q: 'x' } }),
          call('tool_dispatch', { name: FORECAST, arguments: { q: 'x' } }), text('a'),
        ],
      })
      await (await harness.createAgent()).say('go')
      expect(lastText(harness.requests[2]!)).toMatch(expand === 'family' ? /^mcp__github__list_issues\(/ : /was not searched for/)
      expect(lastText(harness.requests[3]!)).toMatch(/was not searched for/)
      if (expand === 'tool') await harness.dispose()
    }
  })

  it('may be a prefix that tools share, unless it is a verb that any tool may have', async () => {
    const named = (...names: string[]) => names.map(name => tool(name, { description: `The ${name.replace('_', ' ')} of it.` }))
    const tools = [tool('bash'), ...named('zoo_map', 'zoo_ticket', 'zoo_menu', 'get_balance', 'get_parcel', 'get_recipe')]
    for (const [name, found] of [['zoo_map', ['zoo_map', 'zoo_menu', 'zoo_ticket']], ['get_parcel', ['get_parcel']]] as const) {
      harness = await bootPlugin({ tools, config: { disclosure: { expand: 'family' } }, script: [call('tool_search', { query: `select:${name}` }), text('a')] })
      await (await harness.createAgent()).say('go')
      expect(toolNames(harness.requests[1]!).slice(2).sort()).toEqual(found)
      if (name === 'zoo_map') await harness.dispose()
    }
  })

  it('may be configured, with aliases and exceptions, and then decides instead of the server', async () => {
    const families = [{ id: 'planning', aliases: ['agenda'], include: ['mcp__calendar__*', FORECAST], exclude: ['*delete*'] }]
    for (const [query, found] of [['server:agenda weather', ['mcp__calendar__create_event', FORECAST]], ['select:mcp__github__list_issues', ['mcp__github__create_issue', 'mcp__github__list_issues', 'mcp__github__merge_pull_request']]] as const) {
      harness = await bootPlugin({ config: { families, disclosure: { expand: 'family' } }, script: [call('tool_search', { query }), text('a')] })
      await (await harness.createAgent()).say('go')
      expect(toolNames(harness.requests[1]!).slice(SURFACE.length).sort()).toEqual(found)
      if (query.startsWith('server:')) await harness.dispose()
    }
  })
})

describe('a skill', () => {
  const skills = { 'release-notes': ['family:github', FORECAST] }
  const skill = tool('skill', { parameters: { type: 'object', properties: { name: { type: 'string' } } }, run: () => 'How to write release notes.' })

  it('brings the tools that are bound to it', async () => {
    harness = await bootPlugin({ tools: [...TOOLS, skill], config: { disclosure: { skills } }, script: [call('skill', { name: 'release-notes' }), text('a')] })
    await (await harness.createAgent()).say('go')
    expect(toolNames(harness.requests[1]!).sort()).toEqual([...SURFACE, 'skill', 'mcp__github__create_issue', 'mcp__github__list_issues',
      'mcp__github__merge_pull_request', FORECAST].sort())
  })

  it('unlocks them in dispatch mode', async () => {
    for (const name of ['release-notes', 'other']) {
      harness = await bootPlugin({
        tools: [...TOOLS, skill],
        config: { disclosure: { mode: 'dispatch', skills, dispatch: { requireDiscovery: true } } },
        script: [call('skill', { name }), call('tool_dispatch', { name: FORECAST, arguments: { q: 'x' } }), text('a')],
      })
      await (await harness.createAgent()).say('go')
      expect(lastText(harness.requests[2]!)).toMatch(name === 'other' ? /was not searched for/ : /^mcp__weather__get_forecast\(/)
      expect(toolBytes(harness.requests[1]!)).toEqual(toolBytes(harness.requests[0]!))
      if (name !== 'other') await harness.dispose()
    }
  })

  it('brings nothing when it failed, or when it is another one', async () => {
    const failing = tool('skill', { run: () => { throw new Error('no such skill') } })
    harness = await bootPlugin({ tools: [...TOOLS, failing], config: { disclosure: { skills } }, script: [call('skill', { name: 'release-notes' }), text('a')] })
    await (await harness.createAgent()).say('go')
    expect(toolNames(harness.requests[1]!).sort()).toEqual([...SURFACE, 'skill'].sort())
    await harness.dispose()
    harness = await bootPlugin({ tools: [...TOOLS, skill], config: { disclosure: { skills } }, script: [call('skill', { name: 'other' }), text('a')] })
    await (await harness.createAgent()).say('go')
    expect(toolNames(harness.requests[1]!).sort()).toEqual([...SURFACE, 'skill'].sort())
  })
})

describe('preselection', () => {
  const preselect = { tools: 1, confidence: 0.3 }

  it('loads the best tools for the first message into the first request, once', async () => {
    harness = await bootPlugin({ config: { disclosure: { preselect } }, script: [call(FORECAST, { q: 'Oslo' }), text('a'), text('b')] })
    const agent = await harness.createAgent()
    await agent.say('What is the weather forecast for the city of Oslo?')
    await agent.say('Create a calendar event.')
    expect(toolNames(harness.requests[0]!)).toEqual([...SURFACE, FORECAST])
    expect(lastText(harness.requests[1]!)).toBe(`${FORECAST}({"q":"Oslo"})`)
    expect(toolBytes(harness.requests[2]!)).toEqual(toolBytes(harness.requests[0]!))
    expect(agent.events().filter(event => event.type === 'request/header')).toHaveLength(1)
  })

  it('is part of mode auto too, and of no request but the first', async () => {
    harness = await bootPlugin({ config: { disclosure: { mode: 'auto', inertTokens: 0, preselect } }, script: [text('a'), text('b')] })
    const agent = await harness.createAgent()
    await agent.say('What is the weather forecast for the city of Oslo?')
    await agent.say('Create a calendar event.')
    expect(harness.requests.map(toolNames)).toEqual(Array.from({ length: 2 }, () => [...SURFACE, 'tool_dispatch', FORECAST]))
  })

  it('is inherited by a fork, also of a session that never called what it loaded', async () => {
    harness = await bootPlugin({ config: { disclosure: { preselect } }, script: [text('a'), text('b')] })
    const parent = await harness.createAgent()
    await parent.say('What is the weather forecast for Oslo?')
    await (await harness.fork(parent)).say('Create a calendar event.')
    expect(toolBytes(harness.requests[1]!)).toEqual(toolBytes(harness.requests[0]!))
  })

  it('loads nothing without confidence, and nothing by default', async () => {
    for (const config of [{ disclosure: { preselect } }, {}]) {
      harness = await bootPlugin({ config, script: [text('a')] })
      await (await harness.createAgent()).say(config.disclosure === undefined ? 'What is the weather forecast for Oslo?' : 'Hello there, how are you?')
      expect(toolNames(harness.requests[0]!)).toEqual(SURFACE)
      if (config.disclosure !== undefined) await harness.dispose()
    }
  })
})

describe('a listing', () => {
  it('names the servers, or the tools of one, and loads nothing', async () => {
    harness = await bootPlugin({ script: [
      call('tool_search', { query: `select:${FORECAST}` }), call('tool_search', { query: 'status:' }), call('tool_search', { query: 'status:GitHub' }),
      call('tool_search', { query: 'status:nothing' }), text('a'),
    ] })
    await (await harness.createAgent()).say('go')
    const answers = harness.requests.slice(2).map(lastText)
    expect(answers[0]).toBe('What can be searched:\ncalendar: 2 tools\ngithub: 3 tools\nweather: 1 tool, 1 in your tool list')
    expect(answers[1]).toBe([
      'Load one with "select:" and its name, or search for what you need.',
      '1. mcp__github__create_issue (listed) - Create a new issue in a GitHub repository.',
      '2. mcp__github__list_issues (listed) - List issues of a GitHub repository.',
      '3. mcp__github__merge_pull_request (listed) - Merge a pull request.',
    ].join('\n'))
    expect(answers[2]).toContain('There is no server or family "nothing".')
    expect(toolNames(harness.requests.at(-1)!)).toEqual([...SURFACE, FORECAST])
  })

  it('grants discovery when configured so, and not otherwise', async () => {
    for (const statusGrantsDiscovery of [true, false]) {
      harness = await bootPlugin({
        config: { disclosure: { mode: 'dispatch', dispatch: { requireDiscovery: true, statusGrantsDiscovery } } },
        script: [call('tool_search', { query: 'status:weather' }), call('tool_dispatch', { name: FORECAST, arguments: { q: 'x' } }), text('a')],
      })
      await (await harness.createAgent()).say('go')
      expect(lastText(harness.requests[2]!)).toMatch(statusGrantsDiscovery ? /^mcp__weather__get_forecast\(/ : /was not searched for/)
      if (statusGrantsDiscovery) await harness.dispose()
    }
  })
})

describe('the same fruitless search', () => {
  const again = call('tool_search', { query: 'zxqv wvut' })
  const script = [again, call('tool_search', { query: ' Zxqv  WVUT!' }), again, again, again, again, text('a'), again, text('b')]

  it('gets advice that differs, then is ended, and starts afresh in the next turn', async () => {
    harness = await bootPlugin({ script })
    const agent = await harness.createAgent()
    await agent.say('go')
    const answers = harness.requests.slice(1, 7).map(lastText)
    expect(answers[0]).not.toContain('You searched for this')
    expect(answers[1]).toContain('You searched for this before in this turn and the answer is the same. Use other words, or the name of the service.')
    expect(answers[2]).toContain('You searched for this 2 times before in this turn. No tool does it')
    expect(new Set(answers).size).toBe(answers.length)
    expect(answers[5]).toBe('Error: tool_search: 5 searches in this turn brought nothing new, so the tools that you need are not there. '
      + 'Go on with the tools that you have, or tell the user what is missing.')
    await agent.say('next turn')
    expect(lastText(harness.requests.at(-1)!)).toContain('No tool matches.')
    expect(lastText(harness.requests.at(-1)!)).not.toContain('You searched for this')
  })
})
