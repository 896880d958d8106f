import { afterEach, describe, expect, it } from 'vitest'
import { lastText, program, text, toolNames, call } from '../support/harness.ts'
import type { Harness } from '../support/harness.ts'
import { bootPlugin, FORECAST, ISSUE } from './tools.ts'

let harness: Harness

afterEach(async () => { await harness.dispose() })

async function run(mode: 'code' | 'both', ...programs: string[]): Promise<void> {
  harness = await bootPlugin({ mode, script: [...programs.map(program), text('done')] })
  await (await harness.createAgent()).say('go')
}

const system = (request: number): string => harness.requests[request]!.system!

const declares = (request: number, name: string): boolean => new RegExp(`^  ${name}: `, 'm').test(system(request))

describe('in Code Mode', () => {
  it('the SDK declares the surface, a program searches, and the next SDK declares what it found', async () => {
    await run('code', 'return (await tools.tool_search({ query: \'weather forecast\' })).results[0].name', `return await tools.${FORECAST}({ q: 'Oslo' })`)
    expect(toolNames(harness.requests[0]!)).toEqual(['run_code'])
    expect([declares(0, 'bash'), declares(0, 'tool_search'), declares(0, FORECAST), declares(0, ISSUE)]).toEqual([true, true, false, false])
    expect(lastText(harness.requests[1]!)).toBe(FORECAST)
    expect([declares(1, FORECAST), declares(1, ISSUE)]).toEqual([true, false])
    expect(lastText(harness.requests[2]!)).toBe(`${FORECAST}({"q":"Oslo"})`)
    expect(system(2)).toBe(system(1))
  })

  it('a program may call what it just found', async () => {
    await run('code', `
      const { results } = await tools.tool_search({ query: 'select:${ISSUE}' })
      return await tools[results[0].name]({ title: 'Bug' })`)
    expect(lastText(harness.requests[1]!)).toBe(`${ISSUE}({"title":"Bug"})`)
    expect(declares(1, ISSUE)).toBe(true)
  })

  it('a program that guesses wrong is told the schema, and finds the tool declared', async () => {
    await run('code', `return await tools.${ISSUE}({ title: 7 })`)
    expect(lastText(harness.requests[1]!)).toContain(`Tool "${ISSUE}" was not loaded; it is loaded now.`)
    expect(declares(1, ISSUE)).toBe(true)
  })

  it('the SDK is the same bytes as long as nothing is selected', async () => {
    await run('code', 'return 1', 'return 2')
    expect(system(1)).toBe(system(0))
    expect(system(2)).toBe(system(0))
  })
})

describe('with both presentations', () => {
  it('tools and SDK show the same surface', async () => {
    harness = await bootPlugin({ mode: 'both', script: [call('tool_search', { query: `select:${FORECAST}` }), text('done')] })
    await (await harness.createAgent()).say('go')
    expect(toolNames(harness.requests[0]!)).toEqual(['run_code', 'bash', 'read', 'tool_search'])
    expect(toolNames(harness.requests[1]!)).toEqual(['run_code', 'bash', 'read', 'tool_search', FORECAST])
    expect([declares(0, FORECAST), declares(1, FORECAST), declares(1, ISSUE)]).toEqual([false, true, false])
  })
})
