import { describe, expect, it } from 'vitest'
import { buildCatalog } from '../../src/catalog/store.ts'
import type { Catalog } from '../../src/catalog/types.ts'
import { createExactChannel, namesInQuery } from '../../src/channels/exact.ts'
import type { ChannelRanking } from '../../src/channels/channel.ts'
import { parseQuery } from '../../src/query/grammar.ts'
import type { QueryPlan } from '../../src/query/plan.ts'

const CATALOG = buildCatalog([
  'mcp__github__create_issue', 'mcp__gitlab__create_issue', 'mcp__github__list_pull_requests', 'mcp__slack__postMessage', 'mcp__fetch__fetch',
  'search', 'read', 'edit', 'theme_set', 'github', 'sign_up', 'getWeather', 'sha256', 'cli', 'Giphy__Translate', '天气查询',
].map(name => ({ name })))

function planOf(query: string): QueryPlan {
  const { kind, names, families, text } = parseQuery(query)
  return { query, kind, names, families, required: [], text, terms: [], clauses: [], hasHan: false }
}

function search(query: string, catalog: Catalog = CATALOG, limit = 100): ChannelRanking {
  return createExactChannel().index(catalog).search(planOf(query), limit) as ChannelRanking
}

/** Names that the channel gives a query, best first. */
function found(query: string, catalog: Catalog = CATALOG): string[] {
  return Array.from(search(query, catalog).tools, tool => catalog.tools[tool]!.name)
}

describe('a query that is a name', () => {
  it.each([
    ['mcp__github__list_pull_requests'], ['MCP__GITHUB__LIST_PULL_REQUESTS'], ['list_pull_requests'], ['List_Pull_Requests'], ['"list_pull_requests"'],
    ['`list_pull_requests`'], ['list_pull_requests()'], ['list_pull_requests(state="open")'], ['listPullRequests'], ['ListPullRequests'],
    ['list-pull-requests'], ['list.pull.requests'], ['list pull requests'], ['List pull requests.'], ['github list_pull_requests'],
    ['github.list_pull_requests'], ['functions.list_pull_requests'], ['ｌｉｓｔ＿ｐｕｌｌ＿ｒｅｑｕｅｓｔｓ'], ['「list_pull_requests」'],
    ['select:list_pull_requests'], ['select:list pull requests'],
  ])('%j finds the tool', (query) => {
    expect(found(query)).toEqual(['mcp__github__list_pull_requests'])
  })

  it.each([
    ['post message', ['mcp__slack__postMessage']],
    ['get_weather', ['getWeather']],
    ['search', ['search']],
    ['天气查询', ['天气查询']],
    ['postMessage, search', ['search', 'mcp__slack__postMessage']],
    ['server:gitlab create_issue', ['mcp__gitlab__create_issue']],
    ['server:gitlab select:create_issue', ['mcp__gitlab__create_issue']],
  ])('%j finds %j', (query, names) => {
    expect(found(query)).toEqual(names)
  })

  it('of several tools finds none of them, and says which there are', () => {
    for (const query of ['create_issue', 'select:create_issue', 'createIssue', 'please use create_issue']) {
      expect(found(query)).toEqual([])
      const candidates = ['mcp__github__create_issue', 'mcp__gitlab__create_issue'].map(name => CATALOG.indexByName.get(name))
      expect(namesInQuery(CATALOG, planOf(query))).toMatchObject([{ outcome: 'ambiguous', candidates }])
    }
  })

  it('that is unknown is told apart from a word that is only a word', () => {
    const outcomes = (query: string): string[] => namesInQuery(CATALOG, planOf(query)).map(({ name, outcome }) => `${name}: ${outcome}`)
    expect(outcomes('select:nothing,search')).toEqual(['nothing: unknown', 'search: found'])
    expect(outcomes('close_issue')).toEqual(['close_issue: unknown'])
    expect(outcomes('weather')).toEqual([])
    expect(outcomes('weather, search')).toEqual([])
  })
})

