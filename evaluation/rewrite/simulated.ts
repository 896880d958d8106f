/**
 * Rewrites without a model: the same request in the language of the definitions, where two sets ask the same of the same tools in two
 * languages, is the best that a rewrite of a foreign query can be; another query of the same set is one that misses the point.
 * @module
 */

import { buildCatalog } from '../../src/catalog/store.ts'
import type { Catalog } from '../../src/catalog/types.ts'
import type { ChannelFactory } from '../../src/channels/channel.ts'
import { DEFAULT_RETRIEVAL } from '../../src/retrieval-defaults.ts'
import { createRetriever } from '../../src/retriever.ts'
import { DEFAULT_REWRITE } from '../../src/rewrite/config.ts'
import type { RewritePolicy } from '../../src/rewrite/config.ts'
import type { Rewriter } from '../../src/rewrite/types.ts'
import { mean, recallAt } from '../metrics.ts'
import { createRandom, drawInteger, seedOf } from '../random.ts'
import type { Progress } from '../report/progress.ts'
import type { JudgedQuery, QuerySet } from '../sets.ts'
import { RECALL_DEPTH } from './certainty.ts'
import { sharedChannels } from './shared-channels.ts'

export const WEIGHTS = [0.25, 0.5, 0.75, 1, 1.5] as const

/** Mean Recall@8 over sets, by weight of a rewritten query. */
export interface SimulatedRewrites {
  readonly sets: number
  readonly queries: number
  readonly raw: number
  readonly always: Readonly<Record<number, number>>
  readonly auto: Readonly<Record<number, number>>
}

interface Task {
  readonly set: QuerySet
  readonly catalog: Catalog
  readonly rewrites: readonly (readonly [query: JudgedQuery, rewrite: string])[]
}

/** The number of a query within its source: what an id ends in, `12` or `12-3`. */
const numberOf = ({ id }: JudgedQuery): string => /(?:\d+-)*\d+$/.exec(id)?.[0] ?? id

/** Foreign queries with the same request in the language of the definitions. */
export function translatedTasks(sets: readonly QuerySet[]): Task[] {
  return sets.flatMap((set): Task[] => {
    const catalog = buildCatalog(set.tools)
    const native = sets.filter(other => other !== set && other.tools.length === set.tools.length
      && buildCatalog(other.tools).revision === catalog.revision).flatMap(other => other.queries
      .filter(({ lang }) => lang === set.catalogLang).map(query => [numberOf(query), query] as const))
    const byNumber = new Map(native)
    const rewrites = set.queries.flatMap((query) => {
      const same = query.lang === set.catalogLang ? undefined : byNumber.get(numberOf(query))
      return same !== undefined && same.relevant.join() === query.relevant.join() ? [[query, same.query] as const] : []
    })
    return rewrites.length === 0 ? [] : [{ set, catalog, rewrites }]
  })
}

/** Queries with another query of their set, drawn by seed. */
export function mistakenTasks(sets: readonly QuerySet[]): Task[] {
  return sets.filter(({ queries }) => queries.length > 1).map((set) => {
    const random = createRandom(seedOf(set.name))
    const rewrites = set.queries.map((query, at) => {
      const other = drawInteger(random, set.queries.length - 1)
      return [query, set.queries[other < at ? other : other + 1]!.query] as const
    })
    return { set, catalog: buildCatalog(set.tools), rewrites }
  })
}

async function recallOf({ catalog, rewrites }: Task, policy: false | RewritePolicy, channels: readonly ChannelFactory[]): Promise<number> {
  const retriever = createRetriever({ ...DEFAULT_RETRIEVAL, rewrite: policy }, channels)
  const recalls: number[] = []
  for (const [query, rewrite] of rewrites) {
    const rewriter: Rewriter = { rewrite: () => Promise.resolve({ status: 'applied', queries: [rewrite] }) }
    const { results } = await retriever.search(catalog, { query: query.query, limit: RECALL_DEPTH, rewriter })
    recalls.push(recallAt(RECALL_DEPTH, results.map(({ name }) => name), query))
  }
  return mean(recalls)
}

export async function measureSimulated(label: string, tasks: readonly Task[], progress: Progress): Promise<SimulatedRewrites> {
  progress.stage(label, tasks.length * (1 + 2 * WEIGHTS.length))
  const channels = sharedChannels()
  const over = async (policy: false | RewritePolicy): Promise<number> => {
    const recalls: number[] = []
    for (const task of tasks) {
      recalls.push(await recallOf(task, policy, channels))
      progress.step()
    }
    return mean(recalls)
  }
  const byWeight = async (when: 'always' | 'auto'): Promise<Record<number, number>> => {
    const recalls: Record<number, number> = {}
    for (const weight of WEIGHTS) recalls[weight] = await over({ ...DEFAULT_REWRITE, when, weight })
    return recalls
  }
  return {
    sets: tasks.length,
    queries: tasks.reduce((sum, { rewrites }) => sum + rewrites.length, 0),
    raw: await over(false),
    always: await byWeight('always'),
    auto: await byWeight('auto'),
  }
}
