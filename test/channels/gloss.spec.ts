import { beforeEach, describe, expect, it, vi } from 'vitest'

import { buildCatalog } from '../../src/catalog/store.ts'
import type { ToolDeclaration } from '../../src/catalog/types.ts'
import { createGlossChannel } from '../../src/channels/gloss.ts'
import type { ChannelRanking } from '../../src/channels/channel.ts'
import { createLexicalIndexer } from '../../src/channels/lexical-index.ts'
import { planQuery } from '../../src/query/planner.ts'
import { DEFAULT_RETRIEVAL } from '../../src/retrieval-defaults.ts'

const ENGLISH: readonly ToolDeclaration[] = [
  { name: 'get_forecast', description: 'Weather forecast for a city' },
  { name: 'upload_file', description: 'Upload a file to cloud storage' },
  { name: 'create_pull_request', description: 'Open a pull request in a repository' },
  { name: 'request_transfer', description: 'Request a money transfer' },
  { name: 'search_flights', description: 'Find flights between two airports' },
  { name: 'take_screenshot', description: 'Capture the screen' },
]

const CHINESE: readonly ToolDeclaration[] = [
  { name: 'tool_a', description: '查询某个城市的天气预报' },
  { name: 'tool_b', description: '上传文件到云盘' },
  { name: 'tool_c', description: '预订酒店房间' },
  { name: 'tool_d', description: '查询信用卡账单' },
]

function search(tools: readonly ToolDeclaration[], query: string): { names: string[]; ranking: ChannelRanking } {
  const catalog = buildCatalog(tools)
  const channel = createGlossChannel({ config: DEFAULT_RETRIEVAL, lexicalIndex: createLexicalIndexer(DEFAULT_RETRIEVAL) })
  const ranking = channel.index(catalog).search(planQuery(query), 10) as ChannelRanking
  return { names: Array.from(ranking.tools, tool => catalog.tools[tool]!.name), ranking }
}

describe('a Chinese query on English definitions', () => {
  it.each([
    ['明天北京的天气预报', 'get_forecast'],
    ['請幫我查詢天氣預報', 'get_forecast'],
    ['把报告上传到云盘', 'upload_file'],
    ['請幫我上傳檔案到雲端硬碟', 'upload_file'],
    ['帮我订一张去上海的航班', 'search_flights'],
    ['截个屏幕截图', 'take_screenshot'],
  ])('%s finds %s', (query, name) => {
    expect(search(ENGLISH, query).names[0]).toBe(name)
  })

  it('takes a phrase of two words for more than one of the words', () => {
    const { names } = search(ENGLISH, '创建拉取请求')
    expect(names[0]).toBe('create_pull_request')
    expect(names).toContain('request_transfer')
  })

  it('uses the English words of a mixed query too', () => {
    const tools = [...ENGLISH, { name: 'gitlab_upload', description: 'Upload to GitLab' }]
    expect(search(tools, '上传到 gitlab').names[0]).toBe('gitlab_upload')
    expect(search(tools, '上传文件').names[0]).toBe('upload_file')
  })

  it('counts the best alternative of a word, never the sum', () => {
    const tools = [
      { name: 'a', description: 'search query find check retrieve view' },
      { name: 'b', description: 'retrieve' },
      { name: 'c', description: 'something else' },
    ]
    const { ranking } = search(tools, '查询')
    expect(ranking.explain(0)).toHaveLength(1)
    expect(ranking.scores[0]).toBeCloseTo(Math.max(...ranking.explain(ranking.tools[0]!).map(({ score }) => score)))
  })

  it('explains by which translation and field a tool was found', () => {
    const { ranking } = search(ENGLISH, '天气')
    expect(ranking.explain(ranking.tools[0]!)[0]).toMatchObject({ term: '天气', via: 'weather', fields: ['description'] })
    expect(ranking.matchedFields(ranking.tools[0]!)).toEqual(['name', 'description'])
    expect(ranking.strength).toBeGreaterThan(0.2)
  })

  it('gives the same answer the second time', () => {
    const catalog = buildCatalog(ENGLISH)
    const index = createGlossChannel({ config: DEFAULT_RETRIEVAL, lexicalIndex: createLexicalIndexer(DEFAULT_RETRIEVAL) }).index(catalog)
    const once = index.search(planQuery('上传文件'), 10) as ChannelRanking
    const twice = index.search(planQuery('上传文件'), 10) as ChannelRanking
    expect(Array.from(twice.scores)).toEqual(Array.from(once.scores))
    expect(once.tools.length).toBeGreaterThan(0)
  })

  it('does not follow a quoted value', () => {
    expect(search(ENGLISH, '上传“天气预报”').names[0]).toBe('upload_file')
  })
})

