/**
 * Does the order in which tools are registered change an answer?
 * @module
 */

import type { Engine } from '../engines/engine.ts'
import { mean, recallAt } from '../metrics.ts'
import { createRandom, sample, seedOf, shuffled } from '../random.ts'
import type { Progress } from '../report/progress.ts'
import { DEPTH } from '../run.ts'
import type { QuerySet } from '../sets.ts'

interface TieSpread {
  /** Highest minus lowest mean Recall@8 over the orders. */
  readonly spread: number
  /** Share of queries whose first ten differ between any two orders. */
  readonly changed: number
}

async function probeTies(engine: Engine, set: QuerySet, orders: number, queryCount: number): Promise<TieSpread> {
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

export interface TieReport {
  readonly orders: number
  readonly queriesPerSet: number
  /** Sets with more tools are left out. */
  readonly largestCatalog: number
  readonly engines: readonly {
    readonly engine: string
    readonly sets: number
    /** Largest over the sets. */
    readonly spread: number
    /** Mean over the sets. */
    readonly changed: number
  }[]
}

const TIE_ORDERS = 20
const TIE_QUERIES = 25

/** Indexing a large catalogue twenty times takes minutes and tells nothing new. */
const LARGEST_CATALOG = 300

export async function measureTies(sets: readonly QuerySet[], engines: readonly Engine[], progress: Progress): Promise<TieReport> {
  const small = sets.filter(set => set.tools.length <= LARGEST_CATALOG)
  progress.stage('registration orders', engines.length)
  const rows: TieReport['engines'][number][] = []
  for (const engine of engines) {
    const spreads: TieSpread[] = []
    for (const set of small) spreads.push(await probeTies(engine, set, TIE_ORDERS, TIE_QUERIES))
    if (spreads.length > 0) {
      rows.push({
        engine: engine.label,
        sets: spreads.length,
        spread: Math.max(...spreads.map(({ spread }) => spread)),
        changed: mean(spreads.map(({ changed }) => changed)),
      })
    }
    progress.step()
  }
  return { orders: TIE_ORDERS, queriesPerSet: TIE_QUERIES, largestCatalog: LARGEST_CATALOG, engines: rows }
}
