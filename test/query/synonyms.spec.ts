import { expect, it } from 'vitest'
import { synonymsOf } from '../../src/query/synonyms.ts'
import { wordTerm } from '../../src/text/english.ts'

it('a term has its synonyms, each once and never itself; most have none', () => {
  const terms = synonymsOf(wordTerm('forecast'))
  expect(terms).toContain(wordTerm('weather'))
  expect(new Set(terms).size).toBe(terms.length)
  expect(terms).not.toContain(wordTerm('forecast'))
  expect(synonymsOf('xylophon')).toEqual([])
})
