import { readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import { encodeWordList } from '../../evaluation/gloss/encode.ts'
import { RAREST, readDictionary } from '../../src/gloss/dictionary.ts'

const shipped = readDictionary(readFileSync(new URL('../../data/gloss.bin', import.meta.url)))

describe('the word list file', () => {
  const words = [
    { word: '天气', glosses: ['weather'], rarity: 20 },
    { word: '天', glosses: ['day', 'sky'], rarity: 4 },
    { word: '天气预报', glosses: ['weather forecast'], rarity: RAREST },
    { word: '北京', glosses: [], rarity: 10 },
  ]
  const folds = new Map([['氣', '气'], ['預', '预'], ['報', '报']])

  it('gives back what was written', () => {
    const dictionary = readDictionary(encodeWordList({ words, folds }))
    for (const { word, glosses, rarity } of words) expect(dictionary.find(word)).toEqual({ glosses, rarity: rarity / RAREST })
    expect(dictionary.fold('天氣預報 OK')).toBe('天气预报 OK')
  })

  it('does not depend on the order of the words', () => {
    expect(encodeWordList({ words: words.toReversed(), folds })).toEqual(encodeWordList({ words, folds }))
  })

  it('has no word that was not written', () => {
    const dictionary = readDictionary(encodeWordList({ words, folds }))
    for (const word of ['', '气', '天汽', '天气预', '天气预报员的员工', 'ab']) {
      expect(dictionary.has(word)).toBe(false)
      expect(dictionary.find(word)).toBeUndefined()
    }
  })
})

describe('the shipped word list', () => {
  it('is at most 1.2 MB', () => {
    expect(readFileSync(new URL('../../data/gloss.bin', import.meta.url)).length).toBeLessThan(1.2e6)
  })

  it('translates everyday words', () => {
    expect(shipped.find('天气')?.glosses).toContain('weather')
    expect(shipped.find('图书馆')?.glosses).toContain('library')
  })

  it('calls rare words rarer than common ones', () => {
    expect(shipped.find('显微镜')!.rarity).toBeGreaterThan(shipped.find('时间')!.rarity)
  })

  it('folds traditional to simplified characters, and folding again changes nothing', () => {
    expect(shipped.fold('請幫我查詢臺灣的天氣預報')).toBe('请帮我查询台湾的天气预报')
    expect(shipped.fold('什么宁夏的覆盖')).toHaveLength(7)
    for (let code = 0x3400; code <= 0x9fff; code++) {
      const once = shipped.fold(String.fromCharCode(code))
      expect(shipped.fold(once)).toBe(once)
    }
  })

  it('leaves simplified text of everyday words alone', () => {
    const text = '什么时候可以在宁夏发布里程碑，后天干燥吗'
    expect(shipped.fold(text)).toBe(text)
  })
})
