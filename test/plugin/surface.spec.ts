import type { Context } from '@deepseek-ai/cordis'
import { bindScopeParent, createScope } from '@deepseek-ai/dsh-scope'
import { afterEach, describe, expect, it } from 'vitest'
import { call, lastText, shownTool, text, tool, toolBytes, toolNames } from '../support/harness.ts'
import type { Harness } from '../support/harness.ts'
import { bootPlugin, FORECAST, ISSUE, TOOLS } from './tools.ts'

const SURFACE = ['bash', 'read', 'tool_search']

let harness: Harness

afterEach(async () => { await harness.dispose() })

async function firstRequest(options: Parameters<typeof bootPlugin>[0]): Promise<string[]> {
  harness = await bootPlugin({ script: [text('a')], ...options })
  await (await harness.createAgent()).say('go')
  return toolNames(harness.requests[0]!)
}

describe('the first request', () => {
  it('shows core tools and the search, whose description names the servers', async () => {
    expect(await firstRequest({})).toEqual(SURFACE)
    expect(shownTool(harness.requests[0]!, 'tool_search')!.description)
      .toMatch(/^Find tools beyond your tool list, .* Servers to search: github \(3\), calendar \(2\), weather \(1\)\.$/)
  })

  it('shows what is configured as always visible, by name and pattern, beside the core tools', async () => {
    expect(await firstRequest({ config: { disclosure: { alwaysVisible: [FORECAST, 'mcp__calendar__*'] } } }))
      .toEqual(['bash', 'mcp__calendar__create_event', 'mcp__calendar__delete_event', FORECAST, 'read', 'tool_search'])
  })

  it('never shows what is configured as never, even when it is also always visible', async () => {
    expect(await firstRequest({ config: { disclosure: { alwaysVisible: ['*'], neverSearch: ['mcp__*', 'tool_search'] } } })).toEqual(['bash', 'read'])
  })

  it('has no search when there is nothing to find', async () => {
    expect(await firstRequest({ tools: [tool('bash'), tool('read')] })).toEqual(['bash', 'read'])
    await harness.dispose()
    expect(await firstRequest({ tools: [tool('bash'), tool('read'), tool('mcp__a__b')] })).toEqual(SURFACE)
  })

  it('keeps the order that DSH was configured with', async () => {
    expect(await firstRequest({ prompt: { toolOrder: ['read', '<unlisted-tools>'] } })).toEqual(['read', 'bash', 'tool_search'])
  })

  it('shows tools that are no part of the registry: a search could never load them', async () => {
    const direct = {
      name: 'direct',
      inject: ['systemPrompt'],
      apply(ctx: Context) {
        ctx.systemPrompt.tools(() => ({ schemas: [{ name: 'provider_tool', description: 'Runs at the provider.', parameters: {} }] }))
      },
    }
    expect(await firstRequest({ before: [[direct]] })).toEqual(['bash', 'provider_tool', 'read', 'tool_search'])
  })

  it('hides nothing in mode off but what is switched off, and still searches', async () => {
    const config = { disclosure: { mode: 'off', neverSearch: ['mcp__calendar__*'] } } as const
    const script = [call('tool_search', { query: 'calendar event' }), call(FORECAST, {}), call('mcp__calendar__create_event', { q: 'x' }), text('b')]
    harness = await bootPlugin({ config, script })
    await (await harness.createAgent()).say('go')
    expect(toolNames(harness.requests[0]!).sort())
      .toEqual([...TOOLS.map(({ name }) => name).filter(name => !name.startsWith('mcp__calendar')), 'tool_search'].sort())
    expect(lastText(harness.requests[3]!)).toContain('switches it off (disclosure.neverSearch)')
    expect(toolBytes(harness.requests[1]!)).toEqual(toolBytes(harness.requests[0]!))
    expect(lastText(harness.requests[1]!)).not.toContain('mcp__calendar')
    expect(lastText(harness.requests[1]!)).not.toContain('(loaded)')
    expect(lastText(harness.requests[2]!)).toBe(`${FORECAST}({})`)
  })
})

