import { readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import { LONGEST_WORD } from '../../src/gloss/dictionary.ts'
import { loadGlossary, parseToolWords } from '../../src/gloss/glossary.ts'
import { reverseGlossary } from '../../src/gloss/reverse.ts'

describe('the vocabulary of tools', () => {
  const text = readFileSync(new URL('../../data/gloss.tools.txt', import.meta.url), 'utf8')
  const entries = [...parseToolWords(text)]

  it('is read line by line, comments left out', () => {
    expect([...parseToolWords('# a group: of words\n登录 登入: log in, login\n\n部署: deploy')]).toEqual([
      [['登录', '登入'], ['log in', 'login']],
      [['部署'], ['deploy']],
    ])
  })

  it('has only Chinese words that can be found, and plain English terms', () => {
    expect(entries.length).toBeGreaterThan(700)
    const glossary = loadGlossary()
    for (const [words, terms] of entries) {
      for (const word of words) {
        expect(word).toMatch(/^[\u3400-\u9fff]+$/)
        expect(word.length).toBeLessThanOrEqual(LONGEST_WORD)
        expect(glossary.has(glossary.fold(word))).toBe(true)
      }
      for (const term of terms) expect(term).toMatch(/^[a-z0-9]+(?:[ -][a-z0-9]+)*$/)
    }
  })

  it('says every word once', () => {
    const glossary = loadGlossary()
    const words = entries.flatMap(([of]) => of.map(word => glossary.fold(word)))
    expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([])
  })
})

describe('the reversed glossary', () => {
  it('gives the Chinese words of the texts that translate an English phrase', () => {
    const reverse = reverseGlossary(['查询信用卡账单', '天气预报'], loadGlossary())
    expect(reverse.get('weather')).toContain('天气')
    expect(reverse.get('credit card')).toEqual(['信用卡'])
    expect(reverse.get('bill')).toContain('账单')
  })

  it('has phrases as the terms that a query has, without stop words', () => {
    expect(reverseGlossary(['登录系统'], loadGlossary()).get('log')).toEqual(['登录'])
  })

  it('knows no word that the texts do not have', () => {
    const reverse = reverseGlossary(['查询信用卡账单'], loadGlossary())
    expect(reverse.get('weather')).toBeUndefined()
    expect(reverse.get('search')).toEqual(['查询'])
  })

  it('spells words as the texts do', () => {
    expect(reverseGlossary(['天氣'], loadGlossary()).get('weather')).toEqual(['天氣'])
  })
})
