import type { SessionEvent } from '@deepseek-ai/dsh-session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SelectionPolicy } from '../../src/selection/free-moment.ts'
import { EMPTY_SELECTION, foldSelection, MONOTONIC } from '../../src/selection/reducer.ts'
import { renderGuidance } from '../../src/tools/rendering.ts'

const LOADED = ['Loaded 2 tools. Their schemas …', '1. a (loaded) - A', '2. b (loaded) - B'].join('\n')
const META = { results: [{ name: 'a', status: 'loaded' }, { name: 'b', status: 'loaded' }] }

let seq = 0

function event(type: string, data: unknown, extra: object = {}): SessionEvent {
  return { type, seq: seq++, time: 0, data, ...extra } as unknown as SessionEvent
}

function call(callId: string, name: string): SessionEvent {
  return event('tool/call', { turn: 1, step: 1, callId, name, arguments: '{}' })
}

interface OutcomeOptions {
  readonly isError?: boolean
  readonly meta?: unknown
  readonly code?: string
  readonly surfaceOp?: unknown
}

function outcome(callId: string, text: string, options: OutcomeOptions = {}): SessionEvent {
  const content = [{ type: 'tool-result', toolCallId: callId, content: [{ type: 'text', text }], isError: options.isError ?? false }]
  return event('tool/result', {
    turn: 1, step: 1, message: { role: 'user', content, source: { kind: 'tool', callId } },
    ...options.meta === undefined ? {} : { meta: options.meta },
    ...options.code === undefined ? {} : { error: { name: 'E', code: options.code } },
  }, { surfaceOp: options.surfaceOp ?? 'append' })
}

function nested(rootCallId: string, name: string, text: string, isError = false): SessionEvent {
  return event('tool/code-dispatch', {
    rootCallId, parentCallId: rootCallId, subCallId: `${rootCallId}:code:1`, name, arguments: {}, isError, content: [{ type: 'text', text }],
  })
}

const turnEnd = (): SessionEvent => event('turn/end', { turn: 1, reason: { kind: 'completed' } })

const names = (...events: SessionEvent[]): readonly string[] => foldSelection(events).names

describe('a search', () => {
  it('selects what both its metadata and its final text say is loaded, in order', () => {
    expect(names(call('1', 'tool_search'), outcome('1', LOADED, { meta: META }))).toEqual(['a', 'b'])
  })

  it('selects nothing when it failed or was blocked', () => {
    expect(names(call('1', 'tool_search'), outcome('1', LOADED, { meta: META, isError: true }))).toEqual([])
  })

  it('selects only what a rewritten text still names', () => {
    expect(names(call('1', 'tool_search'), outcome('1', '2. b (loaded) - B', { meta: META }))).toEqual(['b'])
    expect(names(call('1', 'tool_search'), outcome('1', '[removed by policy]', { meta: META }))).toEqual([])
  })

  it('does not select what a text names and the metadata does not', () => {
    expect(names(call('1', 'tool_search'), outcome('1', `${LOADED}\n3. c (loaded)`, { meta: META }))).toEqual(['a', 'b'])
  })

  it('is not undone when compaction replaces its result', () => {
    expect(names(call('1', 'tool_search'), outcome('1', LOADED, { meta: META }),
      outcome('1', '[pruned]', { meta: META, surfaceOp: { op: 'replace', start: 1, end: 1 } }))).toEqual(['a', 'b'])
  })

  it('is recognised by the call it answers, not by its text', () => {
    expect(names(call('1', 'other'), outcome('1', LOADED))).toEqual(['other'])
    expect(names(outcome('1', LOADED, { meta: META }))).toEqual([])
  })

  it('selects each tool once, at its first selection', () => {
    expect(names(call('1', 'tool_search'), outcome('1', '1. b (loaded)'), call('2', 'tool_search'), outcome('2', LOADED))).toEqual(['b', 'a'])
  })
})

describe('a call', () => {
  it('that ran selects its tool', () => {
    expect(names(call('1', 'x'), outcome('1', 'done'))).toEqual(['x'])
  })

  it('that failed does not', () => {
    expect(names(call('1', 'x'), outcome('1', 'Error: no', { isError: true }))).toEqual([])
  })

  it('that was answered with guidance does, as the guidance promises', () => {
    const text = `Error: ${renderGuidance('x', ['/a must be string'], {})}`
    expect(names(call('1', 'x'), outcome('1', text, { isError: true }))).toEqual(['x'])
    expect(names(call('1', 'y'), outcome('1', text, { isError: true }))).toEqual([])
  })

  it('of an interrupted turn is forgotten', () => {
    expect(names(call('1', 'x'), turnEnd(), outcome('1', 'done'))).toEqual([])
  })
})

