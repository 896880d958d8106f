import type { SessionEvent } from '@deepseek-ai/dsh-session'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldSelection } from '../../src/selection/reducer.ts'
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
    expect(foldSelection([event('user/message', {}), event('assistant/chunk', {}), turnEnd()], before)).toBe(before)
  })
})
