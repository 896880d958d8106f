import { describe, expect, it } from 'vitest'
import { buildCatalog } from '../../src/catalog/store.ts'
import type { ChannelRanking } from '../../src/channels/channel.ts'
import { DEFAULT_RETRIEVAL } from '../../src/retrieval-defaults.ts'
import { createRetriever } from '../../src/retriever.ts'
import type { SearchOutcome } from '../../src/retriever.ts'
import { DEFAULT_REWRITE } from '../../src/rewrite/config.ts'
import type { RewritePolicy } from '../../src/rewrite/config.ts'
import { certaintyOf } from '../../src/rewrite/decision.ts'
import type { RewriteOutcome, Rewriter } from '../../src/rewrite/types.ts'

const catalog = buildCatalog([
  { name: 'mcp__weather__get_forecast', description: 'Get the weather forecast of a city.' },
  { name: 'mcp__calendar__create_event', description: 'Create a calendar event with attendees.' },
  { name: 'mcp__mail__send_message', description: 'Send an email message to somebody.' },
  ...Array.from({ length: 40 }, (_, at) => ({ name: `mcp__ledger__booking_${at}`, description: `Booking number ${at} of a ledger.` })),
])

const retrieverWith = (change: Partial<RewritePolicy>) =>
  createRetriever({ ...DEFAULT_RETRIEVAL, rewrite: { ...DEFAULT_REWRITE, ...change } })

const giving = (outcome: RewriteOutcome): Rewriter => ({ rewrite: () => Promise.resolve(outcome) })

const applied = (...queries: string[]): Rewriter => giving({ status: 'applied', queries })

const QUERIES = ['あしたのてんき', 'weather and a message', 'booking', 'nothing of the kind', 'event', '+event calendar', 'create_event', 'select:booking_3']

const without = ({ rewrite: _rewrite, ...outcome }: SearchOutcome): string => JSON.stringify(outcome)

async function search(query: string, rewriter?: Rewriter, change: Partial<RewritePolicy> = { when: 'always' }): Promise<SearchOutcome> {
  return retrieverWith(change).search(catalog, { query, limit: 8, rewriter })
}

describe('an outcome', () => {
  it.each(QUERIES)('is the same without a rewriter, with one that fails and with rewrites turned off: %s', async (query) => {
    const off = await createRetriever({ ...DEFAULT_RETRIEVAL, rewrite: false }).search(catalog, { query, limit: 8 })
    const outcomes = await Promise.all([
      search(query),
      search(query, giving({ status: 'failed', reason: 'timeout' })),
      search(query, giving({ status: 'skipped', reason: 'route-unavailable' })),
      search(query, undefined, { when: 'auto' }),
    ])
    expect(outcomes.map(without)).toEqual(outcomes.map(() => without(off)))
  })

  it('keeps every result of the query itself when a rewrite adds its own', async () => {
    const before = await search('booking number 3')
    const after = await createRetriever(DEFAULT_RETRIEVAL).search(catalog, { query: 'booking number 3', limit: 43, rewriter: applied('send email', 'weather') })
    const names = after.results.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(before.results.map(({ name }) => name)))
  })

  it('finds the tools of several rewritten queries, and says that a rewrite found them', async () => {
    const { results, match, rewrite } = await search('あしたのてんき', applied('get weather forecast', 'send email message'))
    expect(match).toBe('ranked')
    expect(results.slice(0, 2).map(({ name }) => name).sort()).toEqual(['mcp__mail__send_message', 'mcp__weather__get_forecast'])
    expect(results[0]!.channels.bm25).toMatchObject({ rank: 1, isRewritten: true })
    expect(results[0]!.channels.exact).toBeUndefined()
    expect(rewrite).toEqual({ status: 'applied', reason: 'applied', query: 'get weather forecast\nsend email message' })
  })

  it('does not change with a rewrite of no weight', async () => {
    const before = await search('weather')
    const after = await search('weather', applied('send email message'), { when: 'always', weight: 0 })
    expect(after.results).toEqual(before.results)
  })

  it('explains the rewrite\'s share, and all shares add up to 1', async () => {
    const { explanations } = await retrieverWith({ when: 'always' }).explain(catalog, {
      query: 'weather tomorrow', limit: 8, rewriter: applied('get weather forecast of a city'),
    })
    const { shares, terms } = explanations[0]!
    expect(shares.rewrite).toBeGreaterThan(0)
    expect(Object.values(shares).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1)
    expect(terms.bm25!.map(({ term }) => term)).toEqual(expect.arrayContaining(['weather', 'forecast', 'city']))
  })
})

