/**
 * Recall of the default retriever, of dense evidence alone, and of both together, on the same queries.
 * @module
 */

import { createCatalogStore } from '../../src/catalog/store.ts'
import type { Catalog } from '../../src/catalog/types.ts'
import type { DenseChannel } from '../../src/channels/dense.ts'
import { planQuery } from '../../src/query/planner.ts'
import { DEFAULT_RETRIEVAL } from '../../src/retrieval-defaults.ts'
import { createRetriever, DEFAULT_CHANNELS } from '../../src/retriever.ts'
import type { Retriever } from '../../src/retriever.ts'
import type { Searchable } from '../engines/engine.ts'
import { quantile } from '../metrics.ts'
import type { Scores } from '../metrics.ts'
import { foreignQueries, probeForeign, wrongRejection } from '../probes/foreign.ts'
import type { Rejection } from '../probes/foreign.ts'
import { createRandom, sample, seedOf } from '../random.ts'
import type { Progress } from '../report/progress.ts'
import { askAll, scoresOf } from '../run.ts'
import type { AnsweredQuery } from '../run.ts'
import type { JudgedQuery, QuerySet } from '../sets.ts'

/** Foreign queries asked of each set. */
const FOREIGN_QUERIES = 60

export const WAYS = ['default', 'dense', 'fused'] as const

/** `default`: without dense; `dense`: nothing but dense; `fused`: all of it. */
export type Way = (typeof WAYS)[number]

export interface DenseSetReport {
  readonly name: string
  /** `query language → language of the tools`. */
  readonly languages: string
  readonly tools: number
  readonly queries: number
  readonly scores: Readonly<Record<Way, Scores>>
  /** Recall@8 by query, for paired statistics. */
  readonly recall8: Readonly<Record<Way, readonly number[]>>
  /** Median time of a search in ms; `fused` embeds the query, `dense` finds its vector remembered. */
  readonly ms: Readonly<Record<Way, number>>
  readonly foreign: Readonly<Record<'default' | 'fused', Rejection>>
  readonly own: Readonly<Record<'default' | 'fused', Rejection>>
}

function searchable(retriever: Retriever, catalog: Catalog): Searchable {
  return {
    async search(query, limit) {
      const { results, match, failures } = await retriever.search(catalog, { query, limit })
      // A figure of a search that dense took no part in would be a figure of something else.
      if (failures.length > 0) throw new Error(`${failures[0]!.channel}: ${failures[0]!.reason}`)
      return { names: results.map(({ name }) => name), match }
    },
  }
}

function denseAlone(channel: DenseChannel, catalog: Catalog): Searchable {
  const index = channel.index(catalog)
  return {
    async search(query, limit) {
      const { tools } = await index.search(planQuery(query), limit)
      return { names: Array.from(tools, tool => catalog.tools[tool]!.name) }
    },
  }
}

export interface QualityOptions {
  readonly channel: DenseChannel
  /** Queries of each set, at most. */
  readonly sample: number
  readonly seed: number
}

/** The queries of a set that are asked. */
export function sampledQueries(set: QuerySet, { sample: size, seed }: Pick<QualityOptions, 'sample' | 'seed'>): JudgedQuery[] {
  return sample(set.queries, size, createRandom(seedOf(`${set.name} ${seed}`)))
}

/** Measures each set; the catalogues are embedded on the way unless their vectors are on disk. */
export async function measureDense(sets: readonly QuerySet[], options: QualityOptions, progress: Progress): Promise<DenseSetReport[]> {
  const { channel } = options
  const lexical = createRetriever(DEFAULT_RETRIEVAL)
  const fused = createRetriever(DEFAULT_RETRIEVAL, [...DEFAULT_CHANNELS, () => channel])
  const reports: DenseSetReport[] = []
  for (const set of sets) {
    progress.stage(set.name, 1)
    const catalog = createCatalogStore().snapshot(set.tools)
    const queries = sampledQueries(set, options)
    const ways: Readonly<Record<Way, Searchable>> = {
      default: searchable(lexical, catalog), dense: denseAlone(channel, catalog), fused: searchable(fused, catalog),
    }
    await ways.fused.search('warm up', 1)
    const fusedAnswers = await askAll(ways.fused, queries)
    const answers: Readonly<Record<Way, readonly AnsweredQuery[]>> = {
      default: await askAll(ways.default, queries), dense: await askAll(ways.dense, queries), fused: fusedAnswers,
    }
    const byWay = <T>(value: (of: readonly AnsweredQuery[]) => T): Record<Way, T> =>
      ({ default: value(answers.default), dense: value(answers.dense), fused: value(answers.fused) })
    const foreign = foreignQueries(set, sets, FOREIGN_QUERIES)
    reports.push({
      name: set.name,
      languages: `${queries[0]!.lang} → ${set.catalogLang}`,
      tools: catalog.tools.length,
      queries: queries.length,
      scores: byWay(scoresOf),
      recall8: byWay(of => of.map(({ scores }) => scores.recall8)),
      ms: byWay(of => quantile(of.map(({ ms }) => ms), 0.5)),
      foreign: { default: await probeForeign(ways.default, foreign), fused: await probeForeign(ways.fused, foreign) },
      own: { default: wrongRejection(answers.default), fused: wrongRejection(answers.fused) },
    })
    progress.step()
  }
  return reports
}
