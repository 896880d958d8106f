import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from '@deepseek-ai/cordis'
import { ToolResultPruner } from '@deepseek-ai/dsh-compaction-tool-result-pruner'
import type { PostToolDecision } from '@deepseek-ai/dsh-tools'
import { afterEach, describe, expect, it } from 'vitest'
import * as plugin from '../../src/index.ts'
import { boot, call, lastText, text, tool, toolBytes, toolNames } from '../support/harness.ts'
import type { Harness } from '../support/harness.ts'
import { bootPlugin, FORECAST, ISSUE, TOOLS } from './tools.ts'

const SURFACE = ['bash', 'read', 'tool_search']

let harness: Harness

afterEach(async () => { await harness.dispose() })

const select = (...names: string[]) => call('tool_search', { query: `select:${names.join(',')}` })

/** A plugin of somebody else that decides about the results of searches. */
function policy(decide: (text: string) => PostToolDecision) {
  return {
    name: 'policy',
    apply(ctx: Context) {
      ctx.on('tools/post-execute', async (exec, result, next) => {
        if (exec.name !== 'tool_search') return next()
        const [block] = result.content
        return decide(block?.type === 'text' ? block.text : '')
      })
    },
  }
}

describe('what a search selects', () => {
  it('is nothing when policy blocks the result', async () => {
    harness = await bootPlugin({
      script: [select(FORECAST), text('done')],
      before: [[policy(() => ({ kind: 'block', feedback: [{ type: 'text', text: 'not now' }] }))]],
    })
    await (await harness.createAgent()).say('go')
    expect(toolNames(harness.requests[1]!)).toEqual(SURFACE)
  })

  it('is what the rewritten text still says', async () => {
    harness = await bootPlugin({
      script: [select(FORECAST, ISSUE), text('done')],
      before: [[policy(given => ({
        kind: 'accept', content: [{ type: 'text', text: given.split('\n').filter(line => !line.includes(FORECAST)).join('\n') }],
      }))]],
    })
    await (await harness.createAgent()).say('go')
    expect(lastText(harness.requests[1]!)).not.toContain(FORECAST)
    expect(toolNames(harness.requests[1]!)).toEqual([...SURFACE, ISSUE])
  })

  it('is everything when policy accepts it as it is', async () => {
    harness = await bootPlugin({ script: [select(FORECAST, ISSUE), text('done')], before: [[policy(() => ({ kind: 'accept' }))]] })
    await (await harness.createAgent()).say('go')
    expect(toolNames(harness.requests[1]!)).toEqual([...SURFACE, FORECAST, ISSUE])
  })

  it('is nothing when the search was cancelled', async () => {
    let cancel = (): void => {}
    harness = await bootPlugin({
      script: [select(FORECAST), text('done')],
      before: [[{
        name: 'slow',
        apply(ctx: Context) {
          ctx.on('tools/execute', async (exec, next) => {
            const result = await next()
            if (exec.name === 'tool_search') cancel()
            return result
          })
        },
      }]],
    })
    const agent = await harness.createAgent()
    cancel = () => { agent.agent.cancel({ kind: 'user' }) }
    await agent.say('go')
    cancel = () => {}
    await agent.say('again')
    expect(toolNames(harness.requests[1]!)).toEqual(SURFACE)
  })

  it('grows and never shrinks, in the order of selection', async () => {
    harness = await bootPlugin({ script: [select(FORECAST), select(ISSUE), select(FORECAST), text('done')] })
    await (await harness.createAgent()).say('go')
    expect(harness.requests.map(toolNames).at(-1)).toEqual([...SURFACE, FORECAST, ISSUE])
  })

  it('survives a tool that is removed and added again', async () => {
    harness = await bootPlugin({ tools: TOOLS.filter(({ name }) => name !== FORECAST), script: [select(FORECAST), text('a'), text('b'), text('c')] })
    const forecast = TOOLS.find(({ name }) => name === FORECAST)!
    let remove = harness.ctx.tools.register(forecast)
    const agent = await harness.createAgent()
    await agent.say('go')
    remove()
    await agent.say('gone?')
    remove = harness.ctx.tools.register(forecast)
    await agent.say('back?')
    expect(harness.requests.slice(1).map(toolNames)).toEqual([[...SURFACE, FORECAST], SURFACE, [...SURFACE, FORECAST]])
  })
})

describe('agents', () => {
  it('never share a selection', async () => {
    harness = await bootPlugin({ script: [select(FORECAST), text('a'), text('b')] })
    const one = await harness.createAgent()
    const two = await harness.createAgent()
    await one.say('go')
    await two.say('go')
    expect(toolNames(harness.requests[1]!)).toEqual([...SURFACE, FORECAST])
    expect(toolNames(harness.requests[2]!)).toEqual(SURFACE)
  })

  it('of another agent start empty, find for themselves, and leave their parent as it was', async () => {
    harness = await bootPlugin({ script: [select(FORECAST), text('a'), select(ISSUE), text('b'), text('c')] })
    const parent = await harness.createAgent()
    await parent.say('go')
    const child = await harness.createAgent({ meta: { parentSession: parent.agent.id, origin: 'subagent', delegationDepth: 1 } })
    await child.say('your part')
    await parent.say('again')
    expect(harness.requests.slice(1).map(toolNames)).toEqual([[...SURFACE, FORECAST], SURFACE, [...SURFACE, ISSUE], [...SURFACE, FORECAST]])
  })

  it('with an allow list of another policy find nothing beyond it, and still have the search', async () => {
    harness = await bootPlugin({ script: [call('tool_search', { query: `select:${ISSUE},${FORECAST}` }), text('a')] })
    const child = await harness.createAgent({
      setup: (ctx) => { ctx.tools.restrict({ allow: ['bash', FORECAST] }) },
    })
    await child.say('go')
    expect(toolNames(harness.requests[0]!)).toEqual(['bash', 'tool_search'])
    expect(lastText(harness.requests[1]!)).toContain(`${ISSUE} (not available here)`)
    expect(toolNames(harness.requests[1]!)).toEqual(['bash', 'tool_search', FORECAST])
  })
})

