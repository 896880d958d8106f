/**
 * The same questions in a far larger catalogue: what do thousands of other tools cost?
 * @module
 */

import type { ToolDeclaration } from '../../src/catalog/types.ts'
import type { Engine } from '../engines/engine.ts'
import { mean, quantile } from '../metrics.ts'
import { createRandom, sample, seedOf } from '../random.ts'
import type { Progress } from '../report/progress.ts'
import { askAll, scoresOf, warmUp } from '../run.ts'
import type { RunsOfSet } from '../run.ts'
import type { QuerySet } from '../sets.ts'

export interface ScaleReport {
  readonly tools: number
  readonly sets: number
  readonly queriesPerSet: number
  /** Macro Recall@8 of the same queries in the set's own catalogue and in the large one, and times in the latter. */
  readonly engines: readonly {
    readonly engine: string
    readonly own: number
    readonly large: number
    readonly p50: number
    readonly p95: number
  }[]
}

const SCALE_TOOLS = 15_000
const SCALE_QUERIES = 60

/** The tools and enough others to make `size`; a distractor whose name is taken is left out. */
function withDistractors(tools: readonly ToolDeclaration[], distractors: readonly ToolDeclaration[], size: number): ToolDeclaration[] {
  const names = new Set(tools.map(tool => tool.name))
  const strangers = distractors.filter(tool => !names.has(tool.name))
  return [...tools, ...strangers.slice(0, Math.max(0, size - tools.length))]
}

/** Sets whose catalogues are equal, in one group: a large catalogue takes seconds to index. */
function byCatalog(sets: readonly QuerySet[]): QuerySet[][] {
  return [...Map.groupBy(sets, ({ tools }) => JSON.stringify(tools)).values()]
}

/** Fills every set's catalogue with the tools of a larger one and asks a sample of its queries again. */
export async function measureScale(
  sets: readonly QuerySet[],
  distractors: readonly ToolDeclaration[],
  engines: readonly Engine[],
  runs: readonly RunsOfSet[],
  progress: Progress,
): Promise<ScaleReport> {
  progress.stage(`${SCALE_TOOLS} tools`, sets.length)
  const runsOf = new Map(sets.map((set, i) => [set, runs[i]!]))
  const rows = engines.map(({ label }) => ({ engine: label, own: [] as number[], large: [] as number[], ms: [] as number[] }))
  for (const group of byCatalog(sets)) {
    const tools = withDistractors(group[0]!.tools, distractors, SCALE_TOOLS)
    for (const [e, engine] of engines.entries()) {
      const index = await engine.build(tools)
      for (const set of group) {
        const queries = sample(set.queries, SCALE_QUERIES, createRandom(seedOf(`scale ${set.name}`)))
        const asked = new Set(queries)
        await warmUp(index, queries)
        const large = await askAll(index, queries)
        rows[e]!.own.push(scoresOf(runsOf.get(set)![engine.id]!.answers.filter(({ query }) => asked.has(query))).recall8)
        rows[e]!.large.push(scoresOf(large).recall8)
        rows[e]!.ms.push(...large.map(({ ms }) => ms))
      }
    }
    for (const _ of group) progress.step()
  }
  return {
    tools: SCALE_TOOLS,
    sets: sets.length,
    queriesPerSet: SCALE_QUERIES,
    engines: rows.map(({ engine, own, large, ms }) =>
      ({ engine, own: mean(own), large: mean(large), p50: quantile(ms, 0.5), p95: quantile(ms, 0.95) })),
  }
}
