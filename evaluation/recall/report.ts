/**
 * What `eval:recall` reports: the order of its tables, and its plot.
 * @module
 */

import type { AblationReport } from '../probes/ablations.ts'
import type { ScaleReport } from '../probes/scale.ts'
import type { TieReport } from '../probes/ties.ts'
import type { TypoReport } from '../probes/typos.ts'
import { groupedBars } from '../report/plots.ts'
import type { Table } from '../report/table.ts'
import type { CorpusReport } from './corpus.ts'
import type { QualityReport } from './measure.ts'
import {
  ablationTable, buildTable, comparisonTable, corpusTables, macroTable, rejectionTable, scaleTable, setTable, siblingTable,
  sliceTable, speedTable, tieTable, typoTable,
} from './tables.ts'

export interface RecallReport {
  readonly quality: QualityReport
  readonly corpus: CorpusReport | undefined
  readonly ties: TieReport | undefined
  readonly typos: readonly TypoReport[]
  readonly ablations: readonly AblationReport[]
  readonly scale: ScaleReport | undefined
}

export function recallTables({ quality, corpus, ties, typos, ablations, scale }: RecallReport): Table[] {
  return [
    ...quality.sets.length === 0 ? [] : qualityTables(quality),
    ...ties === undefined ? [] : [tieTable(ties)],
    ...typos.map(typoTable),
    ...ablations.length === 0 ? [] : [ablationTable(ablations)],
    ...scale === undefined ? [] : [scaleTable(scale)],
    ...corpus === undefined ? [] : corpusTables(corpus),
  ]
}

function qualityTables(quality: QualityReport): Table[] {
  return [
    macroTable(quality),
    setTable(quality),
    comparisonTable(quality, 'recall8'),
    comparisonTable(quality, 'recall5'),
    sliceTable('By language of query and definitions, in per cent', 'Means over queries. An arrow: the definitions are in another language. The numbers of queries are those of the engines that answer all.',
      quality, quality.languages),
    sliceTable('By number of tools asked for, in per cent', 'Means over queries. One tool: one is relevant, or one of the relevant is enough.',
      quality, quality.kinds),
    siblingTable(quality),
    rejectionTable(quality),
    speedTable(quality),
    buildTable(quality),
  ]
}

export function recallPlot({ engines, sets }: QualityReport): string {
  return groupedBars('Recall@8, set by set', sets.map(({ name }) => name), engines.map(({ id, label }) => ({
    label,
    values: sets.map(set => set.engines[id]!.scores.recall8),
  })))
}
