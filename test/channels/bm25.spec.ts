import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildCatalog } from '../../src/catalog/store.ts'
import type { Catalog, ToolDeclaration } from '../../src/catalog/types.ts'
import { createBm25Channel, rankEvidence } from '../../src/channels/bm25.ts'
import { createLexicalIndexer } from '../../src/channels/lexical-index.ts'
import { atLeast, topK } from '../../src/channels/top-k.ts'
import { planQuery } from '../../src/query/planner.ts'
import { DEFAULT_RETRIEVAL } from '../../src/retrieval-defaults.ts'
import type { ChannelRanking } from '../../src/channels/channel.ts'

const config = DEFAULT_RETRIEVAL

function channel() {
  return createBm25Channel({ config, lexicalIndex: createLexicalIndexer(config) })
}

async function rank(catalog: Catalog, query: string, limit = 100): Promise<ChannelRanking> {
  return channel().index(catalog).search(planQuery(query), limit)
}

const namesOf = (catalog: Catalog, { tools }: ChannelRanking): string[] => Array.from(tools, tool => catalog.tools[tool]!.name)

async function found(tools: readonly ToolDeclaration[], query: string): Promise<string[]> {
  const catalog = buildCatalog(tools)
  return namesOf(catalog, await rank(catalog, query))
}

const tool = (name: string, description = '', parameters: Record<string, unknown> = {}): ToolDeclaration =>
  ({ name, description, parameters: { type: 'object', properties: parameters } })

const OFFICE = [
  tool('create_issue', 'Open a new issue in a repository.', { title: { type: 'string', description: 'Headline of the issue' } }),
  tool('list_issues', 'List the issues of a repository.', { state: { type: 'string', enum: ['open', 'closed'] } }),
  tool('delete_issue', 'Remove an issue from a repository.'),
  tool('send_email', 'Send an e-mail to one or more people.', { recipients: { type: 'array', items: { type: 'string' } } }),
  tool('get_weather', 'Current weather of a city.', { city: { type: 'string', description: 'Name of the municipality' } }),
  tool('schedule_meeting', 'Put a meeting into the calendar.'),
  tool('convert_currency', 'Convert an amount from one currency to another.'),
]

describe('evidence is found', () => {
  it.each([
    ['in the name', 'create issue', 'create_issue'],
    ['in the description', 'people', 'send_email'],
    ['in the name of a parameter', 'recipients', 'send_email'],
    ['in the description of a parameter', 'municipality', 'get_weather'],
    ['in the values of a parameter', 'closed', 'list_issues'],
    ['through another form of the word', 'scheduling', 'schedule_meeting'],
    ['through a synonym', 'arrange an appointment', 'schedule_meeting'],
    ['through a synonym of a domain', 'forecast', 'get_weather'],
    ['through one wrong letter', 'wether', 'get_weather'],
    ['through two letters in the wrong order', 'curerncy', 'convert_currency'],
    ['through a letter too many', 'meetting', 'schedule_meeting'],
    ['in a camel-case query', 'createIssue', 'create_issue'],
  ])('%s', async (_, query, name) => expect((await found(OFFICE, query))[0]).toBe(name))
})

describe('evidence is not found', () => {
  it.each([
    ['inside other words', 'the cli', [tool('change_theme', 'Theme of the editor'), tool('click_button', 'Click a button')], 'click a theme'],
    ['inside a long word', 'edit', [tool('credit_score', 'Credit score')], 'credit'],
    ['in function words', 'the of and', OFFICE, 'the weather'],
    ['in punctuation', '?!… ---', OFFICE, 'weather?!'],
    ['in nothing', '', OFFICE, 'weather'],
    ['two wrong letters away', 'waethre', OFFICE, 'weahter'],
    ['for a capitalised word one letter away', 'Wether', OFFICE, 'wether'],
  ])('%s', async (_, query, tools, control) => {
    expect(await found(tools, query)).toEqual([])
    expect(await found(tools, control)).not.toEqual([])
  })
})

