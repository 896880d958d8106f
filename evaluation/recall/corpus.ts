/**
 * The project's own frozen corpus: by kind of query, and what happens to queries that have no tool.
 * @module
 */

import type { Engine } from '../engines/engine.ts'
import { mean } from '../metrics.ts'
import type { Progress } from '../report/progress.ts'
import { runSet } from '../run.ts'
import type { RunsOfSet } from '../run.ts'
import { languageOf } from '../sets.ts'
import type { QuerySet } from '../sets.ts'
import { slices } from './measure.ts'
import type { SliceReport } from './measure.ts'

export interface CorpusReport {
  readonly tools: number
  readonly queries: number
  readonly unanswerable: number
  readonly hash: string
  readonly engines: readonly { readonly id: string; readonly label: string }[]
  readonly whole: readonly SliceReport[]
  readonly kinds: readonly SliceReport[]
  readonly languages: readonly SliceReport[]
  /** By engine id, the share of unanswerable queries that got nothing, or only a weak match. */
  readonly rejections: Readonly<Record<string, { readonly none: number; readonly weak: number }>>
}

export async function measureCorpus(set: QuerySet, engines: readonly Engine[], progress: Progress): Promise<CorpusReport> {
  progress.stage('own corpus', engines.length)
  const runs: Record<string, RunsOfSet[string]> = {}
  const rejections: Record<string, { none: number; weak: number }> = {}
  for (const engine of engines) {
    const run = runs[engine.id] = await runSet(engine, set)
    const rejected = []
    for (const { query } of set.unanswerable) rejected.push(await run.index.search(query, 8))
    rejections[engine.id] = {
      none: mean(rejected.map(({ names }) => names.length === 0 ? 1 : 0)),
      weak: mean(rejected.map(({ match }) => match === 'weak' ? 1 : 0)),
    }
    progress.step()
  }
  return {
    tools: set.tools.length,
    queries: set.queries.length,
    unanswerable: set.unanswerable.length,
    hash: set.hash,
    engines: engines.map(({ id, label }) => ({ id, label })),
    whole: slices([runs], () => 'all kinds'),
    kinds: slices([runs], ({ query }) => query.kind ?? 'no kind'),
    languages: slices([runs], ({ query }) => languageOf(query, set)),
    rejections,
  }
}