describe('later requests', () => {
  it('are the same bytes as long as nothing is selected', async () => {
    harness = await bootPlugin({ script: [call('bash', { q: 'ls' }), call('read', { q: 'x' }), text('a'), text('b')] })
    const agent = await harness.createAgent()
    await agent.say('go')
    await agent.say('more')
    const [first, ...rest] = harness.requests
    for (const request of rest) {
      expect(toolBytes(request)).toEqual(toolBytes(first!))
      expect(request.system).toBe(first!.system)
    }
    expect(agent.events().filter(event => event.type === 'request/header')).toHaveLength(1)
  })

  it('find a server that connects late at once, and leave the prefix as it was sent', async () => {
    const late = [tool('mcp__aardvark__dig', { description: 'Dig a burrow in the ground.' }), tool('aaa_core', { description: 'A new core tool.' })]
    harness = await bootPlugin({
      config: { disclosure: { alwaysVisible: ['aaa_core'] } },
      tools: [...TOOLS, tool('bash_connect', { run: () => { late.forEach(definition => harness.ctx.tools.register(definition)); return 'ok' } })],
      script: [call('bash_connect', {}), call('tool_search', { query: 'dig a burrow' }), text('a')],
    })
    await (await harness.createAgent()).say('go')
    const [first, second, third] = harness.requests
    expect(toolBytes(second!).slice(0, 4)).toEqual(toolBytes(first!))
    expect(toolNames(second!)).toEqual(['bash', 'bash_connect', 'read', 'tool_search', 'aaa_core'])
    expect(toolBytes(third!).slice(0, 5)).toEqual(toolBytes(second!))
    expect(toolNames(third!)[5]).toBe('mcp__aardvark__dig')
  })

  it('carry the guidance sections of shown tools, and only of those', async () => {
    const guidance = {
      name: 'guidance',
      inject: ['systemPrompt'],
      apply(ctx: Context) {
        for (const name of ['bash', FORECAST, ISSUE, 'no-tool']) ctx.systemPrompt.section({ name: `tool:${name}`, order: 110, text: `How to use ${name}.` })
      },
    }
    harness = await bootPlugin({ before: [[guidance]], script: [call('tool_search', { query: 'weather' }), text('a')] })
    await (await harness.createAgent()).say('go')
    const [first, second] = harness.requests
    expect(first!.system).toContain('How to use bash.')
    expect(first!.system).toContain('How to use no-tool.')
    expect(first!.system).not.toContain(FORECAST)
    expect(second!.system).toContain(`How to use ${FORECAST}.`)
    expect(second!.system).not.toContain(ISSUE)
  })

  it('keep a search whose every tool was found', async () => {
    harness = await bootPlugin({
      tools: [tool('bash'), tool('mcp__a__only', { description: 'Feed the hamster.' })],
      script: [call('tool_search', { query: 'feed hamster' }), text('a')],
    })
    await (await harness.createAgent()).say('go')
    expect(harness.requests.map(toolNames)).toEqual([['bash', 'tool_search'], ['bash', 'tool_search', 'mcp__a__only']])
  })

  it('work under a persona that replaces the whole system prompt', async () => {
    const persona = {
      name: 'persona',
      inject: ['systemPrompt'],
      apply(ctx: Context) { ctx.systemPrompt.section({ name: 'persona:all', order: 0, text: 'Only this.', complete: true }) },
    }
    harness = await bootPlugin({ before: [[persona]], script: [call('tool_search', { query: 'weather' }), text('a')] })
    await (await harness.createAgent()).say('go')
    expect(harness.requests[0]!.system).toBe('Only this.')
    expect(toolNames(harness.requests[1]!)).toContain(FORECAST)
  })
})

describe('an agent whose tools live on a scope above it, as in the web profile', () => {
  it('is shown and finds the tools of that scope, and after a switch those of the other one', async () => {
    harness = await bootPlugin({ tools: [], script: [call('tool_search', { query: 'hamster' }), text('a'), call('tool_search', { query: 'parrot' }), text('b')] })
    const presets: object[] = []
    await harness.load({
      name: 'presets',
      inject: ['tools'],
      apply(ctx: Context) {
        for (const animal of ['hamster', 'parrot']) {
          const preset = { animal }
          const scope = createScope(ctx, preset)
          scope.ctx.tools.register(tool('bash'))
          scope.ctx.tools.register(tool(`mcp__zoo__feed_${animal}`, { description: `Feed the ${animal}.` }))
          presets.push(preset)
        }
      },
    })
    const agent = await harness.createAgent()
    const binding = bindScopeParent(agent.agent, presets[0]!)
    await agent.say('go')
    binding.rebind(presets[1]!)
    await agent.say('switched')
    expect(harness.requests.map(toolNames)).toEqual([
      ['bash', 'tool_search'], ['bash', 'tool_search', 'mcp__zoo__feed_hamster'],
      ['bash', 'tool_search'], ['bash', 'tool_search', 'mcp__zoo__feed_parrot'],
    ])
    expect(harness.ctx.tools.schemas()).toEqual([])
  })
})

describe('other listeners of the assembly', () => {
  it('may hide more, and a search does not bring it back', async () => {
    const hider = {
      name: 'hider',
      apply(ctx: Context) {
        ctx.on('system-prompt/assemble', async (_assembly, _context, next) => {
          const assembly = await next()
          return { ...assembly, tools: assembly.tools.filter(({ name }) => name !== FORECAST) }
        })
      },
    }
    harness = await bootPlugin({ before: [[hider]], script: [call('tool_search', { query: 'weather forecast' }), text('a')] })
    await (await harness.createAgent()).say('go')
    expect(toolNames(harness.requests[1]!)).not.toContain(FORECAST)
  })
})
