import { describe, expect, it } from 'vitest'
import { baseline, baselineText, baselineTokens } from '../../evaluation/engines/baseline.ts'
import type { Engine } from '../../evaluation/engines/engine.ts'
import { minisearch } from '../../evaluation/engines/minisearch.ts'
import { orama } from '../../evaluation/engines/orama.ts'
import { createOurs } from '../../evaluation/engines/ours.ts'
import { schemaTexts } from '../../evaluation/engines/schema-text.ts'
import { ENGLISH_STOP_WORDS } from '../../evaluation/engines/stop-words.ts'

const tools = [
  { name: 'get_weather', description: 'Weather of a city.' },
  { name: 'get_time', description: 'Time of a city, in any zone.' },
  { name: 'send_mail', description: 'Send a letter.' },
]

describe('the baseline, by its definition', () => {
  it('keeps inner dots and apostrophes, folds marks and case, drops stop words, stems', () => {
    expect(baselineTokens("The O'Brien's running v1.2 cafés ﬁles in Zürich")).toEqual(["o'brien", 'run', 'v1.2', 'cafe', 'file', 'zurich'])
  })

  it('splits neither camel case nor Chinese, and keeps an underscore out of words', () => {
    expect(baselineTokens('createIssue get_user 创建文件')).toEqual(['createissu', 'get', 'user', '创建文件'])
  })

  it('drops contractions that are stop words as a whole', () => {
    expect(baselineTokens("don't you're it's")).toEqual([])
    expect(ENGLISH_STOP_WORDS.has('please')).toBe(false)
  })

  it('reads name, spaced name, description, then the schema', () => {
    expect(baselineText({ name: 'a_b', description: 'D.', parameters: { properties: { z: { description: 'Z' }, c: {} } } })).toBe('a_b a b D. c z Z')
  })

  it('walks descriptions, sorted property names, items and anyOf, and nothing else', () => {
    expect(schemaTexts({
      description: 'root',
      properties: { b: { type: 'array', items: { description: 'item', properties: { deep: {} } } }, a: { enum: ['no'], description: 'A' } },
      anyOf: [{ description: 'either' }, { properties: { or: {} } }],
      oneOf: [{ description: 'no' }],
      $defs: { x: { description: 'no' } },
    })).toEqual(['root', 'a', 'A', 'b', 'item', 'deep', 'either', 'or'])
    expect(schemaTexts(true)).toEqual([])
    expect(schemaTexts({ description: 3, properties: [], anyOf: 'x' })).toEqual([])
  })

  it('scores by BM25: a term twice counts more than once, a long text less than a short one', async () => {
    const index = await baseline.build([
      { name: 'single', description: 'letter paper' },
      { name: 'double', description: 'letter letter' },
      { name: 'long', description: 'letter and much that has nothing to do with what was asked for at all' },
      { name: 'without', description: 'paper words' },
    ])
    expect((await index.search('letter', 10)).names).toEqual(['double', 'single', 'long'])
  })

  it('puts the raw exact name first, whatever the scores, and breaks ties by name', async () => {
    const index = await baseline.build([...tools, { name: 'weather', description: 'get_weather get_weather get_weather' }])
    expect((await index.search(' get_weather ', 10)).names[0]).toBe('get_weather')
    const ties = await baseline.build([{ name: 'b', description: 'equal' }, { name: 'a', description: 'equal' }])
    expect((await ties.search('equal', 10)).names).toEqual(['a', 'b'])
  })
})

describe.each<[string, Engine]>([['ours', createOurs()], ['baseline', baseline], ['MiniSearch', minisearch], ['Orama', orama]])('engine %s', (_, engine) => {
  it('finds by words of the description, best first, and no more than asked for', async () => {
    const index = await engine.build(tools)
    expect((await index.search('weather of the city', 10)).names[0]).toBe('get_weather')
    expect((await index.search('weather of the city', 1)).names).toEqual(['get_weather'])
  })

  it('finds nothing for words that no tool has', async () => {
    const index = await engine.build(tools)
    expect((await index.search('xylophone', 10)).names).toEqual([])
  })

  it('finds a tool by its new words after it was replaced, and no longer by the old', async () => {
    const index = await engine.build(tools)
    expect((await index.search('zone', 10)).names).toEqual(['get_time'])
    await index.replace({ name: 'get_time', description: 'Play the xylophone.' })
    expect((await index.search('xylophone', 10)).names).toEqual(['get_time'])
    expect((await index.search('zone', 10)).names).not.toContain('get_time')
  })
})