describe('siblings are told apart', () => {
  it.each([
    ['delete the issue', 'delete_issue'],
    ['list issues', 'list_issues'],
    ['create an issue', 'create_issue'],
  ])('%s', async (query, name) => expect((await found(OFFICE, query))[0]).toBe(name))

  it('by the name that is asked for as a whole', async () => {
    const tools = [tool('get_weather_radar_tile', 'Weather'), tool('get_weather', 'Weather'), tool('get_weather_alert_zone', 'Weather')]
    expect((await found(tools, 'get weather'))[0]).toBe('get_weather')
  })

  it('by the order of words', async () => {
    const tools = [tool('one', 'Adds a list to a user.'), tool('two', 'Adds a user to a list.')]
    expect((await found(tools, 'user list'))[0]).toBe('two')
    expect((await found(tools, 'list user'))[0]).toBe('one')
  })
})

describe('a tool that stuffs its description', () => {
  const stuffed = tool('super_tool', `${'weather forecast email issue meeting currency calendar repository '.repeat(20)}everything`)

  it('does not win queries that others are about', async () => {
    for (const [query, name] of [['current weather', 'get_weather'], ['send an email', 'send_email'], ['convert currency', 'convert_currency']] as const) {
      expect((await found([...OFFICE, stuffed], query))[0]).toBe(name)
    }
  })

  it('is found for what only it has', async () => expect((await found([...OFFICE, stuffed], 'everything forecast'))[0]).toBe('super_tool'))
})

describe('synonyms', () => {
  it('count less than the word itself', async () => {
    const tools = [tool('one', 'Purchase a book'), tool('two', 'Buy a book')]
    expect(await found(tools, 'buy a book')).toEqual(['two', 'one'])
    expect(await found(tools, 'purchase a book')).toEqual(['one', 'two'])
  })

  it('are never added up', async () => {
    const catalog = buildCatalog([tool('alpha', 'purchase zebra'), tool('beta', 'order zebra'), tool('gamma', 'purchase order')])
    const { scores } = await rank(catalog, 'buy')
    expect(scores).toHaveLength(3)
    expect(new Set(Array.from(scores)).size).toBe(1)
  })
})

describe('languages', () => {
  const CHINESE = [
    tool('查询天气', '查询某个城市的天气预报'), tool('发送邮件', '给联系人发送一封邮件'), tool('forecast', '获取未来几天的气温'), tool('calculator', '计算一个表达式'),
  ]
  it.each([
    ['北京的天气怎么样？', '查询天气'], ['帮我发一封邮件给小王', '发送邮件'], ['未来几天的气温', 'forecast'], ['算', 'calculator'],
  ])('%s', async (query, name) => expect((await found(CHINESE, query))[0]).toBe(name))

  it.each([
    ['오늘 서울 날씨 알려줘', 'weather'], ['친구에게 메시지 보내줘', 'message'],
  ])('%s', async (query, name) => {
    expect((await found([tool('weather', '도시의 날씨를 조회합니다'), tool('message', '메시지를 전송합니다')], query))[0]).toBe(name)
  })

  it('mixed in one query', async () => {
    const tools = [tool('create_issue', '在 GitHub 仓库中创建问题'), tool('list_repositories', '列出所有仓库'), tool('get_weather', '查询天气')]
    expect((await found(tools, '在GitHub上创建一个issue'))[0]).toBe('create_issue')
  })

  it.each([['Wetterbericht für München', 'muenchen'], ['ＷＥＡＴＨＥＲ ｆｏｒｅｃａｓｔ', 'weather'], ['cafés proches', 'cafe']])('%s', async (query, name) => {
    const tools = [tool('muenchen', 'Wetterbericht fur Munchen'), tool('weather', 'Weather forecast'), tool('cafe', 'Cafe')]
    expect((await found(tools, query))[0]).toBe(name)
  })
})

describe('a query of several sentences', () => {
  it('finds the tool of each', async () => {
    const answer = await found(OFFICE, 'Tell me about the weather in Rome. Convert 5 dollars to another currency. Send an email to Ann.')
    expect(answer.slice(0, 3).sort()).toEqual(['convert_currency', 'get_weather', 'send_email'])
  })
})

