import { describe, expect, it } from 'vitest'
import { buildCatalog } from '../../src/catalog/store.ts'
import { createSemanticChannel } from '../../src/channels/semantic.ts'
import { planQuery } from '../../src/query/planner.ts'

const catalog = buildCatalog([
  { name: 'mcp__meteo__get_forecast', description: 'Get the weather forecast of a city.', parameters: { properties: { invoice: { type: 'string' } } } },
  { name: 'mcp__shop__refund_payment', description: 'Pay a customer back.' },
  { name: 'mcp__shop__track_parcel', description: 'Tells where a shipment is.' },
  { name: 'mcp__x__日本', description: '説明' },
])

async function find(query: string): Promise<string[]> {
  const { tools } = await createSemanticChannel().index(catalog).search(planQuery(query), 10)
  return Array.from(tools, tool => catalog.tools[tool]!.name)
}

describe('the semantic channel', () => {
  it.each([
    ['will it rain tomorrow', 'mcp__meteo__get_forecast'],
    ['the buyer wants his money returned', 'mcp__shop__refund_payment'],
    ['my delivery has not arrived', 'mcp__shop__track_parcel'],
    ['明天会下雨吗', 'mcp__meteo__get_forecast'],
    ['把钱退还给顾客', 'mcp__shop__refund_payment'],
  ])('finds for %s the tool %s, without a word of it', async (query, expected) => {
    expect((await find(query))[0]).toBe(expected)
  })

  it('says nothing about a query without a word it knows', async () => {
    expect(await find('12345 ???')).toEqual([])
    expect(await find('한국어')).toEqual([])
  })

  it('never finds a tool that it can not read', async () => {
    expect(await find('Japan explanation weather payment parcel')).not.toContain('mcp__x__日本')
  })

  it('takes what a tool takes for part of what it is about, but not for as much as what it does', async () => {
    const invoiced = buildCatalog([
      { name: 'run_a', description: 'Get the weather forecast of a city.', parameters: { properties: { invoice: { type: 'string' } } } },
      { name: 'run_b', description: 'Get the weather forecast of a city.', parameters: { properties: { month: { type: 'string' } } } },
      { name: 'run_c', description: 'Pays an invoice.', parameters: { properties: { month: { type: 'string' } } } },
    ])
    const { tools } = await createSemanticChannel().index(invoiced).search(planQuery('bill'), 10)
    expect(Array.from(tools).slice(0, 2)).toEqual([2, 0])
  })

  it('gives a clause of several the same say as the whole', async () => {
    const found = await find('The buyer wants his money returned. Also tell me if it rains in Oslo tomorrow!')
    expect(found.slice(0, 2).sort()).toEqual(['mcp__meteo__get_forecast', 'mcp__shop__refund_payment'])
  })

  it('explains itself by the nearest words', async () => {
    const ranking = await createSemanticChannel().index(catalog).search(planQuery('money returned'), 10)
    const [first] = ranking.explain(ranking.tools[0]!)
    expect(first!.fields.length).toBeGreaterThan(0)
    expect(['name', 'description']).toEqual(expect.arrayContaining([...first!.fields]))
    expect(['pay', 'payment', 'refund', 'back']).toContain(first!.via)
  })

  it('gives the same answer for the same tools, whatever was indexed before', async () => {
    const channel = createSemanticChannel()
    await channel.index(buildCatalog([{ name: 'other', description: 'Something else.' }])).search(planQuery('rain'), 5)
    const again = await channel.index(catalog).search(planQuery('will it rain tomorrow'), 10)
    const fresh = await createSemanticChannel().index(catalog).search(planQuery('will it rain tomorrow'), 10)
    expect([...Array.from(again.tools), ...Array.from(again.scores)]).toEqual([...Array.from(fresh.tools), ...Array.from(fresh.scores)])
  })
})
