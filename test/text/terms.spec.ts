import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tokensOf } from '../../src/text/terms.ts'

const terms = (text: string) => tokensOf(text, 10_000).flatMap(({ parts, whole }) => whole === undefined ? [...parts] : [...parts, whole])

/** Whether a query of one word would meet a text of the other. */
const meet = (a: string, b: string) => terms(a).some(term => terms(b).includes(term))

describe('words of one kind are one term', () => {
  it.each([
    ['scheduling', 'schedule'], ['scheduled', 'schedules'], ['indices', 'index'], ['ran', 'run'], ['children', 'child'], ['aliases', 'alias'],
    ['statuses', 'status'], ['buses', 'bus'], ['found', 'find'], ['organisation', 'organization'], ['cafés', 'cafe'], ['ＧｉｔＨｕｂ', 'GitHub'],
    ['canvases', 'canvas'],
  ])('%s and %s', (a, b) => expect(terms(a)).toEqual(terms(b)))

  it.each([['news', 'new'], ['status', 'state'], ['theme', 'the'], ['click', 'cli'], ['spreadsheet', 'read'], ['credit', 'edit']])(
    'but %s is not %s', (a, b) => {
      expect(meet(a, a)).toBe(true)
      expect(meet(a, b)).toBe(false)
    })

  it.each(['news', 'status', 'kubernetes', 'alias'])('%s is found by its own name', word => expect(meet(word, `list ${word} entries`)).toBe(true))
})

describe('an identifier', () => {
  it('is found by its parts and as a whole', () => {
    expect(meet('html parser', 'HTMLParser2')).toBe(true)
    expect(meet('htmlparser2', 'HTMLParser2')).toBe(true)
    expect(meet('oauth', 'oauth2')).toBe(true)
    expect(meet('youtube', 'YouTube')).toBe(true)
  })
})

describe('function words', () => {
  it('say nothing', () => expect(terms('the of and with to')).toEqual([]))
  it.each(['get', 'show', 'call', 'move'])('but "%s" says what a tool does', verb => expect(terms(verb)).toHaveLength(1))
})

describe('a script without spaces', () => {
  const kinds = (text: string, kind: string) => tokensOf(text, 100).filter(token => token.kind === kind).map(token => token.surface)

  it('gives pairs, and single characters of Han and Kana', () => {
    expect(kinds('查询天气', 'pair')).toEqual(['查询', '询天', '天气'])
    expect(kinds('查询天气', 'single')).toEqual(['查', '询', '天', '气'])
    expect(kinds('カメラ', 'pair')).toEqual(['カメ', 'メラ'])
  })

  it('gives pairs only of Hangul, also for one syllable', () => {
    expect(kinds('날씨를', 'pair')).toEqual(['날씨', '씨를'])
    expect(kinds('날씨를', 'single')).toEqual([])
    expect(kinds('책', 'pair')).toEqual(['책'])
  })

  it('meets Latin words in one text', () => expect(terms('用GitHub查天气')).toEqual(expect.arrayContaining(['git', 'hub', 'github', '天气'])))

  it('counts characters, not code units', () => expect(kinds('𠮷野家', 'pair')).toEqual(['𠮷野', '野家']))
})

describe('eight thousand characters', () => {
  const CHARACTERS = 8_000
  it.each([
    ['of Chinese', '查询天气预报'], ['of one letter', 'a'], ['of base64', 'aGVsbG8gd29ybGQ'], ['like an e-mail', 'a@b.c'], ['of brackets', '([{'], ['of quotes', '"'],
    ['of camel case', 'aB'], ['of accents', 'é'], ['of slashes', 'a/'],
  ])('%s give no more tokens than twice the characters', (_, unit) => {
    const text = unit.repeat(CHARACTERS / unit.length)
    expect(tokensOf(text, CHARACTERS).length).toBeLessThanOrEqual(2 * CHARACTERS)
  })
})

it('never throws, and gives the same text the same terms', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
    expect(terms(text)).toEqual(terms(text))
  }))
})
