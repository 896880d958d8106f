/**
 * The tables of `eval:dense`, over every model that was measured.
 * @module
 */

import { pairedBootstrap } from '../bootstrap.ts'
import type { Interval } from '../bootstrap.ts'
import { mean } from '../metrics.ts'
import type { Metric } from '../metrics.ts'
import { digits, percent, points } from '../report/table.ts'
import type { Table } from '../report/table.ts'
import type { DenseCost, Stall } from './cost.ts'
import { REPORTED } from './models.ts'
import { WAYS } from './quality.ts'
import type { DenseSetReport, Way } from './quality.ts'
import type { WeightReport } from './weights.ts'

/** One run, as it is kept. */
export interface DenseReport {
  readonly id: string
  readonly label: string
  /** Queries of each set, at most, and the seed of their choice. */
  readonly sample: number
  readonly seed: number
  readonly sets: readonly DenseSetReport[]
  readonly weights: readonly WeightReport[]
  readonly cost: DenseCost
}

const NOT_MEASURED = 'not measured'

const WAY_LABELS: Readonly<Record<Way, string>> = { default: 'default, without dense', dense: 'dense alone', fused: 'fused' }

const LANGUAGES = [
  { label: 'English on English tools', languages: 'en → en' },
  { label: 'Chinese on Chinese tools', languages: 'zh → zh' },
  { label: 'Chinese on English tools', languages: 'zh → en' },
  { label: 'Korean on Korean tools', languages: 'ko → ko' },
] as const

interface Column {
  readonly label: string
  readonly report: DenseReport | undefined
}

/** Reported models first, then what else was measured. */
function columns(reports: readonly DenseReport[]): Column[] {
  const others = reports.filter(({ id }) => !REPORTED.some(reported => reported.id === id))
  return [
    ...REPORTED.map(({ id, label }) => ({ label, report: reports.find(report => report.id === id) })),
    ...others.map(report => ({ label: report.label, report })),
  ]
}

function macro(sets: readonly DenseSetReport[], way: Way, metric: Metric): number {
  return mean(sets.map(set => set.scores[way][metric]))
}

/** Fused minus default, paired by query, drawn within sets. */
export function gainOf(sets: readonly DenseSetReport[], seed: number): Interval {
  return pairedBootstrap(sets.map(({ recall8 }) => recall8.fused.map((value, at) => value - recall8.default[at]!)), seed)
}

const stall = ({ cpu, wall }: Stall): string => `${digits(cpu)} / ${digits(wall)}`

const interval = ({ mean: middle, low, high }: Interval): string => `${points(middle)} [${points(low)}, ${points(high)}]`

function macroTable(all: readonly Column[]): Table {
  const rows = LANGUAGES.flatMap(({ label, languages }) => {
    const ofLanguage = (report: DenseReport) => report.sets.filter(set => set.languages === languages)
    if (!all.some(({ report }) => report !== undefined && ofLanguage(report).length > 0)) return []
    const cell = (value: (sets: readonly DenseSetReport[], report: DenseReport) => string) => all.map(({ report }) =>
      report === undefined || ofLanguage(report).length === 0 ? NOT_MEASURED : value(ofLanguage(report), report))
    return [
      ...WAYS.map(way => [`${label}: ${WAY_LABELS[way]}`, ...cell(sets =>
        (['recall1', 'recall5', 'recall8'] as const).map(metric => percent(macro(sets, way, metric))).join(' / '))]),
      [`${label}: fused − default, R@8 [95 %]`, ...cell((sets, { seed }) => interval(gainOf(sets, seed)))],
    ]
  })
  return {
    title: 'What a sentence model adds: plain means over sets, Recall@1 / @5 / @8 in per cent',
    note: '"Default" is the retriever without dense, on the same sampled queries. The interval is a paired bootstrap over the queries within each set. '
      + 'A model is measured by `pnpm eval:dense --model <id>`; multilingual E5 (`--model e5`) needs its weights, which a machine without network does not have.',
    head: ['', ...all.map(({ label }) => label)],
    rows,
  }
}

