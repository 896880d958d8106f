import { describe, expect, it } from 'vitest'
import { createPauses } from '../../src/rewrite/pauses.ts'
import { createSharedCalls } from '../../src/rewrite/shared-calls.ts'
import type { RewriteOutcome } from '../../src/rewrite/types.ts'

const NEVER = new AbortController().signal
const applied = (query: string): RewriteOutcome => ({ status: 'applied', queries: [query] })

describe('shared calls', () => {
  it('forget the least recently used', async () => {
    const calls = createSharedCalls(2)
    const made: string[] = []
    const get = async (key: string) => calls.get(key, NEVER, () => {
      made.push(key)
      return Promise.resolve(applied(key))
    })
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await get(key)
    expect(made).toEqual(['a', 'b', 'c', 'b'])
  })

  it('remember nothing when told so', async () => {
    const calls = createSharedCalls(0)
    let made = 0
    for (const key of ['a', 'a']) await calls.get(key, NEVER, () => Promise.resolve(applied(String(made++))))
    expect(made).toBe(2)
  })

  it('are aborted with the last caller, and not joined then', async () => {
    const calls = createSharedCalls(2)
    const signals: AbortSignal[] = []
    const [one, two] = [new AbortController(), new AbortController()]
    const start = (signal: AbortSignal): Promise<RewriteOutcome> => {
      signals.push(signal)
      return new Promise(() => {})
    }
    const first = calls.get('a', one.signal, start)
    const second = calls.get('a', two.signal, start)
    one.abort(new Error('one'))
    await expect(first).rejects.toThrow('one')
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
    two.abort(new Error('two'))
    await expect(second).rejects.toThrow('two')
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    expect(await calls.get('a', NEVER, () => Promise.resolve(applied('new')))).toEqual(applied('new'))
  })

  it('are not begun for a caller that is gone', async () => {
    await expect(createSharedCalls(2).get('a', AbortSignal.abort(new Error('gone')), () => { throw new Error('begun') })).rejects.toThrow('gone')
  })
})

describe('pauses', () => {
  it('begin with the third failure in a row, end after a minute, and then try once', () => {
    let time = 0
    const pauses = createPauses(() => time)
    pauses.failed('r', 'timeout')
    pauses.failed('r', 'timeout')
    expect(pauses.reasonFor('r')).toBeUndefined()
    pauses.failed('r', 'llm-error')
    expect(pauses.reasonFor('r')).toBe('llm-error')
    expect(pauses.reasonFor('other')).toBeUndefined()
    time = 60_000
    expect(pauses.reasonFor('r')).toBeUndefined()
    pauses.failed('r', 'timeout')
    expect(pauses.reasonFor('r')).toBe('timeout')
    pauses.succeeded('r')
    expect(pauses.reasonFor('r')).toBeUndefined()
  })
})
