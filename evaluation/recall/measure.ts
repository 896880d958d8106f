/**
 * Everything `eval:recall` measures, as plain data for tables, plots and JSON.
 * @module
 */

import { pairedBootstrap } from '../bootstrap.ts'
import type { Interval } from '../bootstrap.ts'
import type { Engine } from '../engines/engine.ts'
import { mean, meanScores, quantile } from '../metrics.ts'
import type { Metric, Scores } from '../metrics.ts'
import { foreignQueries, probeForeign, wrongRejection } from '../probes/foreign.ts'
import type { Rejection } from '../probes/foreign.ts'
import { createSiblingTest, wrongSiblingRate } from '../probes/siblings.ts'
import { seedOf } from '../random.ts'
import type { Progress } from '../report/progress.ts'
import { runSet, sampledSet, scoresOf } from '../run.ts'
import type { AnsweredQuery, RunsOfSet, SetRun } from '../run.ts'
import { languageOf } from '../sets.ts'
import type { QuerySet } from '../sets.ts'

/** One engine on one set. */
export interface EngineOnSet {
  readonly scores: Scores
  readonly buildMs: number
  readonly p50: number
  readonly p95: number
  /** Share of queries whose first result is a sibling of a relevant tool. */
  readonly wrongSiblings: number
  /** Share of queries whose first result is not relevant, or that have none. */
  readonly wrongFirst: number
}

export interface SetReport {
  readonly name: string
  readonly tools: number
  readonly queries: number
  readonly catalogLang: string
  readonly hash: string
  readonly engines: Readonly<Record<string, EngineOnSet>>
  /** Ours minus the baseline. */
  readonly gains: Readonly<Partial<Record<Metric, Interval>>>
  readonly ownQueries: Rejection
  readonly foreignQueries: Rejection
}

/** A slice of the queries of all sets; means are over queries. */
export interface SliceReport {
  readonly label: string
  /** Of the engines that answered all. */
  readonly queries: number
  /** Without an engine whose sample has no such query. */
  readonly engines: Readonly<Record<string, Scores>>
}

export interface QualityReport {
  readonly engines: readonly { readonly id: string; readonly label: string }[]
  readonly sets: readonly SetReport[]
  /** Plain means over sets. */
  readonly macro: Readonly<Record<string, Scores>>
  /** The same of the engines that answered all queries, over the sample that the slow ones answered. */
  readonly sampledMacro: Readonly<Record<string, Scores>>
  readonly macroGains: Readonly<Partial<Record<Metric, Interval>>>
  readonly languages: readonly SliceReport[]
  readonly kinds: readonly SliceReport[]
}

/** Metrics that get an interval. */
export const GAIN_METRICS = ['recall1', 'recall5', 'recall8', 'mrr10'] as const satisfies readonly Metric[]

const FOREIGN_QUERIES = 100

const NO_REJECTION: Rejection = { queries: 0, none: Number.NaN, weak: Number.NaN }

const byEngine = <T, U>(values: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(values).map(([id, value]) => [id, change(value)]))

/** Per query, ours minus baseline. */
const differences = ({ ours, baseline }: RunsOfSet, metric: Metric): number[] =>
  (ours?.answers ?? []).map((answer, i) => answer.scores[metric] - baseline!.answers[i]!.scores[metric])

function gainsOver(sets: readonly RunsOfSet[], seed: string): Partial<Record<Metric, Interval>> {
  if (!sets.every(runs => runs['ours'] !== undefined && runs['baseline'] !== undefined)) return {}
  return Object.fromEntries(GAIN_METRICS.map(metric =>
    [metric, pairedBootstrap(sets.map(runs => differences(runs, metric)), seedOf(`${seed} ${metric}`))]))
}

