/**
 * Does the retriever know when it has nothing? Queries of other sets are asked of a catalogue that was not made for them.
 *
 * A foreign query may have a good tool by chance (every second catalogue tells the weather), so that 100 % rejection is not right either.
 * What rejection costs is measured on the set's own queries.
 * @module
 */

import type { EngineAnswer, Searchable } from '../engines/engine.ts'
import { mean } from '../metrics.ts'
import { createRandom, sample, seedOf } from '../random.ts'
import type { AnsweredQuery } from '../run.ts'
import { DEPTH } from '../run.ts'
import type { JudgedQuery, QuerySet } from '../sets.ts'

export interface Rejection {
  readonly queries: number
  /** Share answered with nothing. */
  readonly none: number
  /** Share answered with something that is not loaded by itself. */
  readonly weak: number
}

const rejection = (matches: readonly EngineAnswer['match'][]): Rejection => ({
  queries: matches.length,
  none: mean(matches.map(match => match === 'none' ? 1 : 0)),
  weak: mean(matches.map(match => match === 'weak' ? 1 : 0)),
})

/** A seeded sample of the queries of sets from other sources. */
export function foreignQueries(set: QuerySet, sets: readonly QuerySet[], size: number): JudgedQuery[] {
  const others = sets.filter(other => other.source !== set.source).flatMap(other => other.queries)
  return sample(others, size, createRandom(seedOf(`foreign ${set.name}`)))
}

export async function probeForeign(index: Searchable, queries: readonly Pick<JudgedQuery, 'query'>[]): Promise<Rejection> {
  const matches: EngineAnswer['match'][] = []
  for (const { query } of queries) matches.push((await index.search(query, DEPTH)).match)
  return rejection(matches)
}

/** The same shares on judged queries, where every rejection is an error. */
export const wrongRejection = (answers: readonly AnsweredQuery[]): Rejection => rejection(answers.map(answer => answer.match))
