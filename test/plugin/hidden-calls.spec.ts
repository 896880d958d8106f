import type { Context } from '@deepseek-ai/cordis'
import { CallId } from '@deepseek-ai/dsh-llm'
import { afterEach, describe, expect, it } from 'vitest'
import { call, lastText, text, tool, toolNames } from '../support/harness.ts'
import type { Harness } from '../support/harness.ts'
import { bootPlugin, FORECAST, ISSUE, TOOLS } from './tools.ts'

let harness: Harness

afterEach(async () => { await harness.dispose() })

const SURFACE = ['bash', 'read', 'tool_search']

async function afterCall(
  name: string, args: unknown, options: Parameters<typeof bootPlugin>[0] = {},
): Promise<{ answer: string; shown: string[] }> {
  harness = await bootPlugin({ script: [call(name, args), text('done')], ...options })
  await (await harness.createAgent()).say('go')
  return { answer: lastText(harness.requests[1]!), shown: toolNames(harness.requests[1]!) }
}

describe('a call of a deferred tool', () => {
  it('runs when its arguments fit, and the tool is loaded', async () => {
    expect(await afterCall(ISSUE, { title: 'Bug' })).toEqual({ answer: `${ISSUE}({"title":"Bug"})`, shown: [...SURFACE, ISSUE] })
  })

  it('is answered with the schema when they do not, and the tool is loaded', async () => {
    const { answer, shown } = await afterCall(ISSUE, { title: 7 })
    expect(answer).toContain(`Error: Tool "${ISSUE}" was not loaded; it is loaded now. The call did not run: /title must be string.`)
    expect(answer).toContain(JSON.stringify(TOOLS.find(({ name }) => name === ISSUE)!.parameters))
    expect(shown).toEqual([...SURFACE, ISSUE])
  })

  it('names what is missing', async () => {
    expect((await afterCall(ISSUE, {})).answer).toContain('arguments must have required property \'title\'')
  })

  it('runs whatever its arguments when the policy is run', async () => {
    const { answer, shown } = await afterCall(ISSUE, { title: 7 }, { config: { disclosure: { hiddenCalls: 'run' } } })
    expect(answer).toBe(`${ISSUE}({"title":7})`)
    expect(shown).toEqual([...SURFACE, ISSUE])
  })

  it('never runs when the policy is deny, and says how to load it', async () => {
    const { answer, shown } = await afterCall(ISSUE, { title: 'Bug' }, { config: { disclosure: { hiddenCalls: 'deny' } } })
    expect(answer).toBe(`Error: Tool "${ISSUE}" is not loaded. Load it first: tool_search {"query": "select:${ISSUE}"}`)
    expect(shown).toEqual(SURFACE)
  })

  it('is left to the tool itself when its schema is no schema', async () => {
    const broken = tool('mcp__x__broken', { parameters: { type: 'object', properties: { a: { $ref: '#/nowhere' } } } })
    expect((await afterCall('mcp__x__broken', { a: 1 }, { tools: [...TOOLS, broken] })).answer).toBe('mcp__x__broken({"a":1})')
  })

  it('still asks for the approval that the host wants', async () => {
    const asks = { name: 'asks', apply(ctx: Context) { ctx.on('tools/pre-execute', async exec => exec.name === ISSUE ? { kind: 'ask' } : { kind: 'allow' }) } }
    const { answer, shown } = await afterCall(ISSUE, { title: 'Bug' }, { before: [[asks]] })
    expect(answer).toContain('requires approval')
    expect(shown).toEqual(SURFACE)
  })

  it('is DSH\'s own unknown tool when there is no such tool', async () => {
    expect((await afterCall('mcp__x__nothing', {})).answer).toBe('Error: unknown tool "mcp__x__nothing"')
  })
})

describe('a call of a tool that is switched off', () => {
  it('never runs', async () => {
    const { answer, shown } = await afterCall(FORECAST, { q: 'x' }, { config: { disclosure: { neverSearch: [FORECAST], hiddenCalls: 'run' } } })
    expect(answer).toContain('disclosure.neverSearch')
    expect(shown).toEqual(SURFACE)
  })
})

describe('a call that the model did not write', () => {
  it('is none of the guard\'s business: a tool of a plugin knows what it calls', async () => {
    const wrapper = tool('bash_wrapper', {
      run: async (_args, exec) => {
        const result = await harness.ctx.tools.execute({
          callId: CallId('inner'), rootCallId: exec.rootCallId, name: ISSUE, arguments: { title: 7 }, agent: exec.agent!, parent: exec.token, signal: exec.signal,
        })
        return JSON.stringify(result.content)
      },
    })
    const { answer } = await afterCall('bash_wrapper', {}, { tools: [...TOOLS, wrapper] })
    expect(answer).toContain(`${ISSUE}(`)
  })
})
