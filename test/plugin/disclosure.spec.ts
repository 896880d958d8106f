import { afterEach, describe, expect, it } from 'vitest'
import { call, lastText, text, tool, toolNames } from '../support/harness.ts'
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
