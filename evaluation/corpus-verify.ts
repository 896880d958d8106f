/**
 * `pnpm eval:verify [folder]`: proves that the frozen corpus is the one its figures were measured on, and shows what it holds.
 *
 * Exit code 0 when every check passes; 1 with one line for each broken rule otherwise.
 * @module
 */

import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import Table from 'cli-table3'
import { CorpusError, verifyCorpus, type CorpusQuery, type CorpusReport } from './corpus/integrity.ts'

const FROZEN_CORPUS = fileURLToPath(new URL('../fixtures/corpus', import.meta.url))

/** Labels in the order of their first query. */
const distinct = (queries: readonly CorpusQuery[], key: 'kind' | 'lang') => [...new Set(queries.map(query => query[key]))]

/** Number of queries by kind (rows) and language (columns). */
function summary({ queries }: CorpusReport): string {
  const languages = distinct(queries, 'lang')
  const row = (label: string, ofRow: readonly CorpusQuery[]) =>
    [label, ...languages.map(lang => ofRow.filter(query => query.lang === lang).length || ''), ofRow.length]
  const table = new Table({
    head: ['kind', ...languages, 'all'],
    colAligns: ['left', ...languages.map(() => 'right' as const), 'right'],
    style: { head: [], border: [] },
  })
  table.push(...distinct(queries, 'kind').map(kind => row(kind, queries.filter(query => query.kind === kind))), row('all', queries))
  return table.toString()
}

function main(folder: string): number {
  try {
    const report = verifyCorpus(folder)
    if (report.problems.length > 0) {
      console.error(`The corpus in ${folder} is not the frozen version ${report.version}:`)
      for (const problem of report.problems) console.error(`  ${problem}`)
      return 1
    }
    console.log(summary(report))
    console.log(`Corpus ${report.version}: ${report.tools} tools, ${report.queries.length} queries; hashes, counts and labels hold.`)
    return 0
  } catch (error) {
    if (!(error instanceof CorpusError)) throw error
    console.error(`The corpus can't be checked: ${error.message}`)
    return 1
  }
}

process.exitCode = main(resolve(process.argv[2] ?? FROZEN_CORPUS))
