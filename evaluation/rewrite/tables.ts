/**
 * The tables of `eval:rewrite:auto` and `eval:rewrite:score`.
 * @module
 */

import { CONFIDENT } from '../../src/rewrite/decision.ts'
import { pairedBootstrap } from '../bootstrap.ts'
import { mean, meanScores } from '../metrics.ts'
import type { Metric } from '../metrics.ts'
import { seedOf } from '../random.ts'
import { digits, percent, points } from '../report/table.ts'
import type { Table } from '../report/table.ts'
import { RECALL_DEPTH } from './certainty.ts'
import type { JudgedCertainty } from './certainty.ts'
import type { ParserFigures } from './corpus.ts'
import type { Overhead } from './overhead.ts'
import type { ReplayedQuery } from './replay.ts'
import { WEIGHTS } from './simulated.ts'
import type { SimulatedRewrites } from './simulated.ts'

const THRESHOLDS = [...new Set([0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, CONFIDENT])].sort((a, b) => a - b)

const bySet = (judged: readonly JudgedCertainty[]): JudgedCertainty[][] =>
  [...Map.groupBy(judged, ({ set }) => set).values()]

/** What a threshold does to queries of one set or language. */
interface Effect {
  /** Share of queries for which a model would be asked but for the threshold, and is not. */
  readonly saved: number
  /** Mean recall that the saved queries lack, over all queries: more than this no rewrite could have won. */
  readonly risk: number
  /** Mean recall of the saved queries. */
  readonly recall: number
}

function effectOf(judged: readonly JudgedCertainty[], threshold: number): Effect {
  const saved = judged.filter(({ certainty }) => certainty !== undefined && certainty >= threshold)
  return {
    saved: saved.length / judged.filter(({ certainty }) => certainty !== undefined).length,
    risk: saved.reduce((sum, { recall }) => sum + 1 - recall, 0) / judged.length,
    recall: mean(saved.map(({ recall }) => recall)),
  }
}

export function thresholdTable(judged: readonly JudgedCertainty[]): Table {
  const sets = bySet(judged)
  const lacking = mean(sets.map(set => mean(set.map(({ certainty, recall }) => certainty === undefined ? 0 : 1 - recall))))
  const named = mean(sets.map(set => mean(set.map(({ certainty }) => certainty === undefined ? 1 : 0))))
  return {
    title: 'When the local channels are sure enough: calls saved and recall at risk',
    note: `Plain means over ${sets.length} sets, without a model. At risk is what the queries that are not rewritten lack in Recall@${RECALL_DEPTH}, in points over all `
      + `queries: an upper bound of what a perfect rewrite would have won, of ${percent(lacking)} points that it could win in all. Not counted as saved: `
      + `${percent(named)} % of the queries, which name a tool.`,
    head: ['certainty from', 'calls saved %', `R@${RECALL_DEPTH} of those`, 'at risk', 'share of all that could be won %'],
    rows: THRESHOLDS.map((threshold) => {
      const effects = sets.map(set => effectOf(set, threshold))
      const risk = mean(effects.map(effect => effect.risk))
      const recalls = effects.map(effect => effect.recall).filter(Number.isFinite)
      return [
        `${threshold}${threshold === CONFIDENT ? ' (default)' : ''}`,
        percent(mean(effects.map(({ saved }) => Number.isNaN(saved) ? 0 : saved))),
        percent(mean(recalls)),
        percent(risk),
        percent(risk / lacking),
      ]
    }),
  }
}

export function languageTable(judged: readonly JudgedCertainty[]): Table {
  return {
    title: 'The same by language of query and definitions, with the default',
    note: 'Means over queries. An arrow: the definitions are in another language.',
    head: ['', 'queries', 'calls saved %', `R@${RECALL_DEPTH} of those`, 'at risk', `R@${RECALL_DEPTH} of the others`],
    rows: [...Map.groupBy(judged, ({ language }) => language)].sort(([, a], [, b]) => b.length - a.length).map(([language, queries]) => {
      const { saved, recall, risk } = effectOf(queries, CONFIDENT)
      const others = queries.filter(({ certainty }) => certainty !== undefined && certainty < CONFIDENT)
      return [language, `${queries.length}`, percent(saved), percent(recall), percent(risk), percent(mean(others.map(query => query.recall)))]
    }),
  }
}

