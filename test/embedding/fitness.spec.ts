import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFitness, LEAST_TRUST, lengthTrust, scriptOf } from '../../src/embedding/fitness.ts'
import { REFERENCE_TASKS } from '../../src/embedding/reference-tasks.ts'
import type { Script } from '../../src/embedding/reference-tasks.ts'
import { createVectorCache } from '../../src/embedding/vector-cache.ts'
import type { VectorCache } from '../../src/embedding/vector-cache.ts'
import { wordProvider, wordVector } from '../support/word-vectors.ts'
import type { WordProvider } from '../support/word-vectors.ts'

const never = (): AbortSignal => new AbortController().signal
const SCRIPTS = Object.keys(REFERENCE_TASKS) as Script[]

let folder: string
let cache: VectorCache

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fitness-'))
  cache = createVectorCache({ folder, identity: 'model', maxBytes: 1_000_000, warn: () => {} })
})

afterEach(async () => { await rm(folder, { recursive: true }) })

/** A model that knows the first tasks of these scripts, and takes everything else for noise. */
function knowing(scripts: readonly Script[], tasks = 12): WordProvider {
  const meanings = new Map(scripts.flatMap((script) => {
    const { asked, declared } = REFERENCE_TASKS[script]
    return asked.slice(0, tasks).flatMap((text, at) => [[text, `meaning${at}`], [declared[at]!, `meaning${at}`]] as const)
  }))
  const vectors = (texts: readonly string[]) => texts.map(text => Float32Array.from(wordVector(meanings.get(text) ?? text.replaceAll(/[^\p{L}]/gu, ''))))
  const provider = wordProvider()
  return {
    ...provider,
    async embedQueries(texts) {
      provider.queries.push(...texts)
      return vectors(texts)
    },
    async embedDocuments(texts, _signal, onVectors) {
      provider.documents.push(...texts)
      onVectors(0, vectors(texts))
    },
  }
}

describe('a model is trusted', () => {
  const trust = async (provider: WordProvider, query: Script | undefined, tools: Script | undefined) =>
    createFitness(provider, cache).trust(query, tools, never())

  it('in full with a language that it knows, and across languages that it knows', async () => {
    const provider = knowing(['latin', 'han'])
    expect([await trust(provider, 'han', 'han'), await trust(provider, 'han', 'latin'), await trust(provider, 'latin', 'han')]).toEqual([1, 1, 1])
  })

  it('hardly with one that it does not know', async () => {
    expect(await trust(knowing(['latin']), 'hangul', 'hangul')).toBe(LEAST_TRUST)
    expect(await trust(knowing(['latin']), 'hangul', 'latin')).toBe(LEAST_TRUST)
  })

  it('with as much as it knows beyond chance', async () => {
    const some = await trust(knowing(['cyrillic'], 4), 'cyrillic', 'cyrillic')
    expect(some).toBeGreaterThan(LEAST_TRUST)
    expect(some).toBeLessThan(1)
  })

  it('where nothing is measured: in Latin script, in a script without tasks, without words', async () => {
    const provider = knowing([])
    expect([await trust(provider, 'latin', 'latin'), await trust(provider, undefined, 'latin'), await trust(provider, 'han', undefined)]).toEqual([1, 1, 1])
    expect([provider.queries, provider.documents]).toEqual([[], []])
  })

  it('by what was embedded once, also after a restart', async () => {
    await trust(knowing(['han']), 'han', 'latin')
    const next = knowing([])
    expect(await trust(next, 'han', 'latin')).toBe(LEAST_TRUST)
    expect([next.queries, next.documents]).toEqual([[], []])
  })
})

describe('a query counts', () => {
  it('less when it is long, in any script', () => {
    const long = ['the build fails on the second machine since we moved to the new compiler, please look', '我们昨天换了新的编译器之后第二台机器上的构建一直失败请帮忙看看']
    expect(['play some jazz', '播放一首歌', ''].map(lengthTrust)).toEqual([1, 1, 1])
    expect(long.map(lengthTrust).every(trust => trust < 0.5)).toBe(true)
  })
})

describe('the script of a text', () => {
  it.each([
    ['what is the weather', 'latin'],
    ['明天会下雨吗', 'han'],
    ['把 GitHub 上的 issue 关掉然后通知我的同事', 'han'],
    ['create an issue about 天气', 'latin'],
    ['明日は雨が降りますか', 'kana'],
    ['내일 비가 올까', 'hangul'],
    ['завтра будет дождь', 'cyrillic'],
    ['هل ستمطر غدا', 'arabic'],
    ['फिर मिलेंगे', undefined],
    ['42 !?', undefined],
  ])('%s', (text, script) => {
    expect(scriptOf(text)).toBe(script)
  })
})

describe('the reference tasks', () => {
  it('are twelve in every script, each written in it, no two alike', () => {
    for (const script of SCRIPTS) {
      const { asked, declared } = REFERENCE_TASKS[script]
      expect([asked.length, declared.length, new Set([...asked, ...declared]).size]).toEqual([12, 12, 24])
      expect([...asked, ...declared].filter(text => scriptOf(text) !== script)).toEqual([])
    }
  })
})