describe('a ranking', () => {
  const catalog = buildCatalog(OFFICE)

  it('has positive scores, best first, and no more than the limit', async () => {
    const { tools, scores } = await rank(catalog, 'issue weather email', 3)
    expect(tools.length).toBe(3)
    expect(Array.from(scores)).toEqual(Array.from(scores).sort((a, b) => b - a))
    expect(Math.min(...Array.from(scores))).toBeGreaterThan(0)
  })

  it('says which fields matched and which word, by what, gave how much', async () => {
    const ranking = await rank(catalog, 'wether of a municipality')
    const top = ranking.tools[0]!
    expect(ranking.matchedFields(top)).toEqual(['name', 'description', 'parameterDescription'])
    expect(ranking.explain(top)).toEqual([
      expect.objectContaining({ term: 'wether', via: 'weather', fields: ['name', 'description'] }),
      expect.objectContaining({ term: 'municipality', fields: ['parameterDescription'] }),
    ])
  })

  it('leaves nothing behind for the next query', async () => {
    const index = channel().index(catalog)
    const first = await index.search(planQuery('weather. issues. Please send it.'), 10)
    await index.search(planQuery('currency and email. meeting?'), 10)
    const again = await index.search(planQuery('weather. issues. Please send it.'), 10)
    expect([again.tools, again.scores]).toEqual([first.tools, first.scores])
  })

  it('is stronger for a query of the catalogue than for one of another', async () => {
    const own = await rank(catalog, 'current weather of a city')
    const foreign = await rank(catalog, 'knit a sweater of one blue thread')
    expect(own.strength).toBeGreaterThan(0.5)
    expect(foreign.strength ?? 0).toBeLessThan(own.strength! / 2)
  })

  it('does not depend on the order of registration', async () => {
    const query = planQuery('list issues of a repository and email people about weather')
    const expected = await channel().index(catalog).search(query, 100)
    await fc.assert(fc.asyncProperty(fc.shuffledSubarray(OFFICE, { minLength: OFFICE.length }), async (tools) => {
      const { tools: ranked, scores } = await channel().index(buildCatalog(tools)).search(query, 100)
      expect([ranked, scores]).toEqual([expected.tools, expected.scores])
    }), { numRuns: 20 })
  })
})

describe('one index after another', () => {
  it('gives what a fresh one gives, whatever was indexed before', async () => {
    const lexicalIndex = createLexicalIndexer(config)
    const old = createBm25Channel({ config, lexicalIndex })
    const before = old.index(buildCatalog(OFFICE))
    const changed = buildCatalog([...OFFICE.slice(1), tool('create_issue', 'Report a turbine of the weather station.')])
    const updated = await old.index(changed).search(planQuery('turbine of the weather station'), 10)
    const fresh = await channel().index(changed).search(planQuery('turbine of the weather station'), 10)
    expect([updated.tools, updated.scores]).toEqual([fresh.tools, fresh.scores])
    expect(namesOf(changed, updated)[0]).toBe('create_issue')
    expect((await before.search(planQuery('turbine'), 10)).tools).toHaveLength(0)
  })

  it('analyses a tool once', () => {
    const lexicalIndex = createLexicalIndexer(config)
    const first = lexicalIndex(buildCatalog(OFFICE))
    const second = lexicalIndex(buildCatalog([...OFFICE, tool('z_last', 'Something new')]))
    expect(second.analyses.slice(0, OFFICE.length).every((analysis, at) => analysis === first.analyses[at])).toBe(true)
    expect(second.analyses).toHaveLength(OFFICE.length + 1)
  })

  it('of no tools finds nothing', async () => expect((await rank(buildCatalog([]), 'weather')).tools).toHaveLength(0))
})