describe('a rewrite', () => {
  it('is not asked for where there is no word to say in another way', async () => {
    for (const [query, calls] of [['？？？', 0], ['... !', 0], ['あした', 1]] as const) {
      let asked = 0
      const counting: Rewriter = { rewrite: async () => { asked++; return { status: 'applied', queries: ['get weather forecast'] } } }
      const { match } = await search(query, counting)
      expect([query, asked, match]).toEqual([query, calls, calls === 0 ? 'none' : 'ranked'])
    }
  })

  it('gets the natural-language part of the query, the catalogue, and the signal', async () => {
    const given: unknown[] = []
    const { signal } = new AbortController()
    await retrieverWith({ when: 'always' }).search(catalog, {
      query: '  weather tomorrow ', limit: 1, signal, rewriter: {
        rewrite(...args) {
          given.push(args)
          return Promise.resolve({ status: 'failed', reason: 'timeout' })
        },
      },
    })
    expect(given).toEqual([['weather tomorrow', catalog, signal]])
  })

  it('is not waited for by channels, nor the other way round, when it is always wanted', async () => {
    const order: string[] = []
    await createRetriever({ ...DEFAULT_RETRIEVAL, rewrite: { ...DEFAULT_REWRITE, when: 'always' } }, [() => ({
      id: 'bm25',
      index: () => ({
        async search() {
          order.push('channel begins')
          await new Promise(resolve => setTimeout(resolve, 20))
          order.push('channel ends')
          return { tools: [], scores: [], matchedFields: () => [], explain: () => [] }
        },
      }),
    })]).search(catalog, {
      query: 'x', limit: 1, rewriter: {
        rewrite() {
          order.push('rewrite')
          return Promise.resolve({ status: 'failed', reason: 'timeout' })
        },
      },
    })
    expect(order).toEqual(['channel begins', 'rewrite', 'channel ends'])
  })

  it('is not kept waiting by a channel that asks another machine', async () => {
    let answer: (() => void) | undefined
    const dense = { id: 'dense' as const, index: () => ({
      search: () => new Promise<ChannelRanking>((resolve) => {
        answer = () => resolve({ tools: [0], scores: [1], strength: 0, matchedFields: () => [], explain: () => [] })
      }),
    }) }
    const { results } = await createRetriever({ ...DEFAULT_RETRIEVAL, rewrite: DEFAULT_REWRITE }, [() => dense]).search(catalog, {
      query: 'x', limit: 1, rewriter: {
        rewrite() {
          answer!()
          return Promise.resolve({ status: 'failed', reason: 'timeout' })
        },
      },
    })
    expect(results).toEqual([])
  })
})

describe('certainty', () => {
  const ranking = (tools: number[], scores: number[], strength: number): ChannelRanking =>
    ({ tools, scores, strength, matchedFields: () => [], explain: () => [] })
  const steep = [1, 0.1, 0.1, 0.1, 0.1, 0.1]
  const flat = [1, 1, 1, 1, 1, 1]

  it('is 0 without evidence, and without a fall', () => {
    expect(certaintyOf([])).toBe(0)
    expect(certaintyOf([ranking([], [], 0)])).toBe(0)
    expect(certaintyOf([ranking([1, 2, 3, 4, 5, 6], flat, 1)])).toBe(0)
  })

  it('is strength times fall times agreement', () => {
    const one = ranking([1, 2, 3, 4, 5, 6], steep, 0.8)
    const same = ranking([3, 1, 2, 7, 8, 9], steep, 0.4)
    const other = ranking([11, 12, 13, 14, 15, 16], steep, 0.4)
    expect(certaintyOf([one])).toBeCloseTo(0.8 * 0.9 / 2)
    expect(certaintyOf([one, same])).toBeCloseTo(0.6 * 0.9)
    expect(certaintyOf([one, other])).toBeCloseTo(0.6 * 0.9 / 2)
    expect(certaintyOf([one, other, ranking([], [], 0)])).toBe(certaintyOf([one, other]))
  })

  it('is at most 1', () => {
    expect(certaintyOf([ranking([1], [5], 1), ranking([1, 2, 3], [5, 1, 1], 1), ranking([1, 2, 3], [5, 1, 1], 1)])).toBeLessThanOrEqual(1)
  })
})