describe('history', () => {
  it('gives a resumed session what it had, in the same bytes', async () => {
    const root = mkdtempSync(join(tmpdir(), 'dsh-tool-retriever-'))
    try {
      harness = await bootPlugin({ persistence: root, script: [select(FORECAST, ISSUE), text('a')] })
      const id = await harness.park(await harness.createAgent().then(async (agent) => { await agent.say('go'); return agent }))
      const before = toolBytes(harness.requests[1]!)
      await harness.dispose()

      harness = await bootPlugin({ persistence: root, script: [text('b')] })
      await (await harness.resume(id)).say('again')
      expect(toolBytes(harness.requests[0]!)).toEqual(before)
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  })

  it('gives a fork what its prefix of history selected and nothing later', async () => {
    harness = await bootPlugin({ script: [select(FORECAST), text('a'), select(ISSUE), text('b'), text('early'), text('late')] })
    const parent = await harness.createAgent()
    await parent.say('first')
    const early = [...parent.events()]
    await parent.say('second')
    await (await harness.fork(parent, early)).say('go')
    await (await harness.fork(parent)).say('go')
    expect(toolNames(harness.requests[4]!)).toEqual([...SURFACE, FORECAST])
    expect(toolNames(harness.requests[5]!)).toEqual([...SURFACE, FORECAST, ISSUE])
  })

  it('keeps the selection when compaction prunes the search result', async () => {
    harness = await bootPlugin({ script: [select(FORECAST), text('a'), text('b')] })
    const agent = await harness.createAgent()
    await agent.say('go')
    const session = agent.agent.session
    const result = session.events.find(event => event.type === 'tool/result')!
    expect(ToolResultPruner).toBeTypeOf('function')
    session.append('tool/result', {
      ...result.data,
      message: { ...result.data.message, content: [{ ...result.data.message.content[0], content: [{ type: 'text', text: '[pruned]' }] }] },
    }, { surfaceOp: { op: 'replace', start: result.seq, end: result.seq }, sourceEventSeqs: [result.seq] })
    await agent.say('again')
    expect(JSON.stringify(harness.requests[2]!.messages)).toContain('[pruned]')
    expect(toolNames(harness.requests[2]!)).toEqual([...SURFACE, FORECAST])
  })

  it('of a time without the plugin counts: what was called is loaded', async () => {
    harness = await boot({ tools: TOOLS, script: [call(FORECAST, { q: 'x' }), text('a'), text('b')] })
    const agent = await harness.createAgent()
    await agent.say('go')
    await harness.load(plugin, { disclosure: { mode: 'inject' } })
    await agent.say('again')
    expect(toolNames(harness.requests[2]!)).toEqual(['bash', FORECAST, 'read', 'tool_search'])
  })
})

describe('the plugin', () => {
  it('attaches to agents that exist before it', async () => {
    harness = await boot({ tools: TOOLS, script: [text('a'), select(ISSUE), text('b')] })
    const agent = await harness.createAgent()
    await agent.say('go')
    expect(toolNames(harness.requests[0]!)).toHaveLength(TOOLS.length)
    await harness.load(plugin, { disclosure: { mode: 'inject' } })
    await agent.say('again')
    expect(harness.requests.slice(1).map(toolNames)).toEqual([SURFACE, [...SURFACE, ISSUE]])
  })

  it('leaves nothing behind when it is unloaded, and finds its selection again when it comes back', async () => {
    harness = await bootPlugin({ script: [select(ISSUE), text('a'), call(FORECAST, {}), text('b'), text('c')] })
    const agent = await harness.createAgent()
    await agent.say('go')
    await harness.pluginFiber!.dispose()
    await agent.say('without')
    expect(toolNames(harness.requests[2]!).sort()).toEqual(TOOLS.map(({ name }) => name).sort())
    expect(lastText(harness.requests[3]!)).not.toContain('was not loaded')
    expect(harness.ctx.tools.get('tool_search', agent.agent)).toBeUndefined()
    await harness.load(plugin, { disclosure: { mode: 'inject' } })
    await agent.say('again')
    expect(toolNames(harness.requests[4]!)).toEqual(expect.arrayContaining([...SURFACE, ISSUE, FORECAST]))
    expect(toolNames(harness.requests[4]!)).toHaveLength(5)
  })

  it('steps back from an agent whose tool_search is another plugin\'s', async () => {
    harness = await boot({ tools: [...TOOLS, tool('tool_search', { description: 'Somebody else\'s.' })], plugin, config: { disclosure: { mode: 'inject' } }, script: [text('a')] })
    await (await harness.createAgent()).say('go')
    expect(toolNames(harness.requests[0]!)).toHaveLength(TOOLS.length + 1)
    expect(harness.requests[0]!.tools!.find(({ name }) => name === 'tool_search')!.description).toBe('Somebody else\'s.')
  })
})
