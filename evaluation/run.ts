/**
 * One engine over one set: answers, scores and times.
 * @module
 */

import type { Engine, EngineAnswer, EngineIndex, Searchable } from './engines/engine.ts'
import { meanScores, scoreAnswer } from './metrics.ts'
import type { Scores } from './metrics.ts'
import { createRandom, sample, seedOf } from './random.ts'
import type { JudgedQuery, QuerySet } from './sets.ts'

/** Results asked for: the depth of the deepest metric. */
export const DEPTH = 10

/** Queries asked before the clock counts, so that no engine is timed while its code is still being compiled. */
const WARM_UP_QUERIES = 10

/** Queries of a set that slow engines are asked. */
export const SAMPLE_QUERIES = 300

/** The set with a seeded sample of its queries, the same one every time; all of them when there are no more. */
export function sampledSet(set: QuerySet, size: number = SAMPLE_QUERIES): QuerySet {
  return { ...set, queries: sample(set.queries, size, createRandom(seedOf(`sample ${set.name}`))) }
}

export interface AnsweredQuery extends EngineAnswer {
  readonly query: JudgedQuery
  readonly scores: Scores
  /** Time of the search alone. */
  readonly ms: number
}

export interface SetRun {
  readonly set: QuerySet
  readonly engine: Engine
  readonly index: EngineIndex
  readonly buildMs: number
  readonly answers: readonly AnsweredQuery[]
}

/** Runs of one set, by engine id. */
export type RunsOfSet = Readonly<Record<string, SetRun>>

export async function warmUp(index: Searchable, queries: readonly JudgedQuery[]): Promise<void> {
  for (const { query } of queries.slice(0, WARM_UP_QUERIES)) await index.search(query, DEPTH)
}

/** Asks every query once, in order. */
export async function askAll(index: Searchable, queries: readonly JudgedQuery[]): Promise<AnsweredQuery[]> {
  const answers: AnsweredQuery[] = []
  for (const query of queries) {
    const startedAt = performance.now()
    const answer = await index.search(query.query, DEPTH)
    const ms = performance.now() - startedAt
    answers.push({ ...answer, query, ms, scores: scoreAnswer(answer.names, query) })
  }
  return answers
}

export async function runSet(engine: Engine, set: QuerySet): Promise<SetRun> {
  const startedAt = performance.now()
  const index = await engine.build(set.tools)
  const buildMs = performance.now() - startedAt
  await warmUp(index, set.queries)
  return { set, engine, index, buildMs, answers: await askAll(index, set.queries) }
}

export const scoresOf = (answers: readonly AnsweredQuery[]): Scores => meanScores(answers.map(answer => answer.scores))
