import { describe, expect, it } from 'vitest'

import { glossTokens, glossTokensIn, glossTokensOf } from '../../src/gloss/gloss-tokens.ts'
import { loadGlossary } from '../../src/gloss/glossary.ts'
import type { Glossary } from '../../src/gloss/glossary.ts'
import { planQuery } from '../../src/query/planner.ts'

const wordsOf = (text: string): string[] => glossTokens(text).map(({ word }) => word)
const weightOf = (text: string, word: string): number => glossTokens(text).find(token => token.word === word)?.weight ?? 0

describe('gloss tokens of a Chinese text', () => {
  it('are its words with English alternatives, longest match first', () => {
    const tokens = glossTokens('查询天气预报')
    expect(tokens.map(({ word }) => word)).toEqual(['查询', '天气预报'])
    expect(tokens[1]!.alternatives).toContain('weather forecast')
  })

  it('use the vocabulary of tools before the dictionary', () => {
    expect(glossTokens('登录')[0]!.alternatives[0]).toBe('log in')
    expect(loadGlossary().find('登录')!.glosses).not.toContain('register')
  })

  it('are the same for simplified and traditional characters, except for the spelling of the text', () => {
    const traditional = glossTokens('上傳檔案到雲端硬碟')
    const simplified = glossTokens('上传档案到云端硬碟')
    expect(traditional.map(({ surface: _, ...token }) => token)).toEqual(simplified.map(({ surface: _, ...token }) => token))
    expect(traditional[0]!.surface).toBe('上傳')
  })

  it('know words that only Taiwan uses', () => {
    for (const [word, english] of [['列印', 'print'], ['伺服器', 'server'], ['行事曆', 'calendar'], ['滑鼠', 'mouse']] as const) {
      expect(glossTokens(word)[0]!.alternatives).toContain(english)
    }
  })

  it('leave out politeness and function words in both spellings', () => {
    expect(wordsOf('请帮我然后可以吗')).toEqual([])
    expect(wordsOf('請幫我然後可以嗎')).toEqual([])
    expect(wordsOf('请帮我翻译')).toEqual(['翻译'])
  })

  it('keep words that only contain a character of politeness', () => {
    expect(wordsOf('我想请假')).toEqual(['请假'])
    expect(wordsOf('目的地')).toEqual(['目的地'])
  })

  it('count quoted values less', () => {
    expect(weightOf('删除“天气”', '天气')).toBeCloseTo(0.3 * weightOf('删除天气', '天气'))
    expect(weightOf('删除天气', '天气')).toBeGreaterThan(0)
  })

  it('count rare words more than common ones, and single characters least', () => {
    expect(weightOf('显微镜', '显微镜')).toBeGreaterThan(weightOf('时间', '时间'))
    expect(weightOf('飞', '飞')).toBeLessThan(weightOf('飞行', '飞行'))
  })

  it('say each word once, with its greatest weight', () => {
    const tokens = glossTokens('“天气”和天气')
    expect(tokens.map(({ word }) => word)).toEqual(['天气'])
    expect(tokens[0]!.weight).toBe(weightOf('天气', '天气'))
  })

  it('are none for other scripts', () => {
    expect(glossTokens('weather forecast 2024 날씨 てんき')).toEqual([])
  })

  it('of a sentence are those of its text', () => {
    const plan = planQuery('  请查询天气。 帮我预订飞往东京的机票，再查天气！')
    expect(plan.clauses).toHaveLength(2)
    for (const clause of plan.clauses) expect(glossTokensIn(plan, clause)).toEqual(glossTokens(clause.text))
    expect(glossTokensOf(plan)).toEqual(glossTokens(plan.text))
  })

  it.each(['我想预订飞往东京的机票', '的', '鿐', '天气预报员'])('take at most six look-ups a character of 8,000 characters of %s', (phrase) => {
    let questions = 0
    const glossary = loadGlossary()
    const counting: Glossary = { ...glossary, has: word => (questions++, glossary.has(word)) }
    const text = phrase.repeat(Math.ceil(8_000 / phrase.length)).slice(0, 8_000)
    glossTokens(text, counting)
    expect(questions).toBeGreaterThan(0)
    expect(questions).toBeLessThanOrEqual(6 * text.length)
  })
})
