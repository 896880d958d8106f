import { describe, expect, it } from 'vitest'
import { resolveConfig } from '../src/config.ts'
import type { DenseConfig } from '../src/dense-config.ts'

function dense(config: unknown): DenseConfig {
  return resolveConfig({ dense: config }).dense as DenseConfig
}

describe('the dense channel', () => {
  it('is off unless it is asked for', () => {
    expect([resolveConfig({}).dense, dense(false)]).toEqual([false, false])
  })

  it('has a default for every key: true and an empty object mean multilingual E5', () => {
    expect(dense(true)).toMatchObject({ provider: 'e5', model: 'Xenova/multilingual-e5-small', dtype: 'q8', queryPrefix: 'query: ', documentPrefix: 'passage: ' })
    expect(dense({})).toEqual(dense(true))
  })

  it('changes the key that is set and leaves its siblings alone', () => {
    expect(dense({ batchSize: 3 })).toEqual({ ...dense(true), batchSize: 3 })
  })

  it('has the prefixes of E5 for models of this family, and none for others', () => {
    const prefixes = (model: string) => [dense({ model }).queryPrefix, dense({ model }).documentPrefix]
    for (const model of ['intfloat/multilingual-e5-large', 'Xenova/e5-small-v2', 'e5']) expect(prefixes(model), model).toEqual(['query: ', 'passage: '])
    for (const model of ['onnx-community/all-MiniLM-L6-v2-ONNX', 'me5t/ye5', 'intfloat/multilingual-e5-large-instruct']) {
      expect(prefixes(model), model).toEqual(['', ''])
    }
    expect(dense({ model: 'e5', queryPrefix: '' }).queryPrefix).toBe('')
  })

  it('needs the address and the model of an endpoint', () => {
    const url = 'http://127.0.0.1:11434/v1'
    expect(dense({ provider: 'http', url, model: 'bge-m3', apiKeyEnv: 'KEY' })).toMatchObject({ provider: 'http', url, model: 'bge-m3', apiKeyEnv: 'KEY', queryPrefix: '' })
  })
})

describe('a bad configuration of it fails with key, value, rule and way out', () => {
  it.each([
    ['yes', 'config key "dense" is "yes"; it must be '],
    [{ provider: 'openai' }, 'config key "dense.provider" is "openai"; it must be one of "e5", "http".'],
    [{ modle: 'x' }, 'config key "dense.modle" is unknown; known here: provider, model, '],
    [{ batchSize: 0 }, 'config key "dense.batchSize" is 0; it must be from 1 to 1000.'],
    [{ dtype: 'q5' }, 'config key "dense.dtype" is "q5"; it must be one of '],
    [{ wait: -1 }, 'config key "dense.wait" is -1; it must be '],
    [{ model: '' }, 'config key "dense.model" is empty; write a name or remove it.'],
    [{ provider: 'http', model: 'm' }, 'config key "dense" needs "url" for provider "http", such as "http://127.0.0.1:11434/v1"; add it.'],
    [{ provider: 'http', url: 'http://a/v1' }, 'config key "dense" needs "model" for provider "http"'],
    [{ provider: 'http', model: 'm', url: 'localhost:1' }, 'config key "dense.url" is "localhost:1"; it must be an http or https address'],
    [{ provider: 'http', model: 'm', url: 'http://me:secret@a/v1' }, 'config key "dense.url" has a user name or password in it; '],
    [{ url: 'http://a/v1' }, 'config key "dense.url" belongs to provider "http", but dense.provider is "e5". Remove one of them.'],
    [{ provider: 'http', model: 'm', url: 'http://a/v1', dtype: 'q4' }, 'config key "dense.dtype" belongs to provider "e5", but dense.provider is "http".'],
  ])('%j', (config, expected) => {
    expect(() => dense(config)).toThrow(`dsh-tool-retriever: ${expected}`)
  })
})
