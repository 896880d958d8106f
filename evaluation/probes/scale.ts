/**
 * The same questions in a far larger catalogue: what do thousands of other tools cost?
 * @module
 */

import type { ToolDeclaration } from '../../src/catalog/types.ts'
import type { Engine } from '../engines/engine.ts'
import { mean, quantile } from '../metrics.ts'
import { createRandom, sample, seedOf } from '../random.ts'
import type { Progress } from '../report/progress.ts'
import { runSet, scoresOf } from '../run.ts'
import type { RunsOfSet } from '../run.ts'
import type { QuerySet } from '../sets.ts'

/** A set whose catalogue is filled up to `size` tools; a distractor of a name that the set has is left out. */
function withDistractors(set: QuerySet, distractors: readonly ToolDeclaration[], size: number, queryCount: number): QuerySet {
  const names = new Set(set.tools.map(tool => tool.name))
  const strangers = distractors.filter(tool => !names.has(tool.name))
  return {
    ...set,
    tools: [...set.tools, ...strangers.slice(0, Math.max(0, size - set.tools.length))],
    queries: sample(set.queries, queryCount, createRandom(seedOf(`scale ${set.name}`))),
  }
}

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

/** Fills every set's catalogue with the tools of a larger one and asks a sample of its queries again. */
export async function measureScale(
  sets: readonly QuerySet[],
  distractors: readonly ToolDeclaration[],
  engines: readonly Engine[],
  runs: readonly RunsOfSet[],
  progress: Progress,
): Promise<ScaleReport> {
  progress.stage(`${SCALE_TOOLS} tools`, sets.length)
  const rows = engines.map(() => ({ own: [] as number[], large: [] as number[], ms: [] as number[] }))
  for (const [i, set] of sets.entries()) {
    const large = withDistractors(set, distractors, SCALE_TOOLS, SCALE_QUERIES)
    const asked = new Set(large.queries)
    for (const [e, engine] of engines.entries()) {
      const { answers } = await runSet(engine, large)
      rows[e]!.own.push(mean(runs[i]![engine.id]!.answers.filter(({ query }) => asked.has(query)).map(({ scores }) => scores.recall8)))
      rows[e]!.large.push(scoresOf(answers).recall8)
      rows[e]!.ms.push(...answers.map(({ ms }) => ms))
    }
    progress.step()
  }
  return {
    tools: SCALE_TOOLS,
    sets: sets.length,
    queriesPerSet: SCALE_QUERIES,
    engines: engines.map(({ label }, e) => ({
      engine: label,
      own: mean(rows[e]!.own),
      large: mean(rows[e]!.large),
      p50: quantile(rows[e]!.ms, 0.5),
      p95: quantile(rows[e]!.ms, 0.95),
    })),
  }
}
