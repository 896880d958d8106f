import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { render } from '../../scripts/build-synonyms.ts'
import { synonymsOf } from '../../src/query/synonyms.ts'
import { wordTerm } from '../../src/text/english.ts'

it('the committed terms are those of the hand-written groups', () => {
  expect(readFileSync(new URL('../../src/query/data/synonym-terms.ts', import.meta.url), 'utf8')).toBe(render())
})

it('a term has its synonyms, each once and never itself; most have none', () => {
  const terms = synonymsOf(wordTerm('forecast'))
  expect(terms).toContain(wordTerm('weather'))
  expect(new Set(terms).size).toBe(terms.length)
  expect(terms).not.toContain(wordTerm('forecast'))
  expect(synonymsOf('xylophon')).toEqual([])
})