describe('a program', () => {
  it('selects what it found once it has succeeded', () => {
    const open = [call('1', 'run_code'), nested('1', 'tool_search', LOADED), nested('1', 'x', 'ran')]
    expect(names(...open)).toEqual([])
    expect(names(...open, outcome('1', 'ok'))).toEqual(['a', 'b', 'x', 'run_code'])
  })

  it('that threw has shown its output, so what it found stays found', () => {
    expect(names(call('1', 'run_code'), nested('1', 'tool_search', LOADED), outcome('1', 'Error: code run failed', { isError: true, code: 'CODE_RUN_FAILED' })))
      .toEqual(['a', 'b'])
  })

  it('whose result was blocked or cancelled selects nothing', () => {
    for (const code of ['ABORTED', undefined]) {
      expect(names(call('1', 'run_code'), nested('1', 'tool_search', LOADED), outcome('1', 'Error: no', { isError: true, ...code === undefined ? {} : { code } })))
        .toEqual([])
    }
  })
})

describe('a dispatch', () => {
  const ready = ['1 tool is ready. …', '1. a (ready) - A', '   arguments: {}'].join('\n')
  const readyMeta = { results: [{ name: 'a', status: 'ready' }] }
  const dispatch = (callId: string, name: string) => event('tool/call', {
    turn: 1, step: 1, callId, name: 'tool_dispatch', arguments: JSON.stringify({ name, arguments: {} }),
  })

  it('uses what a search showed; neither changes what requests show', () => {
    const selection = foldSelection([call('1', 'tool_search'), outcome('1', ready, { meta: readyMeta }), dispatch('2', 'b'), outcome('2', 'ok')])
    expect(selection).toMatchObject({ names: [], discovered: ['a', 'b'] })
    expect([...selection.lastCalls.keys()]).toEqual(['b'])
  })

  it('that failed uses nothing', () => {
    expect(foldSelection([dispatch('2', 'b'), outcome('2', 'Error: no', { isError: true })]).discovered).toEqual([])
  })
})

describe('a request', () => {
  const header = (...tools: string[]) =>
    event('request/header', { header: { config: {}, tools: tools.map(name => ({ name, description: '', parameters: {} })) }, reason: 'change' })

  it('that shows the search selects what it shows beside it: what was sent stays', () => {
    expect(names(header('tool_search', 'tool_dispatch', 'run_code', 'a'))).toEqual(['a'])
  })

  it('without the search was sent without the plugin and selects nothing', () => {
    expect(names(header('a', 'b'))).toEqual([])
  })
})

describe('the tokens of the latest request', () => {
  it('are all that went in, cached or not', () => {
    const message = (usage: object) => event('assistant/message', { turn: 1, step: 1, message: { role: 'assistant', content: [] }, usage })
    expect(foldSelection([message({ inputTokens: 7, outputTokens: 9 })]).inputTokens).toBe(7)
    const cached = { inputTokens: 7, cacheReadTokens: 100, cacheWriteTokens: 1_000, outputTokens: 9 }
    expect(foldSelection([message(cached)]).inputTokens).toBe(1_107)
  })
})

describe('fruitless searches', () => {
  const search = (callId: string, query: string) =>
    event('tool/call', { turn: 1, step: 1, callId, name: 'tool_search', arguments: JSON.stringify({ query }) })

  it('are those that brought nothing new, of this turn alone, since the last one that did', () => {
    const events = [
      event('turn/start', { turn: 1 }), search('1', 'x'), outcome('1', 'No tool matches. Nothing was loaded.', { meta: { results: [] } }),
      search('2', 'ab'), outcome('2', LOADED, { meta: META }), search('3', 'ab again'), outcome('3', '1. a (already available)', { meta: { results: [] } }),
    ]
    expect(foldSelection(events.slice(0, 3)).fruitless).toEqual(['x'])
    expect(foldSelection(events).fruitless).toEqual(['ab again'])
    expect(foldSelection([...events, event('turn/start', { turn: 2 })]).fruitless).toEqual([])
  })
})

