import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { boot, call, calls, lastText, program, shownTool, text, tool, toolBytes, toolNames } from './harness.ts'
import type { BootOptions, Harness } from './harness.ts'

let harness: Harness | undefined

async function booted(options: BootOptions): Promise<Harness> {
  harness = await boot(options)
  return harness
}

afterEach(async () => {
  await harness?.dispose()
  harness = undefined
})

describe('harness', () => {
  it('runs a real turn: the model is shown the tools, calls one, and reads its result', async () => {
    const { createAgent, requests } = await booted({ tools: [tool('beta'), tool('alpha')], script: [call('alpha', { q: 'x' }), text('done')] })
    const agent = await createAgent()
    await agent.say('go')
    expect(requests.map(toolNames)).toEqual([['alpha', 'beta'], ['alpha', 'beta']])
    expect(lastText(requests[1]!)).toBe('alpha({"q":"x"})')
    expect(toolBytes(requests[0]!)[0]).toBe(JSON.stringify(shownTool(requests[0]!, 'alpha')))
  })

  it('keeps each request as it arrived', async () => {
    const { ctx, createAgent, requests } = await booted({ tools: [tool('alpha')], script: [text('one'), text('two')] })
    const agent = await createAgent()
    await agent.say('first')
    ctx.tools.register(tool('omega'))
    await agent.say('second')
    expect(requests.map(toolNames)).toEqual([['alpha'], ['alpha', 'omega']])
  })

  it('answers from a function of the request', async () => {
    const { createAgent, requests } = await booted({
      tools: [tool('alpha')],
      script: (request, index) => index === 0 ? calls([{ name: toolNames(request)[0]!, args: { q: '1' } }]) : text('done'),
    })
    await (await createAgent()).say('go')
    expect(lastText(requests[1]!)).toBe('alpha({"q":"1"})')
  })

  it('loads the plugin under test last and unloads it on demand', async () => {
    const seen: string[] = []
    const plugin = {
      name: 'probe',
      inject: ['tools'],
      apply(ctx: Harness['ctx'], config: { mark: string }) {
        seen.push(config.mark, ...ctx.tools.schemas().map(schema => schema.name))
        ctx.effect(() => () => seen.push('gone'))
      },
    }
    const { pluginFiber } = await booted({ tools: [tool('alpha')], plugin, config: { mark: 'on' } })
    await pluginFiber?.dispose()
    expect(seen).toEqual(['on', 'alpha', 'gone'])
  })

  it('fails a turn visibly when the script is used up', async () => {
    const { createAgent, requests } = await booted({ tools: [tool('alpha')], script: [call('alpha', { q: 'x' })] })
    const agent = await createAgent()
    await agent.say('go')
    expect(requests.length).toBeGreaterThanOrEqual(2)
    expect(JSON.stringify(agent.events().at(-1))).toContain('the script has 1 steps')
  })

  it('runs Code Mode programs in the real worker', async () => {
    const { createAgent, requests } = await booted({
      mode: 'code',
      tools: [tool('alpha')],
      script: [program('return await tools.alpha({ q: "in a program" })'), text('done')],
    })
    await (await createAgent()).say('go')
    expect(toolNames(requests[0]!)).toEqual(['run_code'])
    expect(lastText(requests[1]!)).toContain('in a program')
  })

  it('resumes from disk and forks from a log', async () => {
    const persistence = await mkdtemp(join(tmpdir(), 'harness-'))
    const { createAgent, park, resume, fork, requests, dispose } = await booted({
      persistence, tools: [tool('alpha')], script: [text('one'), text('two'), text('three')],
    })
    const first = await createAgent({ id: 'kept' })
    await first.say('first')
    const resumed = await resume(await park(first))
    await resumed.say('second')
    const forked = await fork(resumed)
    await forked.say('third')
    expect(requests.map(request => JSON.stringify(request.messages).includes('first'))).toEqual([true, true, true])
    expect(forked.agent.id).not.toBe(resumed.agent.id)
    await dispose()
    harness = undefined
    await rm(persistence, { recursive: true })
  })

  it('asks for approval when the policy says so', async () => {
    const guard = {
      name: 'ask-first',
      inject: ['tools'],
      apply(ctx: Harness['ctx']) {
        ctx.on('tools/pre-execute', async () => ({ kind: 'ask' }))
      },
    }
    const { createAgent, requests } = await booted({
      approval: 'never', plugin: guard, tools: [tool('alpha')], script: [call('alpha', { q: 'x' }), text('done')],
    })
    await (await createAgent()).say('go')
    expect(lastText(requests[1]!)).toBe('Error: the user rejected tool "alpha"')
  })

  it('ends a call that outlives its time', async () => {
    const slow = tool('slow', {
      timeoutMs: 30,
      run: async (_args, { signal }) => new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('stopped')))
      }),
    })
    const { createAgent, requests } = await booted({ timeouts: true, tools: [slow], script: [call('slow', { q: 'x' }), text('done')] })
    await (await createAgent()).say('go')
    expect(lastText(requests[1]!)).toContain('30')
  })
})
