/**
 * Does the order in which tools are registered change an answer?
 * @module
 */

import type { Engine } from '../engines/engine.ts'
import { mean, recallAt } from '../metrics.ts'
import { createRandom, sample, seedOf, shuffled } from '../random.ts'
import { DEPTH } from '../run.ts'
import type { QuerySet } from '../sets.ts'

export interface TieSpread {
  /** Highest minus lowest mean Recall@8 over the orders. */
  readonly spread: number
  /** Share of queries whose first ten differ between any two orders. */
  readonly changed: number
}

export async function probeTies(engine: Engine, set: QuerySet, orders: number, queryCount: number): Promise<TieSpread> {
  const queries = sample(set.queries, queryCount, createRandom(seedOf(`ties ${set.name}`)))
  const lists = queries.map(() => new Set<string>())
  const recalls: number[] = []
  for (let order = 0; order < orders; order++) {
    const index = await engine.build(shuffled(set.tools, createRandom(seedOf(`order ${order}`))))
    const recall: number[] = []
    for (const [at, query] of queries.entries()) {
      const { names } = await index.search(query.query, DEPTH)
      lists[at]!.add(names.join('\n'))
      recall.push(recallAt(8, names, query))
    }
    recalls.push(mean(recall))
  }
  return { spread: Math.max(...recalls) - Math.min(...recalls), changed: mean(lists.map(list => list.size > 1 ? 1 : 0)) }
}
