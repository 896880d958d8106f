import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CORE_TOOLS } from '../../src/surface/core-tools.ts'
import { compilePatterns } from '../../src/patterns.ts'
import { partition, projectSections, projectTools, wireOrder } from '../../src/surface/projection.ts'

const visibility = (always: string[], never: string[] = [], selected: string[] = []) => ({
  isAlwaysVisible: compilePatterns(always), isNever: compilePatterns(never), selected,
})

describe('patterns', () => {
  it('take every character but * literally', () => {
    const matches = compilePatterns(['a.b', 'mcp__git*', '*_goal', '[x]'])
    expect(['a.b', 'mcp__github__x', 'set_goal', '[x]'].filter(matches)).toHaveLength(4)
    expect(['aXb', 'mcp__gi', 'goal_set', 'x'].filter(matches)).toEqual([])
  })

  it('match nothing when there are none', () => {
    expect(compilePatterns([])('')).toBe(false)
  })
})

describe('the core tools', () => {
  const isCore = compilePatterns(CORE_TOOLS)

  it('cover the tools of an ordinary DSH session', () => {
    const session = ['ask_user_question', 'bash', 'create_goal', 'edit', 'exit_plan_mode', 'get_goal', 'glob', 'grep', 'interrupt_agent', 'job_kill',
      'job_list', 'job_output', 'list_agents', 'ralph', 'read', 'read_image', 'report', 'send_message', 'skill', 'str_replace_editor', 'subagent',
      'subagent_fork', 'todo_write', 'update_goal', 'web_search', 'web_fetch', 'workflow', 'write', 'pwsh', 'lsp', 'terminal_open', 'schedule_create']
    expect(session.filter(name => !isCore(name))).toEqual([])
  })

  it('cover no tool of an MCP server', () => {
    expect(['mcp__fs__read', 'mcp__x__bash', 'mcp__jobs__job_list', 'mcp__a__todo_write'].filter(isCore)).toEqual([])
  })
})

describe('the partition', () => {
  it('shows the always visible ones, the search, and the selected ones in order of selection', () => {
    expect(partition(['a', 'b', 'tool_search', 'x', 'y', 'z'], visibility(['a', 'b'], [], ['z', 'x', 'gone'])).shown)
      .toEqual(['a', 'b', 'tool_search', 'z', 'x'])
  })

  it('lets never win over always and over selected', () => {
    const { shown, deferred, never } = partition(['a', 'b', 'c', 'tool_search'], visibility(['a'], ['a', 'b'], ['b']))
    expect(shown).toEqual(['tool_search'])
    expect([...deferred]).toEqual(['c'])
    expect([...never]).toEqual(['a', 'b'])
  })

  it('cannot hide the search by configuration', () => {
    expect(partition(['a', 'tool_search'], visibility([], ['*'])).shown).toEqual([])
    expect(partition(['a', 'b', 'tool_search'], visibility([], ['tool_search', 'a'])).shown).toEqual(['tool_search'])
  })

  it('leaves the search out when there is nothing to find, and keeps it when all was found', () => {
    expect(partition(['a', 'tool_search'], visibility(['a'])).shown).toEqual(['a'])
    expect(partition(['a', 'b', 'tool_search'], visibility(['a'], [], ['b'])).shown).toEqual(['a', 'tool_search', 'b'])
  })
})

describe('the wire order', () => {
  it('keeps what was sent in place and appends the rest', () => {
    expect(wireOrder(['a', 'b', 'tool_search', 'x', 'y'], ['b', 'tool_search', 'gone', 'a'])).toEqual(['b', 'tool_search', 'a', 'x', 'y'])
  })

  it('shows each shown tool once, and starts with what was sent before', () => {
    const list = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'))
    fc.assert(fc.property(list, list, (shown, previous) => {
      const order = wireOrder(shown, previous)
      expect([...order].sort()).toEqual([...shown].sort())
      const kept = previous.filter(name => shown.includes(name))
      expect(order.slice(0, kept.length)).toEqual(kept)
    }))
  })
})

describe('the projection', () => {
  it('never brings back a tool that is not in the assembly', () => {
    expect(projectTools([{ name: 'a', description: '', parameters: {} }], ['b', 'a']).map(tool => tool.name)).toEqual(['a'])
  })

  it('drops the guidance of hidden tools alone', () => {
    const sections = [{ name: 'tool:x', text: 'x' }, { name: 'tool:topic', text: 't' }, { name: 'persona', text: 'p' }]
    expect(projectSections(sections, name => name === 'x').map(section => section.name)).toEqual(['tool:topic', 'persona'])
  })
})
