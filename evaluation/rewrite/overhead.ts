/**
 * What a search pays for the decision not to rewrite: the same searches with rewrites turned off and with them skipped, in turns.
 * @module
 */

import { buildCatalog } from '../../src/catalog/store.ts'
import { DEFAULT_RETRIEVAL } from '../../src/retrieval-defaults.ts'
import { createRetriever } from '../../src/retriever.ts'
import type { Retriever } from '../../src/retriever.ts'
import { DEFAULT_REWRITE } from '../../src/rewrite/config.ts'
import type { Rewriter } from '../../src/rewrite/types.ts'
import { quantile } from '../metrics.ts'
import type { Progress } from '../report/progress.ts'
import type { QuerySet } from '../sets.ts'
import { RECALL_DEPTH } from './certainty.ts'
import { sharedChannels } from './shared-channels.ts'

const ROUNDS = 7

export interface Overhead {
  readonly tools: number
  readonly queries: number
  /** Medians over the queries of their fastest round, in ms; the difference is the median of the differences. */
  readonly off: number
  readonly skipped: number
  readonly difference: number
}

const NEVER_ASKED: Rewriter = { rewrite: () => Promise.reject(new Error('a search that is measured must skip the rewrite')) }

/** The queries of a set that skip the rewrite, each asked in both ways in turns. */
export async function measureOverhead(set: QuerySet, progress: Progress): Promise<Overhead> {
  const catalog = buildCatalog(set.tools)
  const channels = sharedChannels()
  const off = createRetriever({ ...DEFAULT_RETRIEVAL, rewrite: false }, channels)
  const skipping = createRetriever({ ...DEFAULT_RETRIEVAL, rewrite: DEFAULT_REWRITE }, channels)
  const queries: string[] = []
  for (const { query } of set.queries) {
    const { rewrite } = await skipping.search(catalog, { query, limit: RECALL_DEPTH })
    if (rewrite.reason !== 'llm-unavailable') queries.push(query)
  }
  const ms = async (retriever: Retriever, query: string): Promise<number> => {
    const startedAt = performance.now()
    await retriever.search(catalog, { query, limit: RECALL_DEPTH, rewriter: NEVER_ASKED })
    return performance.now() - startedAt
  }
  const fastest = queries.map(() => ({ off: Infinity, skipped: Infinity }))
  progress.stage('overhead of a skipped rewrite', ROUNDS)
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, query] of queries.entries()) {
      // Whoever goes second finds warm caches; so each goes second every other time.
      const first = round % 2 === 0 ? await ms(off, query) : undefined
      const skipped = await ms(skipping, query)
      const plain = first ?? await ms(off, query)
      fastest[at] = { off: Math.min(fastest[at]!.off, plain), skipped: Math.min(fastest[at]!.skipped, skipped) }
    }
    progress.step()
  }
  return {
    tools: set.tools.length,
    queries: queries.length,
    off: quantile(fastest.map(time => time.off), 0.5),
    skipped: quantile(fastest.map(time => time.skipped), 0.5),
    difference: quantile(fastest.map(time => time.skipped - time.off), 0.5),
  }
}
