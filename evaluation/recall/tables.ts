/**
 * The tables of `eval:recall`.
 * @module
 */

import type { Interval } from '../bootstrap.ts'
import { mean } from '../metrics.ts'
import type { Metric, Scores } from '../metrics.ts'
import { ABLATION_QUERIES } from '../probes/ablations.ts'
import type { AblationReport } from '../probes/ablations.ts'
import type { ScaleReport } from '../probes/scale.ts'
import type { TieReport } from '../probes/ties.ts'
import type { TypoReport } from '../probes/typos.ts'
import { digits, percent, points } from '../report/table.ts'
import type { Table } from '../report/table.ts'
import { SAMPLE_QUERIES } from '../run.ts'
import type { CorpusReport } from './corpus.ts'
import { meanOverSets } from './measure.ts'
import type { QualityReport, SetReport, SliceReport } from './measure.ts'

const METRIC_HEADS: Readonly<Record<Metric, string>> =
  { recall1: 'R@1', recall5: 'R@5', recall8: 'R@8', mrr10: 'MRR@10', ndcg5: 'nDCG@5', empty: 'empty' }

const metricsOf = (scores: Scores): string[] => (Object.keys(METRIC_HEADS) as Metric[]).map(metric => percent(scores[metric]))

const gain = (interval: Interval | undefined): string =>
  interval === undefined ? '–' : `${points(interval.mean)} [${points(interval.low)}, ${points(interval.high)}]`

const SAMPLE_NOTE = `MiniSearch and Orama answer a seeded sample of at most ${SAMPLE_QUERIES} queries a set, the others all.`

export function macroTable({ engines, sets, macro, sampledMacro, macroGains }: QualityReport): Table {
  return {
    title: `All sets: plain mean over ${sets.length} sets, in per cent`,
    note: `${SAMPLE_NOTE} The last rows are the others on that sample. `
      + 'Recall@k is found / relevant, or whether any was found where one of the relevant tools is enough. Empty: share of queries without '
      + 'any result. Gain of ours over the baseline with its 95 % paired bootstrap interval (1,000 resamples of the queries within each set): '
      + `R@1 ${gain(macroGains.recall1)}, R@5 ${gain(macroGains.recall5)}, R@8 ${gain(macroGains.recall8)}, MRR@10 ${gain(macroGains.mrr10)} points.`,
    head: ['engine', ...Object.values(METRIC_HEADS)],
    rows: [
      ...engines.map(({ id, label }) => [label, ...metricsOf(macro[id]!)]),
      ...engines.flatMap(({ id, label }) => sampledMacro[id] === undefined ? [] : [[`${label}, on the sample`, ...metricsOf(sampledMacro[id])]]),
    ],
  }
}

export function setTable({ sets }: QualityReport): Table {
  return {
    title: 'Set by set: this retriever, in per cent',
    note: 'The last column is the first 12 hex digits of the SHA-256 over tools.json, a zero byte and queries.jsonl.',
    head: ['set', 'tools', 'queries', ...Object.values(METRIC_HEADS), 'data'],
    rows: sets.map(set => [set.name, `${set.tools}`, `${set.queries}`, ...metricsOf(set.engines['ours']!.scores), set.hash]),
  }
}

export function comparisonTable({ engines, sets }: QualityReport, metric: 'recall5' | 'recall8'): Table {
  return {
    title: `${metric === 'recall5' ? 'Recall@5' : 'Recall@8'} beside the others, in per cent`,
    note: SAMPLE_NOTE,
    head: ['set', ...engines.map(({ label }) => label), 'ours − baseline [95 %]'],
    rows: sets.map(set => [set.name, ...engines.map(({ id }) => percent(set.engines[id]!.scores[metric])), gain(set.gains[metric])]),
  }
}

export function speedTable({ engines, sets }: QualityReport): Table {
  return {
    title: 'Time of a query beside the others: p50 / p95 in ms',
    note: `One process, one thread, each query asked once after ten for warm-up. ${SAMPLE_NOTE}`,
    head: ['set', 'tools', ...engines.map(({ label }) => label)],
    rows: sets.map(set => [
      set.name,
      `${set.tools}`,
      ...engines.map(({ id }) => `${digits(set.engines[id]!.p50)} / ${digits(set.engines[id]!.p95)}`),
    ]),
  }
}

export function buildTable({ engines, sets }: QualityReport): Table {
  return {
    title: 'Time to index a catalogue beside the others, in ms',
    note: 'Every tool is analysed from nothing; caches of the language itself, such as stems, may be warm from the sets before.',
    head: ['set', 'tools', ...engines.map(({ label }) => label)],
    rows: sets.map(set => [set.name, `${set.tools}`, ...engines.map(({ id }) => digits(set.engines[id]!.buildMs))]),
  }
}

/** All metrics of the first engine, Recall@8 of the others. */
export function sliceTable(title: string, note: string, { engines }: Pick<QualityReport, 'engines'>, slices: readonly SliceReport[]): Table {
  const [own, ...others] = engines
  return {
    title,
    note,
    head: ['', 'queries', 'R@1', 'R@5', 'R@8', 'MRR@10', ...others.map(({ label }) => `R@8 ${label}`)],
    rows: slices.map((slice) => {
      const { recall1, recall5, recall8, mrr10 } = slice.engines[own!.id]!
      return [
        slice.label,
        `${slice.queries}`,
        ...[recall1, recall5, recall8, mrr10, ...others.map(({ id }) => slice.engines[id]?.recall8 ?? Number.NaN)].map(percent),
      ]
    }),
  }
}

