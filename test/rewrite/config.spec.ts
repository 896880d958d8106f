import { describe, expect, it } from 'vitest'
import { DEFAULT_CONFIG, resolveConfig } from '../../src/config.ts'

const rewrite = (given: unknown) => resolveConfig({ rewrite: given }).rewrite

describe('the key rewrite', () => {
  it('has defaults that one key does not reset', () => {
    expect(rewrite(undefined)).toEqual(DEFAULT_CONFIG.rewrite)
    expect(rewrite(true)).toEqual(DEFAULT_CONFIG.rewrite)
    expect(rewrite({ timeoutMs: 900 })).toEqual({ ...DEFAULT_CONFIG.rewrite as object, timeoutMs: 900 })
    expect(DEFAULT_CONFIG.rewrite).toMatchObject({ when: 'auto', minCatalogSize: 32 })
  })

  it('is turned off by false', () => {
    expect(rewrite(false)).toBe(false)
  })

  it('takes provider and model together only', () => {
    expect(rewrite({ provider: 'deepseek-official', model: 'm' })).toMatchObject({ provider: 'deepseek-official', model: 'm' })
    expect(() => rewrite({ provider: 'p' })).toThrow('config key "rewrite.provider" is "p", but rewrite.model is not set; set both, or neither to use the model of each agent.')
    expect(() => rewrite({ model: 'm' })).toThrow('config key "rewrite.model" is "m", but rewrite.provider is not set')
  })

  it.each([
    [{ when: 'sometimes' }, '"rewrite.when" is "sometimes"; it must be one of "auto", "always", "never"'],
    [{ timeoutMs: 5 }, '"rewrite.timeoutMs" is 5; it must be from 100 to 120000'],
    [{ minCatalogSize: 1.5 }, '"rewrite.minCatalogSize" is 1.5; it must be an integer'],
    [{ model: '' }, '"rewrite.model" is empty'],
    [{ apiKey: 'x' }, '"rewrite.apiKey" is unknown; known here: when, minCatalogSize, weight, provider, model, timeoutMs, maxTokens, cacheSize'],
    [{ maxTokens: 1 }, '"rewrite.maxTokens" is 1; it must be from 32 to 32768'],
  ])('refuses %j', (given, message) => {
    expect(() => rewrite(given)).toThrow(message)
  })
})