describe('a free moment', () => {
  const compaction = (error?: string) => event('compaction/end', { compactionId: 'c', turn: null, ...error === undefined ? {} : { error } })
  const turn = (number: number, ...events: SessionEvent[]) => [event('turn/start', { turn: number }), ...events, turnEnd()]
  const uses = (id: string, name: string) => [call(id, name), outcome(id, 'ok')]
  const search = (id: string, ...found: string[]) =>
    [call(id, 'tool_search'), outcome(id, found.map((name, index) => `${index + 1}. ${name} (loaded)`).join('\n'))]
  const sent = (...tools: string[]) => event('request/header', {
    header: { config: {}, tools: tools.map(name => ({ name, description: 'x'.repeat(400), parameters: {} })) }, reason: 'change',
  })
  const policy = (change: Partial<SelectionPolicy>): SelectionPolicy => ({ ...MONOTONIC, ...change })
  const after = (change: Partial<SelectionPolicy>, ...events: SessionEvent[]) =>
    foldSelection(events, EMPTY_SELECTION, policy(change)).names

  const history = [...turn(1, ...search('1', 'a', 'b', 'c')), ...turn(2, ...uses('2', 'b')), ...turn(3, ...uses('3', 'c')), ...turn(4)]

  it('of a compaction keeps, keeps what was used, or drops, as configured', () => {
    expect(after({ compaction: 'keep' }, ...history, compaction())).toEqual(['a', 'b', 'c'])
    expect(after({ compaction: 'used' }, ...history, compaction())).toEqual(['b', 'c'])
    expect(after({ compaction: 'drop' }, ...history, compaction())).toEqual([])
    expect(after({ compaction: 'drop' }, ...history, compaction('it failed'))).toEqual(['a', 'b', 'c'])
  })

  it('is a resume after the cache has expired, and not one before', () => {
    const resumed = (time: number) => [...history, { ...event('session/end-seed', {}), time }]
    expect(after({ budget: { maxTools: 1 }, cacheLifetimeMs: 1_000 }, ...resumed(1_001))).toEqual(['c'])
    expect(after({ budget: { maxTools: 1 }, cacheLifetimeMs: 1_000 }, ...resumed(999))).toEqual(['a', 'b', 'c'])
  })

  it('drops the least recently called first, down to the number of tools', () => {
    expect(after({ budget: { maxTools: 2 } }, ...history, compaction())).toEqual(['b', 'c'])
    expect(after({ budget: { maxTools: 2 } }, ...history)).toEqual(['a', 'b', 'c'])
  })

  it('drops down to the tokens that were sent', () => {
    expect(after({ budget: { maxTokens: 250 } }, ...history, sent('tool_search', 'a', 'b', 'c'), compaction())).toEqual(['b', 'c'])
  })

  it('drops what was idle for too many turns', () => {
    expect(after({ budget: { idleTurns: 1 } }, ...history, compaction())).toEqual(['c'])
  })

  it('never drops what the current turn uses', () => {
    const during = [event('turn/start', { turn: 5 }), ...uses('5', 'a')]
    expect(after({ budget: { maxTools: 1 } }, ...history, ...during, compaction())).toEqual(['a'])
    expect(after({ budget: { maxTools: 1 } }, ...history, event('turn/start', { turn: 5 }), ...uses('5', 'a'), ...uses('6', 'b'), compaction())).toEqual(['a', 'b'])
  })

  it('neither counts nor drops what is always visible', () => {
    expect(after({ budget: { maxTools: 1 }, isExempt: name => name === 'a' }, ...history, compaction())).toEqual(['a', 'c'])
  })

  it('moves dispatched tools into the tool list where that is wanted', () => {
    const dispatched = [event('tool/call', { turn: 5, step: 1, callId: '9', name: 'tool_dispatch', arguments: '{"name":"d"}' }), outcome('9', 'ok')]
    expect(after({ promote: true }, ...history, ...dispatched, compaction())).toEqual(['a', 'b', 'c', 'd'])
    expect(after({ promote: false }, ...history, ...dispatched, compaction())).toEqual(['a', 'b', 'c'])
  })

  it('reports what it put out until it is selected again', () => {
    const evicting = policy({ compaction: 'drop' })
    const dropped = foldSelection([...history, compaction()], EMPTY_SELECTION, evicting)
    expect(dropped.evicted).toEqual(['a', 'b', 'c'])
    expect(foldSelection(search('8', 'b'), dropped, evicting)).toMatchObject({ names: ['b'], evicted: ['a', 'c'] })
  })
})

