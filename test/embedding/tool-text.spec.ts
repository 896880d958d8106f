import { describe, expect, it } from 'vitest'
import { buildCatalog } from '../../src/catalog/store.ts'
import type { ToolDeclaration } from '../../src/catalog/types.ts'
import { toolTexts, toolVector } from '../../src/embedding/tool-text.ts'

const textsOf = (tool: ToolDeclaration): readonly string[] => toolTexts(buildCatalog([tool]).tools[0]!)

const parameters = (...names: string[]) => ({ type: 'object', properties: Object.fromEntries(names.map(name => [name, { type: 'string' }])) })

describe('what of a tool is embedded', () => {
  it('is what it does, and what it is called with, in words', () => {
    expect(textsOf({ name: 'mcp__github__createIssue', description: 'Open an issue.', parameters: parameters('repo_name', 'issueTitle') }))
      .toEqual(['github create Issue. Open an issue.', 'github create Issue: issue Title, repo name'])
  })

  it('is its name where there is nothing else', () => {
    expect(textsOf({ name: 'get_time' })).toEqual(['get time'])
    expect(textsOf({ name: 'get_time', parameters: parameters('zone') })).toEqual(['get time', 'get time: zone'])
  })

  it('is bounded, and never half a character', () => {
    const [text] = textsOf({ name: 'long', description: `${'x'.repeat(799)}😀${'y'.repeat(1_000)}` })
    expect(text).toBe(`long. ${'x'.repeat(799)}`)
    const [, call] = textsOf({ name: 'wide', parameters: parameters(...Array.from({ length: 50 }, (_, at) => `p${String(at).padStart(2, '0')}`)) })
    expect(call!.split(', ').length).toBe(12)
  })
})

describe('the vector of a tool', () => {
  it('is nearer to its first text than to its second, whatever their lengths', () => {
    expect(toolVector([Int8Array.of(127, 0), Int8Array.of(0, 127)])).toEqual(Int8Array.of(127, 64))
    expect(toolVector([Int8Array.of(127, 0), Int8Array.of(0, 10)])).toEqual(Int8Array.of(127, 64))
  })

  it('is that of its only text', () => {
    expect(toolVector([Int8Array.of(3, 4)])).toEqual(Int8Array.of(3, 4))
  })
})
