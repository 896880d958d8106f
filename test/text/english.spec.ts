import { describe, expect, it } from 'vitest'
import { analyseWord, stemOf, vocabulary } from '../../scripts/build-english.ts'
import { IRREGULAR_FORMS, STOP_WORDS } from '../../src/text/data/english.ts'
import { isStopWord, wordTerm } from '../../src/text/english.ts'

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
