import type { Context } from '@deepseek-ai/cordis'
import { createUserMessage, HarnessError } from '@deepseek-ai/dsh-llm'
import type { ContentBlock } from '@deepseek-ai/dsh-llm'
import type { ToolExecution } from '@deepseek-ai/dsh-tools'
import { afterEach, describe, expect, it } from 'vitest'
import { call, calls, lastText, program, text, tool, toolBytes, toolNames } from '../support/harness.ts'
import type { Harness } from '../support/harness.ts'
import { bootPlugin, FORECAST, ISSUE, TOOLS } from './tools.ts'

const SURFACE = ['bash', 'read', 'tool_search', 'tool_dispatch']

/** What the attachment service makes of a picture; the loop passes it on as it is. */
const IMAGE = { type: 'image' as const, attachment: { id: 'a1', mediaType: 'image/png', width: 2, height: 2, bytes: 70 } } as unknown as ContentBlock

let harness: Harness

afterEach(async () => { await harness.dispose() })

const dispatch = (name: string, args: unknown) => call('tool_dispatch', { name, arguments: args })

async function run(script: Parameters<typeof bootPlugin>[0] & object, disclosure: object = {}): Promise<void> {
  harness = await bootPlugin({ config: { disclosure: { mode: 'dispatch', ...disclosure } }, ...script })
  await (await harness.createAgent()).say('go')
}

describe('in dispatch mode', () => {
  it('a search shows schemas, the dispatch calls, and the tool list never changes', async () => {
    await run({ script: [call('tool_search', { query: `select:${ISSUE}` }), dispatch(ISSUE, { title: 'Bug' }), text('done')] })
    expect(toolNames(harness.requests[0]!)).toEqual(SURFACE)
    expect(lastText(harness.requests[1]!)).toBe([
      '1 tool is ready. Call with tool_dispatch {"name": …, "arguments": {…}}.',
      `1. ${ISSUE} (ready) - Create a new issue in a GitHub repository.`,
      `   arguments: ${JSON.stringify(TOOLS.find(({ name }) => name === ISSUE)!.parameters)}`,
    ].join('\n'))
    expect(lastText(harness.requests[2]!)).toBe(`${ISSUE}({"title":"Bug"})`)
    for (const request of harness.requests) {
      expect(toolBytes(request)).toEqual(toolBytes(harness.requests[0]!))
      expect(request.system).toBe(harness.requests[0]!.system)
    }
  })

  it('shows whole definitions only, and lists what does not fit, to be read by name', async () => {
    const long = tool('mcp__x__long', { description: 'Feed the hamster.', parameters: { type: 'object', description: 'x'.repeat(2_000) } })
    const short = tool('mcp__x__short', { description: 'Feed the hamster too.' })
    await run({ tools: [...TOOLS, long, short], script: [call('tool_search', { query: 'select:mcp__x__short,mcp__x__long' }), call('tool_search', { query: 'select:mcp__x__long' }), text('a')] },
      { dispatch: { schemaChars: 1_000 } })
    expect(lastText(harness.requests[1]!)).toContain('1. mcp__x__short (ready)')
    expect(lastText(harness.requests[1]!)).toContain('2. mcp__x__long (listed) - Feed the hamster.\nListed tools match too: read one with "select:" and its name')
    expect(lastText(harness.requests[2]!)).toContain('1. mcp__x__long (ready)')
    expect(lastText(harness.requests[2]!)).toContain('x'.repeat(2_000))
  })

  it('a schema that the history has is not repeated, unless it is asked for by name', async () => {
    const feed = ['mcp__x__feed_hamster', 'mcp__x__feed_hamsters'].map(name => tool(name, { description: 'Feed the hamster.' }))
    const search = call('tool_search', { query: 'feed the hamster' })
    await run({ tools: [...TOOLS, ...feed], script: [call('tool_search', { query: `select:${feed[0]!.name}` }), search, call('tool_search', { query: `select:${feed[0]!.name}` }), text('a')] })
    const answers = harness.requests.slice(1).map(lastText)
    expect(answers.map(answer => answer.split('arguments: ').length - 1)).toEqual([1, 1, 1])
    expect(answers[1]).toMatch(new RegExp(`${feed[0]!.name} \\(ready\\) - Feed the hamster\\.(?!\\n +arguments)`))
  })

  it('a tool of the list may be dispatched too', async () => {
    await run({ script: [dispatch('bash', { q: 'ls' }), text('done')] })
    expect(lastText(harness.requests[1]!)).toBe('bash({"q":"ls"})')
  })

  it('arguments that came as JSON text are read', async () => {
    await run({ script: [call('tool_dispatch', { name: ISSUE, arguments: '{"title":"Bug"}' }), text('done')] })
    expect(lastText(harness.requests[1]!)).toBe(`${ISSUE}({"title":"Bug"})`)
  })

  it('a call by the tool\'s own name runs when its arguments fit, and the list stays as it is', async () => {
    await run({ script: [call(ISSUE, { title: 'Bug' }), call(ISSUE, { title: 7 }), text('done')] })
    expect(lastText(harness.requests[1]!)).toBe(`${ISSUE}({"title":"Bug"})`)
    expect(lastText(harness.requests[2]!)).toContain(`The arguments do not fit tool "${ISSUE}"`)
    expect(toolBytes(harness.requests[2]!)).toEqual(toolBytes(harness.requests[0]!))
  })

  it('the list stays the same bytes over a session of 200 turns with late servers', { timeout: 60_000 }, async () => {
    const turns = 200
    let late = 0
    harness = await bootPlugin({
      config: { disclosure: { mode: 'dispatch' } },
      script: (_request, index) => index % 3 === 0
        ? call('tool_search', { query: `select:mcp__late__t${index}` })
        : index % 3 === 1 ? dispatch(`mcp__late__t${index - 1}`, { q: 'x' }) : text('done'),
    })
    const agent = await harness.createAgent()
    for (let turn = 0; turn < turns; turn++) {
      harness.ctx.tools.register(tool(`mcp__late__t${turn * 3}`))
      late++
      await agent.say('go')
    }
    expect(late).toBe(turns)
    expect(harness.requests).toHaveLength(turns * 3)
    expect(new Set(harness.requests.map(request => `${toolBytes(request).join()}${request.system ?? ''}`)).size).toBe(1)
    expect(agent.events().filter(event => event.type === 'request/header')).toHaveLength(1)
    expect(lastText(harness.requests.at(-1)!)).toContain(`mcp__late__t${turns * 3 - 3}(`)
  })
})

