import { describe, expect, it } from 'vitest'
import { benchCatalog, benchQueries } from '../../evaluation/bench/catalogs.ts'
import { foreignQueries } from '../../evaluation/probes/foreign.ts'
import { createSiblingTest, leafNoun, wrongSiblingRate } from '../../evaluation/probes/siblings.ts'
import { misspell, typoPairs, withTypo } from '../../evaluation/probes/typos.ts'
import { createRandom } from '../../evaluation/random.ts'
import { scoreAnswer } from '../../evaluation/metrics.ts'
import type { JudgedQuery, QuerySet } from '../../evaluation/sets.ts'

const judged = (query: string, relevant: readonly string[], id = query): JudgedQuery => ({ id, query, relevant, any: false, lang: 'en' })

const set = (name: string, tools: readonly string[], queries: readonly JudgedQuery[], source = name): QuerySet => ({
  name, tools: tools.map(tool => ({ name: tool, description: `About ${tool}.` })), queries, unanswerable: [], source, catalogLang: 'en', hash: '',
})

/** Edits between two words, with swapped neighbours as one (optimal string alignment). */
function distance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => [i, ...Array.from({ length: b.length }, (__, j) => i === 0 ? j + 1 : 0)])
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      rows[i]![j] = Math.min(
        rows[i - 1]![j]! + 1,
        rows[i]![j - 1]! + 1,
        rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
        swapped ? rows[i - 2]![j - 2]! + 1 : Infinity,
      )
    }
  }
  return rows[a.length]![b.length]!
}

describe('typing errors', () => {
  it('are exactly one edit away, of every sort', () => {
    const random = createRandom(1)
    const edits = Array.from({ length: 300 }, () => misspell('schedule', random))
    for (const edit of edits) expect(distance('schedule', edit)).toBe(1)
    expect(new Set(edits.map(edit => edit.length))).toEqual(new Set([7, 8, 9]))
  })

  it('touch one word of five letters or more, and no identifier, path or address', () => {
    const query = 'open issue_tracker at https://example.com/weather or ask someone@example.com about weather'
    for (let seed = 0; seed < 40; seed++) {
      const typo = withTypo(query, () => true, createRandom(seed))!
      expect(distance(query, typo)).toBe(1)
      expect(typo).toContain('open issue_tracker at https://example.com/weather or ask someone@example.com ')
    }
  })

  it('are not made where no word can have one', () => {
    expect(withTypo('get a map of it', () => true, createRandom(1))).toBeUndefined()
    expect(withTypo('天气预报', () => true, createRandom(1))).toBeUndefined()
  })

  it('hit a word that the right tool has when that is asked for, the same one each time', () => {
    const pairs = () => typoPairs(set('s', ['show_weather'], [judged('tomorrow weather please', ['show_weather'])]), 'telling')
    expect(pairs()).toEqual(pairs())
    expect(pairs()[0]!.typo.query).toMatch(/^tomorrow \S+ please$/)
    expect(pairs()[0]!.typo.query).not.toBe('tomorrow weather please')
  })
})

describe('siblings', () => {
  it.each([
    ['get_user', 'user'], ['delete_users', 'user'], ['userList', 'user'], ['listHTTPServers', 'server'], ['get_status', 'status'], ['search', undefined],
  ])('the leaf noun of %s is %s', (name, noun) => {
    expect(leafNoun(name)).toBe(noun)
  })

  it('share a server or a leaf noun', () => {
    const areSiblings = createSiblingTest(['mcp__a__get_user', 'mcp__a__send_mail', 'mcp__b__list_users', 'mcp__b__search_web'].map(name => ({ name })))
    expect(areSiblings('mcp__a__get_user', 'mcp__a__send_mail')).toBe(true)
    expect(areSiblings('mcp__a__get_user', 'mcp__b__list_users')).toBe(true)
    expect(areSiblings('mcp__a__send_mail', 'mcp__b__list_users')).toBe(false)
  })

  it('count only where the first result is wrong', () => {
    const answer = (names: readonly string[]) => {
      const query = judged('q', ['get_user'])
      return { names, query, ms: 0, scores: scoreAnswer(names, query) }
    }
    const areSiblings = (name: string, other: string) => name.endsWith('user') && other.endsWith('user')
    expect(wrongSiblingRate([answer(['get_user']), answer(['list_user', 'get_user']), answer(['other']), answer([])], areSiblings)).toBe(0.25)
  })
})

describe('foreign queries', () => {
  it('come from other sources only', () => {
    const sets = [
      set('a', ['x'], [judged('from a', ['x'])], 'one'),
      set('a-steps', ['x'], [judged('from a-steps', ['x'])], 'one'),
      set('b', ['y'], [judged('from b', ['y'])], 'two'),
    ]
    expect(foreignQueries(sets[0]!, sets, 10).map(({ query }) => query)).toEqual(['from b'])
  })
})

describe('catalogues of a benchmark', () => {
  const sets = [set('small', ['a', 'b'], []), set('judged', ['c', 'd', 'e'], [judged('q', ['c'])])]

  it('are real as far as there are tools, then recombined, and have distinct names', () => {
    expect(benchCatalog(sets, 2)).toMatchObject({ origin: 'real', size: 2 })
    expect(benchCatalog(sets, 5).origin).toBe('real')
    const large = benchCatalog(sets, 12)
    expect(large.origin).toBe('recombined')
    expect(new Set(large.tools.map(({ name }) => name)).size).toBe(12)
  })

  it('are the same each time', () => {
    expect(benchCatalog(sets, 12)).toEqual(benchCatalog(sets, 12))
    expect(benchQueries(sets, 5)).toEqual([{ query: 'q', isEnglish: true }])
  })
})
