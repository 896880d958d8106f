import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { analyseWord, stemOf, vocabulary } from '../../scripts/build-english.ts'
import { IRREGULAR_FORMS, STOP_WORDS } from '../../src/text/data/english.ts'
import { isStopWord, wordTerm } from '../../src/text/english.ts'
import { porter2 } from '../../src/text/porter2.ts'

const forms = IRREGULAR_FORMS.split('\n').filter(Boolean).flatMap((line) => {
  const [lemma, ...words] = line.split(' ')
  return words.map(word => [word, lemma!] as const)
})

/** Every n-th, so that a fresh analysis by wink-nlp stays cheap. */
const sample = <T>(items: readonly T[], size: number) => items.filter((_, at) => at % Math.ceil(items.length / size) === 0)

describe('the committed word lists are what wink-nlp says', () => {
  it('of irregular forms', () => {
    expect(forms.length).toBeGreaterThan(3_000)
    // of a plural in -es that wink does not know, the singular is what it knows
    for (const [word, lemma] of sample(forms, 150)) {
      const asked = analyseWord(word)?.lemma === word ? lemma : word
      expect([word, analyseWord(asked)?.lemma]).toEqual([word, lemma])
    }
  })

  it('of stop words', () => {
    const words = STOP_WORDS.split(/\s+/).filter(Boolean)
    expect(words.length).toBeGreaterThan(200)
    for (const word of sample(words, 60)) expect([word, analyseWord(word)?.stopWord]).toEqual([word, true])
  })

  it('of ordinary words, whose term is wink\'s stem', () => {
    for (const word of sample(vocabulary(), 200)) {
      const analysis = analyseWord(word)
      if (analysis === undefined || analysis.stopWord || word.length < 3) continue
      expect([stemOf(word), stemOf(analysis.lemma)]).toContain(wordTerm(word))
    }
  })
})

describe('the stemmer gives the stems of wink', () => {
  const words = vocabulary().filter(word => word.length >= 3)
  const endings = [
    'able', 'ably', 'al', 'alism', 'ality', 'ance', 'ant', 'ate', 'ated', 'ating', 'ation', 'ational', 'ative', 'bly', 'ed', 'edly', 'eed',
    'eedly', 'ence', 'ency', 'ent', 'ently', 'er', 'es', 'ful', 'fully', 'fulness', 'ible', 'ic', 'ical', 'icate', 'icity', 'ied', 'ies',
    'ing', 'ingly', 'ion', 'ism', 'ive', 'iveness', 'ivity', 'ization', 'ize', 'izer', 'less', 'lessly', 'll', 'logy', 'ly', 'ment', 'ness',
    'or', 'ous', 'ously', 'ousness', 's', 'ss', 'sses', 'tional', 'us', 'y',
  ]

  it('to every word of its lexicon', () => {
    expect(words.length).toBeGreaterThan(20_000)
    expect(words.filter(word => porter2(word) !== stemOf(word))).toEqual([])
  })

  it('to made words with every ending', () => {
    const beginning = fc.tuple(fc.constantFrom(...words), fc.integer({ min: 1, max: 7 })).map(([word, length]) => word.slice(0, length))
    const made = fc.tuple(beginning, fc.constantFrom('', ...endings), fc.constantFrom(...endings)).map(parts => parts.join(''))
    const letters = fc.string({ unit: fc.constantFrom(...Array.from('aeiouylsdtngbrckwx')), minLength: 3, maxLength: 12 })
    fc.assert(fc.property(fc.oneof(made, letters), word => word.length < 3 || porter2(word) === stemOf(word)), { numRuns: 20_000 })
  })
})

describe('a term', () => {
  it('of an irregular form is that of its lemma', () => expect(wordTerm('indices')).toBe(wordTerm('index')))
  it('of another alphabet is the word itself', () => expect(wordTerm('погода')).toBe('погода'))
  it('is missing for what is too long to be a word', () => {
    expect(wordTerm('a'.repeat(41))).toBe('')
    expect(wordTerm('a'.repeat(40))).not.toBe('')
  })
})

it('a stop word is one in lower case', () => {
  expect(isStopWord('the')).toBe(true)
  expect(isStopWord('theme')).toBe(false)
})
