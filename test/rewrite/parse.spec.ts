import { describe, expect, it } from 'vitest'
import { loadResponses } from '../../evaluation/rewrite/corpus.ts'
import { LONGEST_QUERY, MOST_ANSWER_CHARS, parseRewrite } from '../../src/rewrite/parse.ts'

const CORPUS = loadResponses()

const accepted = CORPUS.filter(({ queries }) => queries !== null)
const refused = CORPUS.filter(({ queries }) => queries === null)

describe('the corpus of responses', () => {
  it('has at least forty kinds that a person would accept, as many again that differ, and each once', () => {
    expect(accepted.length).toBeGreaterThanOrEqual(40)
    expect(refused.length).toBeGreaterThanOrEqual(30)
    expect(new Set(CORPUS.map(({ kind }) => kind)).size).toBe(CORPUS.length)
  })
})

describe('a response that a person would accept gives its queries', () => {
  it.each(accepted)('$kind', ({ response, queries }) => {
    expect(parseRewrite(response)).toEqual(queries)
  })
})

describe('a response that a person would not accept gives nothing', () => {
  it.each(refused)('$kind', ({ response }) => {
    expect(parseRewrite(response)).toBeUndefined()
  })
})

describe('the bounds', () => {
  const json = (queries: readonly string[]) => JSON.stringify({ queries })

  it('are four queries of 512 characters, counted as people count them', () => {
    const longest = '日𠮷'.repeat(LONGEST_QUERY / 2)
    expect(parseRewrite(json([longest]))).toEqual([longest])
    expect(parseRewrite(json([`${longest}x`]))).toBeUndefined()
    expect(parseRewrite(json(['a', 'b', 'c', 'd', 'e']))).toBeUndefined()
  })

  it.each([
    ['prose', 'word '],
    ['opening brackets', '['],
    ['opening braces and quotes', '{"a'],
    ['fences', '```json\n'],
    ['backslashes', '"\\'],
    ['objects', '{"a": 1} '],
    ['quoted words', "'a' "],
    ['reasoning tags', '<think>'],
    ['lists', '["a", '],
    ['bullets', '- a\n'],
  ])('hold for a megabyte of %s', (_kind, unit) => {
    expect(parseRewrite(unit.repeat(1_000_000 / unit.length))).toBeUndefined()
  })

  it('let an answer through that comes before a megabyte of noise', () => {
    expect(parseRewrite(`${json(['send email'])}\n${'noise '.repeat(200_000)}`)).toEqual(['send email'])
    expect(parseRewrite(`${' '.repeat(MOST_ANSWER_CHARS)}${json(['send email'])}`)).toBeUndefined()
  })
})
