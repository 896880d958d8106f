import { describe, expect, it } from 'vitest'
import { buildCatalog } from '../src/catalog/store.ts'
import type { ToolDeclaration } from '../src/catalog/types.ts'
import type { ChannelFactory, ChannelId, ChannelRanking } from '../src/channels/channel.ts'
import { trustByEvidence } from '../src/evidence-trust.ts'
import { createLazyRetriever } from '../src/lazy-retriever.ts'
import { DEFAULT_RETRIEVAL } from '../src/retrieval-defaults.ts'
import { createRetriever } from '../src/retriever.ts'
import type { Answer } from '../src/results.ts'

const tool = (name: string, description: string): ToolDeclaration => ({ name, description, parameters: { type: 'object', properties: {} } })

const CATALOG = buildCatalog([
  tool('mcp__github__create_issue', 'Open a new issue in a repository.'),
  tool('mcp__gitlab__create_issue', 'Open a new issue in a project.'),
  tool('mcp__github__list_issues', 'List the issues of a repository.'),
  tool('mcp__weather__get_forecast', 'Get the weather forecast of a city.'),
  tool('mcp__mail__send_message', 'Send an e-mail to one or more people.'),
  tool('mcp__mail__delete_message', 'Delete a message for ever.'),
])

const retriever = createRetriever(DEFAULT_RETRIEVAL)

async function search(query: string, limit = 8) {
  return retriever.search(CATALOG, { query, limit })
}

describe('a search', () => {
  it('finds a tool by meaning, by words and by name, in English and in Chinese', async () => {
    for (const query of ['will it rain in Oslo tomorrow', 'forecast', 'get_forecast', '明天奥斯陆会下雨吗']) {
      expect([query, (await search(query)).results[0]?.name]).toEqual([query, 'mcp__weather__get_forecast'])
    }
  })

  it('gives the tools that were selected, in the order of the selection, and names what is unknown or ambiguous', async () => {
    const outcome = await search('select:send_message,mcp__github__list_issues,create_issue,no_such_tool')
    expect(outcome.results.map(({ name }) => name)).toEqual(['mcp__mail__send_message', 'mcp__github__list_issues'])
    expect(outcome).toMatchObject({ match: 'exact', confidence: 1, unknownNames: ['no_such_tool'] })
    expect(outcome.ambiguous).toEqual([
      { name: 'create_issue', candidates: ['mcp__github__create_issue', 'mcp__gitlab__create_issue'] },
    ])
  })

  it('keeps to a server and to required words, and says which server there is not', async () => {
    expect((await search('server:gitlab open an issue')).results.map(({ name }) => name)).toEqual(['mcp__gitlab__create_issue'])
    expect((await search('issues +list')).results.map(({ name }) => name)).toEqual(['mcp__github__list_issues'])
    expect((await search('server:bitbucket open an issue')).unknownFamilies).toEqual(['bitbucket'])
  })

  it('finds nothing for a name that nothing has, and offers the nearest names', async () => {
    const outcome = await search('select:get_forcast')
    expect(outcome.results).toEqual([])
    expect(outcome).toMatchObject({ match: 'none', confidence: 0 })
    expect(outcome.nearest).toContain('mcp__weather__get_forecast')
    expect((await search('forecast')).nearest).toEqual([])
  })

  it('is the same in any order of registration, also the one that a lazy retriever makes', async () => {
    const declared = CATALOG.tools.map(({ name, description, parameters }) => ({ name, description, parameters }))
    const reversed = buildCatalog(declared.toReversed())
    const request = { query: 'open a new issue and send it to people', limit: 8 }
    const outcome = await retriever.search(CATALOG, request)
    expect(await createRetriever(DEFAULT_RETRIEVAL).search(reversed, request)).toEqual(outcome)
    expect(await createLazyRetriever(DEFAULT_RETRIEVAL, []).search(CATALOG, request)).toEqual(outcome)
    expect(outcome.results.length).toBeGreaterThan(2)
  })

  it('explains every result by shares that add up to one', async () => {
    const { outcome, explanations } = await retriever.explain(CATALOG, { query: 'open an issue', limit: 3 })
    expect(explanations.map(({ result }) => result)).toEqual(outcome.results)
    for (const { shares } of explanations) expect(Object.values(shares).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9)
  })

  it('goes on without a channel that fails, says so, and answers as if the channel were not there', async () => {
    const broken: ChannelFactory = () => ({ id: 'dense', index: () => ({ search: () => { throw new Error('no weights') } }) })
    const names = (await import('../src/retriever.ts')).DEFAULT_CHANNELS
    const outcome = await createRetriever(DEFAULT_RETRIEVAL, [...names, broken]).search(CATALOG, { query: 'open an issue', limit: 8 })
    expect(outcome.failures).toEqual([{ channel: 'dense', state: 'failed', reason: 'no weights' }])
    expect(outcome.results).toEqual((await search('open an issue')).results)
  })

  it('is aborted by its signal', async () => {
    await expect(retriever.search(CATALOG, { query: 'x', limit: 1, signal: AbortSignal.abort(new Error('stop')) })).rejects.toThrow('stop')
  })
})

describe('weights by evidence', () => {
  const answer = (channel: ChannelId, strength: number, tools: number[] = [1]): Answer => {
    const ranking: ChannelRanking = { tools, scores: tools.map(() => 1), strength, matchedFields: () => [], explain: () => [] }
    return { channel, ranking }
  }
  const trusts = (answers: Answer[], knownHan?: number) =>
    Object.fromEntries(trustByEvidence(answers, { knownHan }).map(({ channel, ranking }) => [channel, ranking.trust ?? 1]))

  it('let meaning count more the less words find, within bounds', () => {
    expect(trusts([answer('bm25', 4), answer('semantic', 0.5)])).toEqual({ bm25: 1, semantic: 1 })
    expect(trusts([answer('bm25', 0.5), answer('semantic', 0.5)])['semantic']).toBeCloseTo(Math.SQRT2, 9)
    expect(trusts([answer('bm25', 0.01), answer('semantic', 0.5)])['semantic']).toBe(1.8)
    expect(trusts([answer('bm25', 0, []), answer('semantic', 0.5)])['semantic']).toBe(1.8)
  })

  it('leave words to the glosses where a Chinese query meets tools of another language', () => {
    const answers = [answer('bm25', 1), answer('semantic', 0.5), answer('gloss', 1)]
    expect(trusts(answers, 0.1)['bm25']).toBe(0)
    expect(trusts(answers, 0.5)['bm25']).toBe(1)
    expect(trusts(answers)['bm25']).toBe(1)
    expect(trusts([answer('bm25', 1), answer('gloss', 0, [])], 0.1)['bm25']).toBe(1)
  })
})