function setTable({ label, sets, sample, seed }: DenseReport): Table {
  return {
    title: `Set by set with ${label}: Recall@8 in per cent`,
    note: `At most ${sample} queries of each set, drawn with seed ${seed}. The last two columns show that neither list spoils the other: `
      + 'fused minus the default, and fused minus dense alone, in points. Times are medians of one search; fused embeds the query.',
    head: ['set', 'languages', 'tools', 'queries', 'default', 'dense alone', 'fused', '− default', '− dense', 'default ms', 'fused ms'],
    rows: sets.map(({ name, languages, tools, queries, scores, ms }) => [
      name,
      languages,
      `${tools}`,
      `${queries}`,
      ...WAYS.map(way => percent(scores[way].recall8)),
      points(scores.fused.recall8 - scores.default.recall8),
      points(scores.fused.recall8 - scores.dense.recall8),
      digits(ms.default),
      digits(ms.fused),
    ]),
  }
}

function rejectionTable({ label, sets }: DenseReport): Table {
  const rate = (way: 'default' | 'fused', whose: 'foreign' | 'own', what: 'none' | 'weak') =>
    percent(mean(sets.map(set => set[whose][way][what]).filter(Number.isFinite)))
  return {
    title: `No match with ${label}: mean over sets, in per cent of queries`,
    note: 'Whether dense evidence makes matches of queries that have no tool here. Foreign: queries of sets from other sources.',
    head: ['', 'foreign: none', 'foreign: weak', 'own: none', 'own: weak'],
    rows: (['default', 'fused'] as const).map(way => [
      WAY_LABELS[way], rate(way, 'foreign', 'none'), rate(way, 'foreign', 'weak'), rate(way, 'own', 'none'), rate(way, 'own', 'weak'),
    ]),
  }
}

function costTable(all: readonly Column[]): Table {
  const row = (label: string, value: (cost: DenseCost) => string) =>
    [label, ...all.map(({ report }) => report === undefined ? NOT_MEASURED : value(report.cost))]
  const [{ tools, searchedTools }] = all.flatMap(({ report }) => report?.cost ?? []) as [DenseCost]
  return {
    title: 'What it costs the process that hosts it',
    note: 'Measured in a process that holds nothing but the catalogue and the channel. The model runs in a thread of its own, on one core. A stall is how long the host\'s event loop did not turn, the longest of the whole run: first by the '
      + 'processor time of its thread, then by the clock, in which other processes of the machine count as well, as the idle process shows. Memory is resident memory with model and index above the process without them.',
    head: ['', ...all.map(({ label }) => label)],
    rows: [
      row('dimensions', cost => `${cost.dimensions}`),
      row(`index of ${tools} tools, nothing on disk, s`, cost => digits(cost.indexMs / 1_000)),
      row(`index of ${tools} tools, vectors on disk, s`, cost => digits(cost.restartMs / 1_000)),
      row('longest stall while tools are embedded, ms', cost => stall(cost.indexStall)),
      row('longest stall while they are read from disk, ms', cost => stall(cost.restartStall)),
      row('longest stall of an idle process, ms', cost => stall(cost.idleStall)),
      row('one query, embedded and searched, ms', cost => digits(cost.embedMs)),
      row(`exact search of ${searchedTools} tools, p50 / p95 ms`, cost => `${digits(cost.searchP50)} / ${digits(cost.searchP95)}`),
      row('memory, MB', cost => digits(cost.memoryMegabytes)),
    ],
  }
}

function weightTable({ label, weights }: DenseReport): Table {
  return {
    title: `Other fusion weights with ${label}: means over the English sets, in per cent`,
    note: 'The same queries as above. Where nothing else is said, the vector of a query of more than twelve words counts a third. The halves are the queries of even and of odd place: a rule that helps in one of them only does not help.',
    head: ['', 'R@1', 'R@5', 'R@8', 'R@8 even', 'R@8 odd'],
    rows: weights.map(({ label: variant, recall1, recall5, recall8, halves }) =>
      [variant, ...[recall1, recall5, recall8, ...halves].map(percent)]),
  }
}

/** @param reports - at least one. */
export function denseTables(reports: readonly DenseReport[]): Table[] {
  const all = columns(reports)
  const measured = all.flatMap(({ report }) => report ?? [])
  return [macroTable(all), costTable(all), ...measured.flatMap(report => [setTable(report), weightTable(report), rejectionTable(report)])]
}