describe('groups of alternatives', () => {
  it('count by the best one in each tool', () => {
    const catalog = buildCatalog([tool('a', 'red blue'), tool('b', 'red green'), tool('c', 'grey')])
    const index = createLexicalIndexer(config)(catalog)
    const group = (...words: string[]) =>
      ({ surface: '红', weight: 1, idfCap: Infinity, alternatives: words.map(via => ({ term: index.term(via)!, weight: 1, via })) })
    const both = rankEvidence(index, { groups: [group('red', 'blue')], pairs: [] }, 10)
    const best = rankEvidence(index, { groups: [group('blue')], pairs: [] }, 10)
    expect(namesOf(catalog, both)).toEqual(['a', 'b'])
    expect(both.scores[0]).toBe(best.scores[0])
    expect(both.explain(both.tools[0]!)).toEqual([expect.objectContaining({ term: '红', via: 'blue' })])
  })
})

describe('a short ranking', () => {
  const WORDS = 'create delete list update issue issues file files mail weather city report user users meeting open send currency'.split(' ')
  const phrase = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 7 }).map(words => words.join(' '))
  const sentences = fc.array(fc.oneof(phrase, fc.constant('xylophone')), { minLength: 1, maxLength: 4 }).map(said => `${said.join('. ')}.`)

  it('is the beginning of the whole one: no tool is left out by a bound', () => {
    const catalogs = fc.array(fc.tuple(phrase, phrase), { minLength: 1, maxLength: 60 })
    const asked = fc.array(sentences, { minLength: 1, maxLength: 4 })
    fc.assert(fc.property(catalogs, asked, fc.integer({ min: 1, max: 12 }), (texts, queries, limit) => {
      const catalog = buildCatalog(texts.map(([name, description], at) => tool(`${name.replaceAll(' ', '_')}_${at}`, description)))
      const index = channel().index(catalog)
      for (const query of queries) {
        const whole = index.search(planQuery(query), catalog.tools.length) as ChannelRanking
        const best = index.search(planQuery(query), limit) as ChannelRanking
        expect(Array.from(best.tools)).toEqual(Array.from(whole.tools).slice(0, limit))
        expect(Array.from(best.scores)).toEqual(Array.from(whole.scores).slice(0, limit))
        expect(Array.from(whole.scores).every(score => score > 0)).toBe(true)
      }
    }), { numRuns: 150 })
  })
})

describe('the best few', () => {
  it('are those of a full sort, ties by index', () => {
    fc.assert(fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 60 }), fc.integer({ min: 1, max: 70 }), (scores, limit) => {
      const all = scores.map((_, at) => at)
      const sorted = [...all].sort((a, b) => scores[b]! - scores[a]! || a - b).slice(0, limit)
      expect(Array.from(topK(Int32Array.from(all), all.length, Float32Array.from(scores), limit))).toEqual(sorted)
    }))
  })
})

describe('the best without comparing any two', () => {
  it('are at least so many, and none is left out that is better than one of them', () => {
    const list = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { maxLength: 400 })
    fc.assert(fc.property(list, fc.integer({ min: 1, max: 90 }), (values, least) => {
      const scores = Float32Array.from(values)
      const every = [...scores.keys()]
      const chosen = new Set(atLeast(least, scores, floor => Int32Array.from(every.filter(tool => scores[tool]! > floor))))
      const positive = every.filter(tool => scores[tool]! > 0)
      expect(chosen.size).toBeGreaterThanOrEqual(Math.min(least, positive.length))
      const worst = Math.min(1, ...[...chosen].map(tool => scores[tool]!))
      expect(positive.filter(tool => !chosen.has(tool) && scores[tool]! > worst)).toEqual([])
    }))
  })

  it('are few of very many', () => {
    const scores = Float32Array.from({ length: 20_000 }, (_, tool) => (tool * 7_919) % 20_000 / 20_000)
    const chosen = atLeast(300, scores, floor => Int32Array.from([...scores.keys()].filter(tool => scores[tool]! > floor)))
    expect(chosen.length).toBeGreaterThanOrEqual(300)
    expect(chosen.length).toBeLessThan(700)
  })
})

it('never throws, whatever the query', async () => {
  const index = channel().index(buildCatalog(OFFICE))
  await fc.assert(fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (query) => {
    const { tools, scores } = await index.search(planQuery(query), 10)
    expect(tools.length).toBe(scores.length)
  }))
})
