/**
 * The tables of `eval:bench`.
 * @module
 */

import { digits } from '../report/table.ts'
import type { Table } from '../report/table.ts'
import type { EngineCost, Quantiles } from './worker.ts'

export interface SizeReport {
  readonly size: number
  readonly origin: 'real' | 'recombined'
  /** By engine id; an engine that would take too long at this size is left out. */
  readonly engines: Readonly<Record<string, EngineCost>>
}

export interface BenchReport {
  readonly engines: readonly { readonly id: string; readonly label: string }[]
  readonly queries: number
  readonly englishQueries: number
  readonly sizes: readonly SizeReport[]
  readonly startup: {
    readonly loadMs: number
    readonly firstSearch: readonly { readonly size: number; readonly ms: number }[]
    readonly runs: number
  }
}

const sizeLabel = ({ size, origin }: SizeReport): string => `${size.toLocaleString('en')}${origin === 'real' ? '' : ' (recombined)'}`

const ratio = (other: number, own: number): string => `${digits(other / own)}×`

/** A cell per engine; a dash where it was not run. */
const cells = ({ engines }: BenchReport, size: SizeReport, cell: (cost: EngineCost) => string): string[] =>
  engines.map(({ id }) => size.engines[id] === undefined ? '–' : cell(size.engines[id]))

const LEFT_OUT = 'A dash: not run at this size, because it takes too long.'

function queryTable(report: BenchReport, which: 'all' | 'english'): Table {
  const row = ({ p50, p95, p99 }: Quantiles) => `${digits(p50)} / ${digits(p95)} / ${digits(p99)}`
  return {
    title: which === 'all'
      ? `A query, in any language: p50 / p95 / p99 in ms, ${report.queries} queries`
      : `A query, English ones only: p50 / p95 / p99 in ms, ${report.englishQueries} queries`,
    note: `The same real queries, the same number of each set, for every engine; the best of three passes over all of them counts. ${LEFT_OUT}`,
    head: ['tools', ...report.engines.map(({ label }) => label)],
    rows: report.sizes.map(size => [sizeLabel(size), ...cells(report, size, cost => row(cost[which]))]),
  }
}

function ratioTable(report: BenchReport): Table {
  const others = report.engines.filter(({ id }) => id !== 'ours')
  return {
    title: 'How many times longer the others take for a query: p50, and p95',
    note: 'All queries; below 1 the other is faster.',
    head: ['tools', ...others.flatMap(({ label }) => [`${label} p50`, `${label} p95`])],
    rows: report.sizes.map((size) => {
      const own = size.engines['ours']!.all
      return [sizeLabel(size), ...others.flatMap(({ id }) => {
        const other = size.engines[id]?.all
        return other === undefined ? ['–', '–'] : [ratio(other.p50, own.p50), ratio(other.p95, own.p95)]
      })]
    }),
  }
}

const megabytes = (bytes: number): string => digits(bytes / 1e6)

export function benchTables(report: BenchReport): Table[] {
  const { engines, sizes, startup } = report
  const table = (title: string, note: string, cell: (cost: EngineCost) => string): Table => ({
    title,
    note: `${note} ${LEFT_OUT}`,
    head: ['tools', ...engines.map(({ label }) => label)],
    rows: sizes.map(size => [sizeLabel(size), ...cells(report, size, cell)]),
  })
  return [
    queryTable(report, 'all'),
    queryTable(report, 'english'),
    ratioTable(report),
    table('Indexing a catalogue, in ms', 'From declared tools, in a fresh process with nothing warm.', cost => digits(cost.buildMs)),
    table('Indexing a catalogue and answering a first query, in ms', 'The same with what an engine leaves to its first search.',
      cost => digits(cost.firstAnswerMs)),
    table('Changing one tool and answering a query, in ms: all changes / the first seven',
      'Medians of 101 changes, or of as many as fit into five seconds, and of the first seven of the process, whose code is hardly compiled. '
      + 'The baseline indexes again.',
      cost => `${digits(cost.updateMs)} / ${digits(cost.firstUpdateMs)}`),
    table('Memory, in MB: resident above the bare process / of that needed / live above the tools',
      'Resident counts the declared tools, the engine\'s code, its index and what the queries left behind, after garbage collection; needed is '
      + 'what is left of it when V8 has given back the empty pages that it keeps for later (flavour "last-resort").',
      cost => `${megabytes(cost.residentBytes)} / ${megabytes(cost.neededBytes)} / ${megabytes(cost.liveBytes)}`),
    {
      title: 'A fresh process, in ms',
      note: `Median of ${startup.runs} processes. Loading is the plugin's own code after the host's packages are loaded. The first search goes from declared `
        + 'tools to an answer: the code of the search, catalogue, indexes and tables.',
      head: ['', 'ms'],
      rows: [
        ['loading the plugin', digits(startup.loadMs)],
        ...startup.firstSearch.map(({ size, ms }) => [`first search, ${size.toLocaleString('en')} tools`, digits(ms)]),
      ],
    },
  ]
}
