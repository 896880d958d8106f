import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { languageOf, languageOfCatalog, loadSets, parseQueries, parseTools } from '../../evaluation/sets.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dsh-tool-retriever-sets-'))
  for (const name of ['b', 'a', 'not-a-set']) mkdirSync(join(folder, name))
  for (const name of ['b', 'a']) writeFileSync(join(folder, name, 'tools.json'), JSON.stringify([{ name: 'x', description: 'An x.', parameters: {} }]))
  writeFileSync(join(folder, 'a', 'queries.jsonl'), '{"id":"1","query":"q","relevant":["x","x"],"lang":"zh"}\n\n{"id":"2","query":"r","relevant":[]}\n')
  writeFileSync(join(folder, 'a', 'info.json'), '{"repo":"some/where"}')
})

afterAll(() => rmSync(folder, { recursive: true }))

describe('sets', () => {
  it('are the folders with tools, by name', () => {
    expect(loadSets(folder).map(({ name }) => name)).toEqual(['a', 'b'])
    expect(loadSets(join(folder, 'missing'))).toEqual([])
  })

  it('tell judged from unanswerable queries, and say each relevant tool once', () => {
    const [a, b] = loadSets(folder)
    expect(a).toMatchObject({
      source: 'some/where',
      catalogLang: 'en',
      queries: [{ id: '1', query: 'q', relevant: ['x'], any: false, lang: 'zh' }],
      unanswerable: [{ id: '2', relevant: [] }],
    })
    expect(b).toMatchObject({ source: 'b', queries: [], unanswerable: [] })
  })

  it('have a hash of their bytes', () => {
    const [a, b] = loadSets(folder)
    expect(a!.hash).toMatch(/^[0-9a-f]{12}$/)
    expect(a!.hash).not.toBe(b!.hash)
    expect(loadSets(folder)[0]!.hash).toBe(a!.hash)
  })
})

describe('a file that does not fit', () => {
  it.each([
    ['tools that are no list', () => parseTools('{}', 't'), 't: expected an array of tools'],
    ['a tool without name', () => parseTools('[{}]', 't'), 't[0].name: expected a string'],
    ['a line that is no JSON', () => parseQueries('{"id":"1","query":"q","relevant":[]}\n{', 'q'), /^q:2: /],
    ['a query without labels', () => parseQueries('{"id":"1","query":"q"}', 'q'), 'q:1: "relevant" must be an array of tool names'],
  ])('%s: the message says where', (_, parse, message) => {
    expect(parse).toThrow(message)
  })
})

describe('languages', () => {
  it('of a catalogue is told by the script of most descriptions', () => {
    const of = (...descriptions: string[]) => languageOfCatalog(descriptions.map(description => ({ name: 'x', description })))
    expect(of('Weather', '天气', 'Time')).toBe('en')
    expect(of('天气', '时间 time', 'Time')).toBe('zh')
    expect(of('날씨', '시간')).toBe('ko')
  })

  it('of a query is named with that of the definitions where they differ', () => {
    expect(languageOf({ lang: 'zh' }, { catalogLang: 'zh' })).toBe('zh')
    expect(languageOf({ lang: 'zh' }, { catalogLang: 'en' })).toBe('zh→en')
  })
})
