/** What the READMEs say of settings, of texts that the model reads, and of measurements is what the code does and what was measured. */

import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { QUOTES, quoteTable, withQuotes } from '../evaluation/report/quotes.ts'
import { modelTexts, withModelTexts } from '../scripts/model-texts.ts'
import { DEFAULT_CONFIG } from '../src/config.ts'
import { DENSE_SCHEMA, resolveDense } from '../src/dense-config.ts'
import { settingsOf } from '../src/settings.ts'
import { SEARCH_DESCRIPTION } from '../src/surface/search-description.ts'

/** Keys whose parts share one row. */
const GROUPS = ['bm25B', 'fieldWeights', 'fusion.weights']

/** Too long for a cell. */
const ELSEWHERE = new Set(['disclosure.coreTools'])

const HOW_TO_MEND = 'run `npx --yes pnpm@12.4.2 run docs:update`'

function leaves(value: unknown, path = ''): [string, unknown][] {
  const isBranch = typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
  return isBranch ? Object.entries(value).flatMap(([key, inner]) => leaves(inner, path === '' ? key : `${path}.${key}`)) : [[path, value]]
}

const read = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')

/** The part of a document from one heading to the next of its rank. */
function sectionOf(document: string, heading: RegExp): string {
  const start = heading.exec(document)!
  const rest = document.slice(start.index + start[0].length)
  const end = rest.search(new RegExp(`^#{1,${start[0].indexOf(' ')}} `, 'm'))
  return end < 0 ? rest : rest.slice(0, end)
}

/** Rows of tables whose first cell is a key: its other cells. */
function rowsOf(section: string): Map<string, readonly string[]> {
  return new Map([...section.matchAll(/^\| `([\w.]+)` \| (.+) \|$/gm)].map(([, key, cells]) => [key!, cells!.split(' | ')]))
}

const RESULTS = read('RESULTS.md')

describe.each([['README.md', 'en'], ['README.zh.md', 'zh']] as const)('%s', (file, language) => {
  const readme = read(file)
  const live = /^### (?:While agents run|运行中更改)$/m
  const keys = rowsOf(sectionOf(readme, /^## (?:Settings|设置)$/m).split(live)[0]!)
  const [, DENSE_OBJECT] = DENSE_SCHEMA.anyOf!
  const denseDefaults = leaves(resolveDense(true)).map(([key, value]) => [`dense.${key}`, value] as const)

  it('has a row for every setting, with its default', () => {
    for (const [path, value] of [...leaves(DEFAULT_CONFIG), ...denseDefaults]) {
      const group = GROUPS.find(candidate => path.startsWith(`${candidate}.`))
      const cell = keys.get(group ?? path)?.[0]
      if (group !== undefined) expect(cell, path).toContain(`\`${path.slice(group.length + 1)}: ${JSON.stringify(value)}\``)
      else if (!ELSEWHERE.has(path)) expect(cell, path).toBe(`\`${JSON.stringify(value)}\``)
    }
    expect(denseDefaults.map(([path]) => path).sort()).toEqual(Object.keys(DENSE_OBJECT!.properties!).map(key => `dense.${key}`).sort())
  })

  it('has a row for no setting that does not exist', () => {
    const known = new Set([...GROUPS, ...[...leaves(DEFAULT_CONFIG), ...denseDefaults].map(([path]) => path)])
    expect([...keys.keys()].filter(key => !known.has(key))).toEqual([])
    expect(keys.size).toBeGreaterThan(40)
  })

  it('names the settings that can be changed while agents run, and what they stand for', () => {
    const rows = rowsOf(sectionOf(readme, live))
    expect([...rows.keys()]).toEqual(Object.keys(settingsOf(DEFAULT_CONFIG)))
    const known = new Set(leaves(DEFAULT_CONFIG).map(([path]) => path))
    for (const [key, [what]] of rows) {
      const path = /^`([\w.]+)`$/.exec(what!)?.[1]
      if (path !== undefined) expect(known, key).toContain(path)
    }
  })

  describe('what the model reads', () => {
    let texts: string
    beforeAll(async () => { texts = await modelTexts(language) })

    it('is there word for word, with its size', () => {
      expect(readme.includes(texts), HOW_TO_MEND).toBe(true)
      expect(withModelTexts(readme, texts)).toBe(readme)
      expect(texts).toContain(SEARCH_DESCRIPTION)
    })

    it('is every text that the code has for it', () => {
      for (const part of ['tool_dispatch"', '(loaded)', '(already available)', '(ready)', 'No tool matches', 'You searched for this before', 'brought nothing new',
        'is the short name of', 'What can be searched:', 'was not loaded; it is loaded now', 'do not fit tool', 'is not loaded. Load it first', 'switches it off']) {
        expect(texts).toContain(part)
      }
    })
  })

  it('quotes RESULTS.md as it is', () => {
    expect(withQuotes(readme, RESULTS, language), HOW_TO_MEND).toBe(readme)
  })

  it('and would not, were any quoted number another one', () => {
    for (const quote of QUOTES) {
      const cell = /\| ([\d.]+)/.exec(quoteTable(RESULTS, quote, language).split('\n')[2]!)![1]!
      const table = quoteTable(RESULTS, quote, language)
      const wrong = readme.replace(table, table.replace(`| ${cell}`, `| ${cell}9`))
      expect(wrong, quote.id).not.toBe(readme)
      expect(withQuotes(wrong, RESULTS, language), quote.id).not.toBe(wrong)
    }
  })

  it('shows a picture that is there, and links to files that are', () => {
    const links = [...readme.matchAll(/\]\(([^)#:]+)\)/g)].map(([, target]) => target!)
    expect(links).toEqual(expect.arrayContaining(['docs/session.svg', 'RESULTS.md', 'SECURITY.md', 'CONTRIBUTING.md', 'DESIGN.md']))
    for (const target of links) expect(() => read(target), target).not.toThrow()
  })
})

it('the READMEs have the same sections, tables and code', () => {
  const shapeOf = (readme: string) => ({
    headings: [...readme.matchAll(/^(#+) /gm)].map(([, rank]) => rank),
    tables: [...readme.matchAll(/^\|/gm)].length,
    code: [...readme.matchAll(/^```/gm)].length,
  })
  expect(shapeOf(read('README.zh.md'))).toEqual(shapeOf(read('README.md')))
})
