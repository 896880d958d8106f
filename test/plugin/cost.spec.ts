import { Context } from '@deepseek-ai/cordis'
import { afterEach, describe, expect, it } from 'vitest'
import { trackPending } from '../../src/tools/pending.ts'
import { call, lastText, text, tool } from '../support/harness.ts'
import type { Harness } from '../support/harness.ts'
import { bootPlugin, FORECAST } from './tools.ts'

let harness: Harness | undefined

afterEach(async () => {
  await harness?.dispose()
  harness = undefined
})

/** Counts reads of the whole registry, each of which copies every schema. */
function countReads(of: Harness): () => number {
  const { tools } = of.ctx
  const read = tools.schemas.bind(tools)
  let reads = 0
  tools.schemas = (scope) => { reads++; return read(scope) }
  return () => reads
}

describe('the registry', () => {
  it('is not read by requests and searches while nothing changes', async () => {
    harness = await bootPlugin({ script: [call('tool_search', { query: 'weather' }), call(FORECAST, { q: 'x' }), call('tool_search', { query: 'event' }), text('a'), text('b')] })
    const reads = countReads(harness)
    const agent = await harness.createAgent()
    await agent.say('go')
    await agent.say('more')
    expect(harness.requests).toHaveLength(5)
    expect(reads()).toBe(1)
  })

  it('is read once for five hundred registrations in a row, when it is needed', async () => {
    harness = await bootPlugin({ script: [text('a'), call('tool_search', { query: 'select:mcp__late__t499' }), text('b')] })
    const reads = countReads(harness)
    const agent = await harness.createAgent()
    await agent.say('go')
    const before = reads()
    for (let index = 0; index < 500; index++) harness.ctx.tools.register(tool(`mcp__late__t${index}`))
    expect(reads()).toBe(before)
    await agent.say('find the last')
    expect(reads()).toBe(before + 1)
    expect(lastText(harness.requests[2]!)).toContain('1. mcp__late__t499 (loaded)')
  })
})

describe('work that still runs when the plugin is unloaded', () => {
  it('is aborted, and the unloading waits for it', async () => {
    const events: string[] = []
    let pending: ReturnType<typeof trackPending> | undefined
    const ctx = new Context()
    const fiber = await ctx.plugin({ name: 'owner', apply(own: Context) { pending = trackPending(own) } })
    const work = pending!.run(new AbortController().signal, async signal => new Promise<string>((resolve) => {
      signal.addEventListener('abort', () => {
        events.push('aborted')
        setTimeout(() => { events.push('finished'); resolve('late') }, 10)
      })
    }))
    await fiber.dispose()
    events.push('unloaded')
    expect(await work).toBe('late')
    expect(events).toEqual(['aborted', 'finished', 'unloaded'])
    await ctx.fiber.dispose()
  })

  it('is aborted by its caller too', async () => {
    const ctx = new Context()
    const caller = new AbortController()
    const work = trackPending(ctx).run(caller.signal, async signal => new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => { reject(signal.reason as Error) })
    }))
    caller.abort(new Error('enough'))
    await expect(work).rejects.toThrow('enough')
    await ctx.fiber.dispose()
  })
})