export function siblingTable({ engines, sets }: QualityReport): Table {
  const row = (label: string, value: (set: SetReport, engine: string) => number) =>
    [label, ...engines.map(({ id }) => percent(meanOverSets(sets, set => value(set, id))))]
  return {
    title: 'First result wrong, and a sibling of the right one: mean over sets, in per cent of queries',
    note: 'A sibling shares with a relevant tool its family (server, or shared name prefix) or its leaf noun, the last word of the name that is no '
      + 'verb: `list_users` beside `get_user`. "Wrong in all": the first result is not relevant, or there is none.',
    head: ['', ...engines.map(({ label }) => label)],
    rows: [
      row('wrong sibling', (set, engine) => set.engines[engine]!.wrongSiblings),
      row('wrong in all', (set, engine) => set.engines[engine]!.wrongFirst),
    ],
  }
}

export function rejectionTable({ sets }: QualityReport): Table {
  const rates = (set: SetReport) => [set.foreignQueries.none, set.foreignQueries.weak, set.ownQueries.none, set.ownQueries.weak]
  return {
    title: 'No match: how often nothing, or only a weak match, is the answer, in per cent',
    note: 'Foreign queries: a seeded sample of the queries of sets from other sources. Many have a good tool here by chance, so 100 is not right either. '
      + 'For a set\'s own queries every rejection is an error. A weak match is listed but not loaded by itself.',
    head: ['set', 'foreign: none', 'foreign: weak', 'own: none', 'own: weak'],
    rows: [
      ...sets.map(set => [set.name, ...rates(set).map(percent)]),
      ['mean over sets', ...[0, 1, 2, 3].map(i => percent(mean(sets.map(set => rates(set)[i]!).filter(Number.isFinite))))],
    ],
  }
}

export function tieTable({ orders, queriesPerSet, largestCatalog, engines }: TieReport): Table {
  return {
    title: `Order of registration: ${orders} shuffled orders, ${queriesPerSet} queries a set`,
    note: 'Spread is the highest minus the lowest Recall@8 of a set over the orders, the largest of all sets, in points. Changed is the share of '
      + `queries whose first ten results are not the same in all orders. Catalogues of up to ${largestCatalog} tools.`,
    head: ['engine', 'sets', 'spread', 'changed %'],
    rows: engines.map(({ engine, sets, spread, changed }) => [engine, `${sets}`, (100 * spread).toFixed(1), percent(changed)]),
  }
}

export function typoTable({ target, sets, pairs, engines }: TypoReport): Table {
  return {
    title: target === 'any' ? 'One typing error in any content word: macro Recall@8' : 'One typing error in a word that the right tool has: macro Recall@8',
    note: `${pairs} queries, a seeded sample of those of ${sets} sets that have such a word of five or more letters, each with one seeded edit at a random place of a random such word.`,
    head: ['engine', 'clean', 'with the error', 'difference'],
    rows: engines.map(({ engine, clean, typo }) => [engine, percent(clean), percent(typo), points(typo - clean)]),
  }
}

export function ablationTable(ablations: readonly AblationReport[]): Table {
  const [whole] = ablations
  const languages = Object.keys(whole!.languages)
  return {
    title: 'Ablation: macro over sets, and mean Recall@8 over the sets of each language',
    note: `On a seeded sample of at most ${ABLATION_QUERIES} queries a set. The first row is in per cent, the others are differences from it in points: a part `
      + 'is worth what is lost without it.',
    head: ['', 'R@1', 'R@5', 'R@8', 'MRR@10', ...languages.map(language => `R@8 ${language}`)],
    rows: ablations.map((ablation) => {
      const values = ({ macro, languages: byLanguage }: AblationReport) =>
        [macro.recall1, macro.recall5, macro.recall8, macro.mrr10, ...languages.map(language => byLanguage[language]!)]
      const all = values(whole!)
      return [ablation.label, ...values(ablation).map((value, i) => ablation === whole ? percent(value) : points(value - all[i]!))]
    }),
  }
}

export function scaleTable({ tools, sets, queriesPerSet, engines }: ScaleReport): Table {
  return {
    title: `In a catalogue of ${tools.toLocaleString('en')} tools: macro Recall@8`,
    note: `Each of ${sets} sets is filled up with tools of real servers; a seeded sample of up to ${queriesPerSet} queries a set is asked of its own and of `
      + 'the large catalogue. Distractors that would do as well count as wrong, so the large values are lower bounds.',
    head: ['engine', 'own catalogue', 'large', 'difference', 'p50 ms', 'p95 ms'],
    rows: engines.map(({ engine, own, large, p50, p95 }) =>
      [engine, percent(own), percent(large), points(large - own), digits(p50), digits(p95)]),
  }
}

export function corpusTables(corpus: CorpusReport): Table[] {
  const { tools, queries, unanswerable, hash, engines, rejections } = corpus
  return [
    sliceTable(`Own frozen corpus by kind of query: ${tools} tools, ${queries} queries, in per cent`,
      `Written for this project before tuning and never tuned on (fixtures/corpus, data ${hash}). Means over queries.`,
      corpus, [...corpus.whole, ...corpus.kinds]),
    sliceTable('Own frozen corpus by language, in per cent', 'Means over queries.', corpus, corpus.languages),
    {
      title: `Own frozen corpus: ${unanswerable} queries that no tool answers, in per cent`,
      note: 'A weak match is listed but not loaded by itself.',
      head: ['engine', 'nothing found', 'weak match'],
      rows: engines.map(({ id, label }) => [label, percent(rejections[id]!.none), percent(rejections[id]!.weak)]),
    },
  ]
}