describe('a dispatch is refused', () => {
  it.each([
    [{ arguments: {} }, 'invalid arguments', /needs the "name" of a tool/],
    [{ name: 'mcp__x__nothing', arguments: {} }, 'unknown tool', /There is no tool "mcp__x__nothing"\./],
    [{ name: 'tool_search', arguments: {} }, 'the search', /can't be dispatched/],
    [{ name: 'tool_dispatch', arguments: {} }, 'itself', /can't be dispatched/],
    [{ name: ISSUE, arguments: { title: 7 } }, 'arguments that do not fit', /\/title must be string\. Call it again with tool_dispatch\. Its arguments must fit/],
  ])('%j: %s', async (args, _why, expected) => {
    await run({ script: [call('tool_dispatch', args), text('done')] })
    expect(lastText(harness.requests[1]!)).toMatch(expected)
  })

  it('when the tool is switched off', async () => {
    await run({ script: [dispatch(FORECAST, { q: 'x' }), text('done')] }, { neverSearch: [FORECAST] })
    expect(lastText(harness.requests[1]!)).toContain('disclosure.neverSearch')
  })

  it('before a search showed the schema, where discovery is required, and not after', async () => {
    await run({ script: [dispatch(FORECAST, { q: 'x' }), call('tool_search', { query: `select:${FORECAST}` }), dispatch(FORECAST, { q: 'x' }), text('a')] },
      { dispatch: { requireDiscovery: true } })
    expect(lastText(harness.requests[1]!)).toContain('was not searched for')
    expect(lastText(harness.requests[3]!)).toBe(`${FORECAST}({"q":"x"})`)
  })
})

describe('a dispatched call', () => {
  it('passes the policy of the host under its own name', async () => {
    const seen: string[] = []
    const denies = {
      name: 'denies',
      apply(ctx: Context) {
        ctx.on('tools/pre-execute', async (exec, next) => {
          seen.push(`${exec.name} ${exec.rootCallId}`)
          return exec.name === ISSUE ? { kind: 'deny', reason: 'not this one' } : next()
        })
      },
    }
    await run({ before: [[denies]], script: [call('tool_dispatch', { name: ISSUE, arguments: { title: 'x' } }, 'root'), text('a')] })
    expect(seen).toEqual(['tool_dispatch root', `${ISSUE} root`])
    expect(lastText(harness.requests[1]!)).toBe('Error: not this one')
  })

  it('is nested in the dispatch: same root call, the dispatch as its parent, the same agent and the signal of the turn', async () => {
    const seen: ToolExecution[] = []
    const watches = { name: 'watches', apply(ctx: Context) { ctx.on('tools/pre-execute', async (exec, next) => { seen.push(exec); return next() }) } }
    await run({ before: [[watches]], script: [call('tool_dispatch', { name: ISSUE, arguments: { title: 'x' } }, 'root'), text('a')] })
    const [outer, inner] = seen
    expect(inner).toMatchObject({ name: ISSUE, rootCallId: 'root', arguments: { title: 'x' } })
    expect(inner!.parent).toBe(outer!.token)
    expect(inner!.agent).toBe(outer!.agent)
    expect(inner!.callId).not.toBe(outer!.callId)
    expect(outer!.parent).toBeUndefined()
  })

  it('asks for the approval that the host wants under its own name', async () => {
    const asks = { name: 'asks', apply(ctx: Context) { ctx.on('tools/pre-execute', async (exec, next) => exec.name === ISSUE ? { kind: 'ask' } : next()) } }
    await run({ before: [[asks]], script: [dispatch(ISSUE, { title: 'x' }), dispatch(FORECAST, { q: 'x' }), text('a')] })
    expect(lastText(harness.requests[1]!)).toContain('requires approval')
    expect(lastText(harness.requests[2]!)).toBe(`${FORECAST}({"q":"x"})`)
  })

  it('passes guards, its own timeout, what wraps executions, and post-execute policy', async () => {
    const host = {
      name: 'host',
      apply(ctx: Context) {
        ctx.tools.guard(({ name, arguments: args }) => name === FORECAST && (args as { q: string }).q === 'Atlantis' ? 'no such place' : undefined)
        ctx.on('tools/execute', async (exec, next) => {
          const result = await next()
          return result.isError && exec.name === 'mcp__x__flaky' ? next() : result
        })
        ctx.on('tools/post-execute', async (exec, _result, next) => exec.name === 'mcp__x__secret'
          ? { kind: 'accept', content: [{ type: 'text', text: '[redacted]' }] } : next())
      },
      inject: ['tools'],
    }
    let tries = 0
    const slow = tool('mcp__x__slow', { timeoutMs: 30, run: async (_args, exec) => new Promise((_resolve, reject) => { exec.signal.addEventListener('abort', () => reject(new Error('stopped'))) }) })
    const flaky = tool('mcp__x__flaky', { run: () => { if (++tries === 1) throw new Error('not yet'); return 'at last' } })
    await run({
      timeouts: true,
      tools: [...TOOLS, slow, flaky, tool('mcp__x__secret', { run: () => 'sesame' })],
      before: [[host]],
      script: [
        dispatch(FORECAST, { q: 'Atlantis' }), dispatch(FORECAST, { q: 'Oslo' }), dispatch('mcp__x__slow', { q: '' }), dispatch('mcp__x__flaky', { q: '' }),
        dispatch('mcp__x__secret', { q: '' }), text('a'),
      ],
    })
    expect(harness.requests.slice(1).map(lastText)).toEqual([
      'Error: no such place', `${FORECAST}({"q":"Oslo"})`, expect.stringMatching(/^Error: .*30 ?ms/), 'at last', '[redacted]',
    ])
  })

  it('carries content of every kind and contexts through', async () => {
    const rich = {
      ...tool('mcp__x__rich'),
      output: {
        schema: { type: 'string' as const },
        render: () => [{ type: 'text' as const, text: 'one' }, IMAGE],
      },
      async execute(_args: unknown, exec: Parameters<ReturnType<typeof tool>['execute']>[1]) {
        exec.deferContext(createUserMessage({ content: [{ type: 'text', text: 'a reminder' }], source: { kind: 'plugin', plugin: 'x' } }))
        return 'value'
      },
    }
    await run({ tools: [...TOOLS, rich], script: [dispatch('mcp__x__rich', { q: '' }), text('after')] })
    const result = harness.requests[1]!.messages.flatMap(({ content }) => content).find(({ type }) => type === 'tool-result') as { content: unknown[] }
    expect(result.content).toEqual([{ type: 'text', text: 'one' }, IMAGE])
    expect(lastText(harness.requests[1]!)).toBe('a reminder')
  })

  it('ends the turn when its tool does', async () => {
    for (const ends of [true, false]) {
      const last = tool('mcp__x__last', { run: (_args, exec) => { if (ends) exec.concludeTurn(); return 'bye' } })
      await run({ tools: [...TOOLS, last], script: [dispatch('mcp__x__last', { q: '' }), text('after')] })
      expect(harness.requests).toHaveLength(ends ? 1 : 2)
      if (ends) await harness.dispose()
    }
  })

  it('fails under its own error code', async () => {
    const failing = tool('mcp__x__failing', { run: () => { throw new HarnessError('out of order', 'BROKEN') } })
    await run({ tools: [...TOOLS, failing], script: [call('tool_dispatch', { name: 'mcp__x__failing', arguments: { q: '' } }), text('a')] })
    const [agent] = harness.ctx.agents.list()
    const result = agent!.session.events.find(event => event.type === 'tool/result')!
    expect(result.data.error).toEqual({ name: 'HarnessError', code: 'BROKEN' })
    expect(lastText(harness.requests[1]!)).toBe('Error: out of order')
  })

  it('is cancelled with its turn', async () => {
    let aborted = false
    const waiting = tool('mcp__x__waiting', {
      run: async (_args, exec) => new Promise((_resolve, reject) => {
        exec.signal.addEventListener('abort', () => { aborted = true; reject(new Error('stopped')) })
        agent.agent.cancel({ kind: 'user' })
      }),
    })
    harness = await bootPlugin({ config: { disclosure: { mode: 'dispatch' } }, tools: [...TOOLS, waiting], script: [dispatch('mcp__x__waiting', { q: '' })] })
    const agent = await harness.createAgent()
    await agent.say('go')
    expect(aborted).toBe(true)
  })

  it('overlaps with its siblings exactly when its tool allows it', async () => {
    const order: string[] = []
    const step = (name: string, parallel: boolean) => tool(`mcp__x__${name}`, {
      parallel,
      run: async () => {
        order.push(`${name} starts`)
        await new Promise((resolve) => { setTimeout(resolve, 20) })
        order.push(`${name} ends`)
        return name
      },
    })
    for (const parallel of [true, false]) {
      order.length = 0
      await run({
        tools: [...TOOLS, step('a', parallel), step('b', parallel)],
        script: [calls(['a', 'b'].map(name => ({ name: 'tool_dispatch', args: { name: `mcp__x__${name}`, arguments: { q: '' } } }))), text('done')],
      })
      expect(order).toEqual(parallel ? ['a starts', 'b starts', 'a ends', 'b ends'] : ['a starts', 'a ends', 'b starts', 'b ends'])
      if (parallel) await harness.dispose()
    }
  })

  it('works from inside programs, and the prompt stays the same bytes while servers come', async () => {
    const turns = 20
    harness = await bootPlugin({
      mode: 'code',
      config: { disclosure: { mode: 'dispatch' } },
      script: (_request, index) => index % 2 === 1 ? text('done') : program(`
        const { results } = await tools.tool_search({ query: 'select:mcp__late__t${index}' })
        return await tools.tool_dispatch({ name: results[0].name, arguments: { q: 'x' } })`),
    })
    const agent = await harness.createAgent()
    for (let turn = 0; turn < turns; turn++) {
      harness.ctx.tools.register(tool(`mcp__late__t${turn * 2}`))
      await agent.say('go')
    }
    expect(new Set(harness.requests.map(request => `${toolBytes(request).join()}${request.system ?? ''}`)).size).toBe(1)
    expect(lastText(harness.requests.at(-1)!)).toBe(`mcp__late__t${turns * 2 - 2}({"q":"x"})`)
  })

  it('works from inside a program, and the SDK never changes', async () => {
    harness = await bootPlugin({
      mode: 'code',
      config: { disclosure: { mode: 'dispatch' } },
      script: [program(`
        const { results } = await tools.tool_search({ query: 'select:${ISSUE}' })
        console.log(JSON.stringify(results[0].parameters.required))
        return await tools.tool_dispatch({ name: results[0].name, arguments: { title: 'Bug' } })`), text('done')],
    })
    await (await harness.createAgent()).say('go')
    expect(lastText(harness.requests[1]!)).toBe(`["title"]\n${ISSUE}({"title":"Bug"})`)
    expect(harness.requests[1]!.system).toBe(harness.requests[0]!.system)
  })
})