async function reportSet(set: QuerySet, runs: RunsOfSet, allSets: readonly QuerySet[]): Promise<SetReport> {
  const areSiblings = createSiblingTest(set.tools)
  const { ours } = runs
  const foreign = foreignQueries(set, allSets, FOREIGN_QUERIES)
  return {
    name: set.name,
    tools: set.tools.length,
    queries: set.queries.length,
    catalogLang: set.catalogLang,
    hash: set.hash,
    engines: byEngine(runs, ({ answers, buildMs }) => ({
      scores: scoresOf(answers),
      buildMs,
      p50: quantile(answers.map(answer => answer.ms), 0.5),
      p95: quantile(answers.map(answer => answer.ms), 0.95),
      wrongSiblings: wrongSiblingRate(answers, areSiblings),
      wrongFirst: mean(answers.map(({ scores }) => scores.recall1 > 0 ? 0 : 1)),
    })),
    gains: gainsOver([runs], set.name),
    ownQueries: ours === undefined ? NO_REJECTION : wrongRejection(ours.answers),
    foreignQueries: ours === undefined || foreign.length === 0 ? NO_REJECTION : await probeForeign(ours.index, foreign),
  }
}

const kindOf = ({ relevant, any }: { readonly relevant: readonly string[]; readonly any: boolean }): string =>
  relevant.length === 1 || any ? 'one tool' : 'several tools'

/** Slices all answers by a label of their query, in the order of size. */
export function slices(runs: readonly RunsOfSet[], labelOf: (answer: AnsweredQuery, set: QuerySet) => string): SliceReport[] {
  const parts = new Map<string, Record<string, Scores[]>>()
  for (const run of runs.flatMap(ofSet => Object.values(ofSet))) {
    for (const answer of run.answers) {
      const label = labelOf(answer, run.set)
      const part = parts.get(label) ?? {}
      ;(part[run.engine.id] ??= []).push(answer.scores)
      parts.set(label, part)
    }
  }
  return [...parts]
    .map(([label, part]) => ({
      label,
      queries: Math.max(...Object.values(part).map(({ length }) => length)),
      engines: byEngine(part, meanScores),
    }))
    .sort((a, b) => b.queries - a.queries)
}

function scoresOfSample({ set, answers }: SetRun): Scores {
  const sampled = new Set(sampledSet(set).queries)
  return scoresOf(answers.filter(({ query }) => sampled.has(query)))
}

/** Runs every engine over every set. The runs come with the report, for the probes that need single answers. */
export async function measureQuality(
  sets: readonly QuerySet[],
  engines: readonly Engine[],
  progress: Progress,
): Promise<{ readonly report: QualityReport; readonly runs: readonly RunsOfSet[] }> {
  const runs: Record<string, SetRun>[] = sets.map(() => ({}))
  for (const engine of engines) {
    progress.stage(engine.label, sets.length)
    for (const [i, set] of sets.entries()) {
      runs[i]![engine.id] = await runSet(engine, engine.isSlow ? sampledSet(set) : set)
      progress.step()
    }
  }
  progress.stage('siblings, foreign queries, intervals', sets.length)
  const reports: SetReport[] = []
  for (const [i, set] of sets.entries()) {
    reports.push(await reportSet(set, runs[i]!, sets))
    progress.step()
  }
  const report: QualityReport = {
    engines: engines.map(({ id, label }) => ({ id, label })),
    sets: reports,
    macro: Object.fromEntries(engines.map(({ id }) => [id, meanScores(reports.map(set => set.engines[id]!.scores))])),
    sampledMacro: Object.fromEntries(engines.filter(({ isSlow }) => isSlow === undefined).map(({ id }) =>
      [id, meanScores(runs.map(ofSet => scoresOfSample(ofSet[id]!)))])),
    macroGains: gainsOver(runs, 'macro'),
    languages: slices(runs, (answer, set) => languageOf(answer.query, set)),
    kinds: slices(runs, answer => kindOf(answer.query)),
  }
  progress.end()
  return { report, runs }
}

export const meanOverSets = (sets: readonly SetReport[], value: (set: SetReport) => number): number => mean(sets.map(value))