export function weightTable(translated: SimulatedRewrites | undefined, mistaken: SimulatedRewrites): Table {
  const row = (label: string, { raw }: SimulatedRewrites, recalls: Readonly<Record<number, number>>) =>
    [label, percent(raw), ...WEIGHTS.map(weight => points(recalls[weight]! - raw))]
  return {
    title: `What a rewritten query counts: macro Recall@${RECALL_DEPTH} without, and the difference in points by weight`,
    note: (translated === undefined ? '' : `Best case: ${translated.queries} queries of ${translated.sets} sets whose "rewrite" is the same request in the language of the `
      + 'definitions, as its set has it. ')
      + `Worst case: ${mistaken.queries} queries of ${mistaken.sets} sets whose "rewrite" is a query drawn from the same set, about something else.`,
    head: ['', 'without', ...WEIGHTS.map(weight => `weight ${weight}`)],
    rows: [
      ...translated === undefined ? [] : [row('best case, always', translated, translated.always), row('best case, auto', translated, translated.auto)],
      row('worst case, always', mistaken, mistaken.always),
      row('worst case, auto', mistaken, mistaken.auto),
    ],
  }
}

export function overheadTable(overheads: readonly Overhead[]): Table {
  return {
    title: 'What a search pays for the decision not to rewrite, in ms',
    note: 'Searches that skip the rewrite, each asked with rewrites turned off and with the default in turns; medians over the queries of the fastest of seven rounds, and '
      + 'the median of the differences.',
    head: ['tools', 'queries', 'turned off', 'skipped', 'difference'],
    rows: overheads.map(({ tools, queries, off, skipped, difference }) => [`${tools}`, `${queries}`, digits(off), digits(skipped), difference.toFixed(4)]),
  }
}

export function parserTable({ usable, taken, takenAsJson, unusable, wrong }: ParserFigures): Table {
  return {
    title: 'What the parser takes of the corpus of responses',
    note: 'Kinds of responses in `fixtures/rewrite`, each with what a person would take from it. What is left for a second call to repair an answer is the difference '
      + 'to all kinds that hold queries; kinds that hold none have nothing that could be repaired. What models answer in fact is measured by `pnpm eval:rewrite:record` '
      + 'and `eval:rewrite:score`, which need one.',
    head: ['', 'kinds', 'plain JSON', 'the parser'],
    rows: [
      ['hold queries: just these are taken', `${usable}`, `${takenAsJson}`, `${taken}`],
      ['hold none: something is taken', `${unusable}`, '', `${wrong}`],
    ],
  }
}

const SCORED = ['recall1', 'recall5', 'recall8'] as const satisfies readonly Metric[]

function scoreRow(label: string, queries: readonly ReplayedQuery[]): string[] {
  const asked = queries.filter(({ rewrite }) => rewrite !== 'not asked')
  const [before, after] = [meanScores(queries.map(query => query.without)), meanScores(queries.map(query => query.with))]
  const { mean: gain, low, high } = pairedBootstrap([queries.map(query => query.with.recall8 - query.without.recall8)], seedOf(label))
  return [
    label,
    `${queries.length}`,
    percent(asked.length / queries.length),
    percent(asked.filter(({ rewrite }) => rewrite === 'applied').length / asked.length),
    ...SCORED.map(metric => `${percent(before[metric])} → ${percent(after[metric])}`),
    `${points(gain)} [${points(low)}, ${points(high)}]`,
  ]
}

const SCORE_HEAD = ['', 'queries', 'asked %', 'valid %', 'R@1', 'R@5', 'R@8', 'R@8 gained [95 %]']

export function scoreTables(replayed: readonly ReplayedQuery[]): Table[] {
  const rows = (label: (query: ReplayedQuery) => string) =>
    [...Map.groupBy(replayed, label)].map(([name, queries]) => scoreRow(name, queries))
  return [
    {
      title: 'Recorded rewrites, set by set: without → with',
      note: 'Asked: queries for which the plugin would ask a model. Valid: share of its answers that the parser took. Gained: with its 95 % paired bootstrap interval.',
      head: SCORE_HEAD,
      rows: [...rows(({ set }) => set), scoreRow('all queries', replayed)],
    },
    {
      title: 'Recorded rewrites by language of query and definitions',
      note: 'Means over queries. An arrow: the definitions are in another language.',
      head: SCORE_HEAD,
      rows: rows(({ language }) => language),
    },
  ]
}
