import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planQuery } from '../../src/query/planner.ts'
import { synonymsOf } from '../../src/query/synonyms.ts'
import { wordTerm } from '../../src/text/english.ts'

/** Weight of the term of one word of a query. */
const weightOf = (query: string, surface: string) => planQuery(query).terms.find(term => term.surface === surface && term.kind !== 'single')?.weight

describe('what a word of a query weighs', () => {
  it.each([
    ['a topic', 'find the weather report', 'weather', 1],
    ['a product name', 'list GitHub issues', 'GitHub', 1],
    ['politeness', 'please list issues', 'please', undefined],
    ['wanting', 'I want the forecast', 'want', 0.3],
    ['a number', 'list the first 25 issues', '25', 0.3],
    ['what is quoted', 'send the message "happy birthday" to Ann', 'birthday', 0.3],
    ['a title', 'read the book 《三体》 aloud', '三体', 0.3],
    ['an e-mail address', 'write to ann.lee@example.com', 'example', 0],
    ['a URL', 'open https://example.com/weather/today', 'weather', 0],
    ['a path', 'read /home/ann/weather.txt', 'weather', 0],
    ['a weekday', 'book a table on Friday', 'Friday', 0.5],
    ['a Chinese wish', '帮我查询天气', '帮我', 0],
    ['a Chinese topic', '帮我查询天气', '天气', 1],
    ['a Korean ending', '날씨 알려줘', '알려', 0],
    ['a Korean topic', '날씨 알려줘', '날씨', 1],
  ])('%s', (_, query, surface, weight) => expect(weightOf(query, surface)).toBe(weight))

  it('is full when nothing else is said', () => {
    expect(planQuery('https://example.com/weather').terms.map(term => term.weight)).toEqual([1, 1, 1, 1])
    expect(planQuery('帮我').terms.every(term => term.weight === 1)).toBe(true)
  })
})

describe('a slash between words', () => {
  it('is no path', () => {
    expect(weightOf('read/write access', 'write')).toBe(1)
    expect(weightOf('pros and/or cons', 'cons')).toBe(1)
  })
})

describe('a word may be misspelled', () => {
  const correctable = (query: string) => planQuery(query).terms.filter(term => term.correctable).map(term => term.surface)

  it('when it is long, lower-case and the user\'s own', () => expect(correctable('wether forcast')).toEqual(['wether', 'forcast']))
  it('but not as a name, a short word, a value or with a digit', () => expect(correctable('Wether rain "wether" h2oooo')).toEqual([]))
})

describe('sentences', () => {
  const clauses = (query: string) => planQuery(query).clauses.map(clause => clause.text)

  it('are told apart', () => expect(clauses('Find flights to Rome. Then book a hotel! Is it raining?')).toEqual(['Find flights to Rome', 'Then book a hotel', 'Is it raining?']))
  it('also in Chinese', () => expect(clauses('查询天气。预订酒店；发送邮件')).toEqual(['查询天气', '预订酒店', '发送邮件']))
  it('but not where there is one', () => expect(clauses('Find flights to Rome.')).toEqual([]))
  it('nor at the dot of a name or a number', () => expect(clauses('run node.js 22.1 tests')).toEqual([]))
  it('nor when the others say nothing', () => expect(clauses('Find flights. Please. Thanks!')).toEqual([]))
})

describe('the grammar', () => {
  it('makes terms of required words', () => {
    expect(planQuery('list +issues').required.map(({ term }) => term)).toEqual(['issu'])
    expect(planQuery('查询 +天气').required.map(({ term }) => term)).toEqual(['天气'])
  })

  it('leaves restrictions out of the terms', () => {
    const plan = planQuery('server:github list issues')
    expect(plan.families).toEqual(['github'])
    expect(plan.terms.map(({ surface }) => surface)).toEqual(['list', 'issues'])
  })

  it('ranks nothing for a selection', () => expect(planQuery('select:create_issue').terms).toEqual([]))
})

it('says whether there are Han characters', () => {
  expect(planQuery('查询 weather').hasHan).toBe(true)
  expect(planQuery('weather 날씨').hasHan).toBe(false)
})

it('never throws, and keeps weights in 0..1', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (query) => {
    const { terms, clauses } = planQuery(query)
    for (const { weight } of [...terms, ...clauses.flatMap(clause => clause.terms)]) {
      expect(weight).toBeGreaterThanOrEqual(0)
      expect(weight).toBeLessThanOrEqual(1)
    }
  }))
})

it.each([' ', '', '!?', '\u0000'.repeat(100), '"'.repeat(8_000), 'a@'.repeat(4_000), '/a'.repeat(4_000)])('has a plan for %j', (query) => {
  expect(planQuery(query).query).toBe(query)
})

describe('synonyms', () => {
  it('go both ways', () => {
    expect(synonymsOf(wordTerm('buy'))).toContain(wordTerm('purchase'))
    expect(synonymsOf(wordTerm('purchase'))).toContain(wordTerm('buy'))
  })

  it('never hold the word itself', () => expect(synonymsOf(wordTerm('get'))).not.toContain(wordTerm('get')))
  it('are none for a word of no group', () => expect(synonymsOf('zyzzyva')).toEqual([]))
})
