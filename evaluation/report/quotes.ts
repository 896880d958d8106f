/**
 * The tables that the READMEs quote from RESULTS.md. Each is made of the cells there, so that a README can't say another number:
 * whatever rewrites a section of RESULTS.md rewrites its quotes.
 * @module
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT_ROOT } from '../sets.ts'

type Language = 'en' | 'zh'

type Words = Readonly<Record<Language, string>>

interface Quote {
  /** Lower-case letters; stands in the README's marker. */
  readonly id: string
  /** How the heading of the table in RESULTS.md begins. */
  readonly heading: string
  /** First cells of the rows that are quoted, with what the README calls them. */
  readonly rows: readonly (readonly [cell: string, words: Words])[]
  /** Header of the first column. */
  readonly corner: Words
  /** Headers of the columns that are quoted, with what the README calls them. */
  readonly columns: readonly (readonly [header: string, words: Words])[]
}

const same = (text: string): Words => ({ en: text, zh: text })

const ENGINES: Quote['columns'] = [
  ['dsh-tool-retriever', same('dsh-tool-retriever')], ['baseline BM25', { en: 'baseline BM25', zh: '基线 BM25' }],
  ['MiniSearch', same('MiniSearch')], ['Orama', same('Orama')],
]

export const QUOTES: readonly Quote[] = [
  {
    id: 'recall',
    heading: '### All sets: plain mean over',
    corner: { en: 'mean over all sets, per cent', zh: '所有数据集的平均值（%）' },
    rows: [
      ENGINES[0]!, ENGINES[1]!,
      ['MiniSearch', { en: 'MiniSearch (sample)', zh: 'MiniSearch（抽样）' }], ['Orama', { en: 'Orama (sample)', zh: 'Orama（抽样）' }],
    ],
    columns: ['R@1', 'R@5', 'R@8', 'MRR@10'].map(header => [header, same(header)]),
  },
  {
    id: 'languages',
    heading: '### By language of query and definitions',
    corner: { en: 'Recall@8 by language, per cent', zh: '按语言的 Recall@8（%）' },
    rows: [
      ['en', { en: 'English', zh: '英文' }], ['zh', { en: 'Chinese', zh: '中文' }],
      ['zh→en', { en: 'Chinese query, English definitions', zh: '中文查询，英文定义' }],
    ],
    columns: [
      ['R@8', same('dsh-tool-retriever')], ['R@8 baseline BM25', ENGINES[1]![1]], ['R@8 MiniSearch', same('MiniSearch')], ['R@8 Orama', same('Orama')],
    ],
  },
  {
    id: 'cost',
    heading: '### By catalogue and price: mean cost relative to all tools shown',
    corner: { en: 'cost of a session, all tools shown = 1', zh: '会话成本（全部显示 = 1）' },
    rows: ['10', '30', '100', '300', '1000'].map(tools => [`${tools}, 50`, { en: `${tools} tools`, zh: `${tools} 个工具` }]),
    columns: ['auto', 'inject', 'dispatch'].map(mode => [mode, same(`\`${mode}\``)]),
  },
  {
    id: 'time',
    heading: '### A query, in any language: p50 / p95 / p99 in ms',
    corner: { en: 'a query, p50 / p95 / p99 in ms', zh: '一次查询 p50 / p95 / p99（毫秒）' },
    rows: ['100', '1,000', '15,000'].map(tools => [tools, { en: `${tools} tools`, zh: `${tools} 个工具` }]),
    columns: ENGINES,
  },
]

const READMES: readonly (readonly [file: string, language: Language])[] = [['README.md', 'en'], ['README.zh.md', 'zh']]

const cellsOf = (row: string): string[] => row.split('|').slice(1, -1).map(cell => cell.trim())

/** The table below a heading: its header and its rows by their first cell. */
function tableOf(
  results: string, heading: string,
): { readonly header: readonly string[]; readonly rows: ReadonlyMap<string, readonly string[]> } {
  const start = results.indexOf(`\n${heading}`)
  if (start < 0) throw new Error(`RESULTS.md has no table under a heading that begins with "${heading}"`)
  const [header, , ...rows] = /(?:^\|.*\n)+/m.exec(results.slice(start))![0].trim().split('\n')
  return { header: cellsOf(header!), rows: new Map(rows.map(cellsOf).map(cells => [cells[0]!, cells])) }
}

/** One quoted table in Markdown. */
export function quoteTable(results: string, { heading, corner, rows, columns }: Quote, language: Language): string {
  const table = tableOf(results, heading)
  const cell = (row: string, column: string): string => {
    const value = table.rows.get(row)?.[table.header.indexOf(column)]
    if (value === undefined) throw new Error(`RESULTS.md, "${heading}": there is no cell "${row}" / "${column}"`)
    return value
  }
  return [
    `| ${[corner, ...columns.map(([, words]) => words)].map(words => words[language]).join(' | ')} |`,
    `|---|${columns.map(() => '--:|').join('')}`,
    ...rows.map(([row, words]) => `| ${[words[language], ...columns.map(([column]) => cell(row, column))].join(' | ')} |`),
  ].join('\n')
}

/** A README with its quotes as RESULTS.md has them now. */
export function withQuotes(readme: string, results: string, language: Language): string {
  return QUOTES.reduce((text, quote) => {
    const open = `<!-- quoted from RESULTS.md: ${quote.id} -->`
    const close = `<!-- end of quote ${quote.id} -->`
    const [start, end] = [text.indexOf(open), text.indexOf(close)]
    if (start < 0 || end < start) throw new Error(`a README has no place for the quote "${quote.id}"`)
    return `${text.slice(0, start + open.length)}\n${quoteTable(results, quote, language)}\n${text.slice(end)}`
  }, readme)
}

/** Rewrites the quotes in both READMEs. */
export function writeQuotes(root: string = PROJECT_ROOT): void {
  const results = readFileSync(join(root, 'RESULTS.md'), 'utf8')
  for (const [file, language] of READMES) {
    const path = join(root, file)
    writeFileSync(path, withQuotes(readFileSync(path, 'utf8'), results, language))
  }
}