describe('an English query on Chinese definitions', () => {
  it.each([
    ['weather in Paris', 'tool_a'],
    ['upload a document', 'tool_b'],
    ['book a hotel', 'tool_c'],
    ['credit card bill', 'tool_d'],
  ])('%s finds %s', (query, name) => {
    expect(search(CHINESE, query).names[0]).toBe(name)
  })

  it('finds definitions in traditional characters', () => {
    expect(search([{ name: 'x', description: '預訂酒店房間' }, { name: 'y', description: '天氣預報' }], 'weather').names).toEqual(['y'])
  })

  it('lets English and Chinese tools compete by all the words they share with the query', () => {
    const tools = [...CHINESE, { name: 'weather_history', description: 'Weather of past years for a city' }]
    expect(search(tools, 'weather of past years').names.slice(0, 2)).toEqual(['weather_history', 'tool_a'])
  })
})

describe('a Chinese query on Chinese definitions', () => {
  it('finds English names', () => {
    const tools = [{ name: 'delete_note', description: '移走一则笔记' }, { name: 'add_note', description: '写一则笔记' }]
    expect(search(tools, '删除').names).toEqual(['delete_note'])
  })

  it('finds words in the other spelling', () => {
    expect(search(CHINESE, '預訂').names).toEqual(['tool_c'])
  })
})

describe('without anything to translate', () => {
  it.each([
    ['an English query on English tools', ENGLISH, 'upload a file'],
    ['a Chinese query that no tool knows', ENGLISH, '恐龙化石'],
    ['a Chinese query of politeness', ENGLISH, '请帮我一下'],
    ['an English query that no Chinese tool knows', CHINESE, 'dinosaur fossils'],
    ['a blank query', CHINESE, '  '],
    ['an empty catalogue', [], '天气'],
  ] as const)('%s has no evidence', (_, tools, query) => {
    expect(search(tools, query).names).toEqual([])
  })
})

describe('the word list', () => {
  beforeEach(() => {
    vi.resetModules()
  })

  async function isLoadedAfter(tools: readonly ToolDeclaration[], query: string): Promise<boolean> {
    const { createGlossChannel: createFresh } = await import('../../src/channels/gloss.ts')
    const { isGlossaryLoaded } = await import('../../src/gloss/glossary.ts')
    const channel = createFresh({ config: DEFAULT_RETRIEVAL, lexicalIndex: createLexicalIndexer(DEFAULT_RETRIEVAL) })
    const index = channel.index(buildCatalog(tools))
    expect(isGlossaryLoaded()).toBe(false)
    await index.search(planQuery(query), 10)
    return isGlossaryLoaded()
  }

  it('is not read for an English query on English tools', async () => {
    expect(await isLoadedAfter(ENGLISH, 'upload a file')).toBe(false)
  })

  it('is read for a Chinese query', async () => {
    expect(await isLoadedAfter(ENGLISH, '上传文件')).toBe(true)
  })

  it('is read for an English query on Chinese tools', async () => {
    expect(await isLoadedAfter(CHINESE, 'upload a file')).toBe(true)
  })
})
