import { expect, it } from 'vitest'
import { SYNONYMS } from '../../src/query/data/synonyms.ts'
import { synonymsOf } from '../../src/query/synonyms.ts'
import { wordTerm } from '../../src/text/english.ts'

it('a term has its synonyms, each once and never itself; most have none', () => {
  const terms = synonymsOf(wordTerm('forecast'))
  expect(terms).toContain(wordTerm('weather'))
  expect(new Set(terms).size).toBe(terms.length)
  expect(terms).not.toContain(wordTerm('forecast'))
  expect(synonymsOf('xylophon')).toEqual([])
})

it('every word of the list has the terms of all its groups, in the order of the list', () => {
  const groups = SYNONYMS.split('\n').filter(line => line !== '' && !line.startsWith('#')).map(line => line.split(' ').map(wordTerm))
  const terms = new Set(groups.flat())
  expect(terms.size).toBeGreaterThan(1_000)
  for (const term of terms) {
    const others = groups.filter(group => group.includes(term)).flatMap(group => group.filter(other => other !== term))
    expect(synonymsOf(term)).toEqual([...new Set(others)])
  }
})