describe('a name inside a sentence', () => {
  it.each([
    ['please call list_pull_requests for me', ['mcp__github__list_pull_requests']],
    ['use listPullRequests now', ['mcp__github__list_pull_requests']],
    ['what does "list_pull_requests" do?', ['mcp__github__list_pull_requests']],
    ['先用list_pull_requests查看，再用postMessage发送', ['mcp__github__list_pull_requests', 'mcp__slack__postMessage']],
    ['list_pull_requests를 사용해 줘', ['mcp__github__list_pull_requests']],
    ['use `search` for it', ['search']],
    ['use the fetch tool', ['mcp__fetch__fetch']],
    ['call "fetch" on the page', ['mcp__fetch__fetch']],
    ['使用「search」工具', ['search']],
    ['用search工具找一下', ['search']],
    ['compute the sha256 of a file', ['sha256']],
    ['open an issue on gitlab with create_issue', ['mcp__gitlab__create_issue']],
    ['first mcp__slack__postMessage, then getWeather please', ['getWeather', 'mcp__slack__postMessage']],
  ])('%j finds %j', (query, names) => {
    expect(found(query)).toEqual(names)
  })

  it.each([
    ['a plain word', 'search the web for news'],
    ['part of a word', 'spreadsheet credit click themes readers'],
    ['a plural', 'list the searches and edits'],
    ['part of an identifier', 'what is my_create_issue_form or list_pull_requests_v2'],
    ['part of an address', 'open https://example.com/list_pull_requests and mail list_pull_requests@example.com'],
    ['part of a path', 'open /var/log/list_pull_requests/today'],
    ['a brand', 'show my GitHub stars'],
    ['a hyphenated word', 'build a sign-up page'],
    ['a quoted value', 'post "search" to the channel with "read"'],
    ['a tool of that kind', 'which translate tool is best for me'],
    ['several tools', 'list the search tools'],
    ['words of a name in a sentence', 'please list pull requests of mine'],
  ])('is not %s: %j', (_kind, query) => {
    expect(found(query)).toEqual([])
  })

  it('is found where it is one, in the very words it is not found in otherwise', () => {
    expect(found('what is my create_issue_form or list_pull_requests')).toEqual(['mcp__github__list_pull_requests'])
    expect(found('show my `GitHub` stars')).toEqual(['github'])
    expect(found('build a sign_up page')).toEqual(['sign_up'])
    expect(found('post with "search" tool to the channel')).toEqual(['search'])
  })
})

describe('the ranking', () => {
  const catalog = buildCatalog(['alpha_one', 'Beta_Two', 'mcp__s__gamma_three', 'deltaFour', 'zeta_six'].map(name => ({ name })))

  it('puts the stronger form of a name first, and names of one form in name order', () => {
    expect(found('select:delta_four, gamma_three, beta_two, zeta_six, alpha_one', catalog))
      .toEqual(['alpha_one', 'zeta_six', 'Beta_Two', 'mcp__s__gamma_three', 'deltaFour'])
    const { scores } = search('select:delta_four, gamma_three, beta_two, alpha_one', catalog)
    expect([...new Set(Array.from(scores))]).toEqual(Array.from(scores).sort((left, right) => right - left))
    expect(Math.min(...Array.from(scores))).toBeGreaterThan(0)
  })

  it('has each tool once, by its strongest name', () => {
    const ranking = search('select:alphaOne, alpha_one, ALPHA_ONE', catalog)
    expect([Array.from(ranking.tools), Array.from(ranking.scores)]).toEqual([[catalog.indexByName.get('alpha_one')], [1]])
  })

  it('has no more tools than asked for', () => {
    expect(search('select:alpha_one, Beta_Two, zeta_six', catalog, 2).tools).toHaveLength(2)
  })

  it('says which name meant the tool', () => {
    const leaf = search('select:gamma_three', catalog)
    expect(leaf.matchedFields(leaf.tools[0]!)).toEqual(['name'])
    expect(leaf.explain(leaf.tools[0]!)).toEqual([{ term: 'gamma_three', via: 'mcp__s__gamma_three', fields: ['name'], score: 0.8 }])
    const literal = search('select:alpha_one', catalog)
    expect(literal.explain(literal.tools[0]!)).toEqual([{ term: 'alpha_one', fields: ['name'], score: 1 }])
  })

  it('is the same in any order of registration', () => {
    const reversed = buildCatalog([...CATALOG.tools].reverse())
    for (const query of ['create_issue', 'search, postMessage', 'use getWeather and `read`', 'list pull requests']) expect(found(query, reversed)).toEqual(found(query))
    expect(found('use getWeather and `read`')).toEqual(['getWeather', 'read'])
  })

  it.each(['`', '"', 'a_', 'a.', '“a', 'use "', 'a tool ', '「', '天a'])('takes linear time: %j, again and again', (part) => {
    expect(found(part.repeat(300_000 / part.length))).toEqual([])
  })
})
