import { describe, expect, it } from 'vitest'
import { DEFAULT_CONFIG, resolveConfig } from '../src/config.ts'

describe('a configuration', () => {
  it('may be missing or empty: every key has a default', () => {
    expect(resolveConfig(undefined)).toEqual(DEFAULT_CONFIG)
    expect(resolveConfig({})).toEqual(DEFAULT_CONFIG)
  })

  it('changes the key that is set and leaves its siblings alone', () => {
    const { fieldWeights, disclosure, fusion } = resolveConfig({
      fieldWeights: { name: 9 }, disclosure: { mode: 'off' }, fusion: { weights: { bm25: 2 } },
    })
    expect(fieldWeights).toEqual({ ...DEFAULT_CONFIG.fieldWeights, name: 9 })
    expect(disclosure).toEqual({ ...DEFAULT_CONFIG.disclosure, mode: 'off' })
    expect(fusion).toEqual({ ...DEFAULT_CONFIG.fusion, weights: { ...DEFAULT_CONFIG.fusion.weights, bm25: 2 } })
  })

  it('takes one number for the length normalisation of every field', () => {
    expect(new Set(Object.values(resolveConfig({ bm25B: 0.5 }).bm25B))).toEqual(new Set([0.5]))
  })

  it('replaces lists as a whole', () => {
    expect(resolveConfig({ disclosure: { coreTools: ['bash'] } }).disclosure.coreTools).toEqual(['bash'])
  })
})

describe('a bad configuration fails with key, value, rule and way out', () => {
  it.each([
    [{ topK: 0 }, 'config key "topK" is 0; it must be from 1 to 50.'],
    [{ topK: 2.5 }, 'config key "topK" is 2.5; it must be an integer from 1 to 50.'],
    [{ topK: '8' }, 'config key "topK" is "8"; it must be an integer from 1 to 50.'],
    [{ topk: 8 }, 'config key "topk" is unknown; known here: topK, maxQueryChars, '],
    [{ disclosure: { mode: 'hide' } }, 'config key "disclosure.mode" is "hide"; it must be one of "auto", "inject", "dispatch", "off".'],
    [{ disclosure: { hidden: true } }, 'config key "disclosure.hidden" is unknown; known here: mode, coreTools, alwaysVisible, neverSearch, hiddenCalls, '],
    [{ disclosure: { alwaysVisible: 'bash' } }, 'config key "disclosure.alwaysVisible" is "bash"; it must be an array.'],
    [{ disclosure: { alwaysVisible: [''] } }, 'config key "disclosure.alwaysVisible.0" is empty; write a name or remove it.'],
    [{ fusion: { weights: { bm25: -1 } } }, 'config key "fusion.weights.bm25" is -1; it must be from 0 to 100.'],
    [{ fusion: { weights: { bm52: 1 } } }, 'config key "fusion.weights.bm52" is unknown; known here: exact, bm25, '],
    [{ bm25B: 2 }, 'config key "bm25B" is 2; it must be '],
    [{ bm25B: { name: 2 } }, 'config key "bm25B.name" is 2; it must be from 0 to 1.'],
    [{ families: [{ id: 'a' }] }, 'config key "families.0" needs "include"; add it.'],
    [{ families: [{ id: 'a', include: [] }] }, 'config key "families.0.include" is empty; it needs at least 1 entry.'],
    [[], 'the configuration is []; it must be an object.'],
    [7, 'the configuration is 7; it must be an object.'],
  ])('%j', (config, expected) => {
    expect(() => resolveConfig(config)).toThrow(`dsh-tool-retriever: ${expected}`)
  })
})