describe('a command', () => {
  const ran = (id: string, args: string, text: string, kind = 'success', name = 'tool-search') =>
    [event('command/run', { commandId: id, name, args, source: { kind: 'user' } }), event('command/done', { commandId: id, kind, text })]
  const sent = (...tools: string[]) => event('request/header', {
    header: { config: {}, tools: tools.map(name => ({ name, description: '', parameters: {} })) }, reason: 'initial',
  })
  const compaction = event('compaction/end', { compactionId: 'c', turn: null })

  it('that loaded selects what it says', () => {
    expect(names(...ran('1', ' load a b', 'In the …:\n1. a (loaded)\n2. b (loaded)'))).toEqual(['a', 'b'])
  })

  it('of another plugin, that failed, or that does something else selects nothing', () => {
    expect(names(...ran('1', ' load a', '1. a (loaded)', 'success', 'other'))).toEqual([])
    expect(names(...ran('1', ' load a', '1. a (loaded)', 'error'))).toEqual([])
    expect(names(...ran('1', ' find a', '1. a (loaded)'))).toEqual([])
    expect(names(event('command/done', { commandId: '1', kind: 'success', text: '1. a (loaded)' }))).toEqual([])
  })

  it('that forgot drops at a free moment what was sent, and the rest at once', () => {
    const events = [sent('tool_search', 'a', 'b'), ...ran('1', 'load c', '1. c (loaded)'), ...ran('2', 'forget a c', '1. a (forgotten)\n2. c (forgotten)')]
    expect(foldSelection(events)).toMatchObject({ names: ['a', 'b'], forgotten: ['a'], evicted: [] })
    expect(foldSelection([...events, sent('tool_search', 'a', 'b')]).forgotten).toEqual(['a'])
    expect(foldSelection([...events, compaction])).toMatchObject({ names: ['b'], forgotten: [], evicted: ['a'] })
    expect(foldSelection([...events, ...ran('3', 'load a', '1. a (loaded)'), compaction])).toMatchObject({ names: ['a', 'b'], evicted: [] })
  })
})

describe('what a request shows', () => {
  const sent = (...tools: string[]) => event('request/header', {
    header: { config: {}, tools: tools.map(name => ({ name, description: '', parameters: {} })) }, reason: 'change',
  })

  it('was chosen for the first message when it stands behind the search in the first request, and not later or elsewhere', () => {
    expect(names(sent('x', 'tool_search', 'a'))).toEqual(['a'])
    expect(names(sent('x', 'tool_search', 'a'), sent('x', 'tool_search', 'a', 'pinned'))).toEqual(['a'])
    expect(names(sent('x', 'y'), sent('x', 'tool_search', 'y'))).toEqual([])
  })
})

describe('the fold', () => {
  const script = fc.array(fc.record({ id: fc.integer({ min: 0, max: 4 }), kind: fc.constantFrom('call', 'result', 'error', 'nested', 'turn') }), { maxLength: 30 })

  it('is the same in one go and in any two parts: live, resume and fork can not differ', () => {
    fc.assert(fc.property(script, fc.nat(), (steps, cut) => {
      const events = steps.map(({ id, kind }) => {
        if (kind === 'call') return call(`${id}`, id % 2 === 0 ? 'tool_search' : `tool${id}`)
        if (kind === 'nested') return nested(`${id}`, 'tool_search', `1. n${id} (loaded)`)
        if (kind === 'turn') return turnEnd()
        return outcome(`${id}`, LOADED, { isError: kind === 'error' })
      })
      const at = events.length === 0 ? 0 : cut % (events.length + 1)
      expect(foldSelection(events.slice(at), foldSelection(events.slice(0, at)))).toEqual(foldSelection(events))
    }))
  })

  it('keeps its state when an event says nothing about tools', () => {
    const before = foldSelection([call('1', 'x'), outcome('1', 'ok')])
    expect(foldSelection([event('user/message', {}), event('assistant/chunk', {}), event('todo/write', {})], before)).toBe(before)
  })
})
