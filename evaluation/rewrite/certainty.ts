/**
 * What `rewrite.when: auto` costs and saves, measured without a model: how certain the local channels are about each query, and how much of
 * what it asks for they have found.
 * @module
 */

import type { ChannelFactory, ChannelRanking } from '../../src/channels/channel.ts'
import { buildCatalog } from '../../src/catalog/store.ts'
import { DEFAULT_RETRIEVAL } from '../../src/retrieval-defaults.ts'
import { createRetriever, DEFAULT_CHANNELS } from '../../src/retriever.ts'
import { DEFAULT_REWRITE } from '../../src/rewrite/config.ts'
import { certaintyOf } from '../../src/rewrite/decision.ts'
import { recallAt } from '../metrics.ts'
import type { Progress } from '../report/progress.ts'
import { languageOf } from '../sets.ts'
import type { QuerySet } from '../sets.ts'

/** Results of a search by default. */
export const RECALL_DEPTH = 8

/** One query as `auto` sees it. */
export interface JudgedCertainty {
  readonly set: string
  readonly language: string
  /** Undefined when no model is asked whatever the channels say. */
  readonly certainty: number | undefined
  readonly recall: number
}

/** Channels that also hand their rankings to somebody else; not the exact one, whose word is final anyway. */
function listening(hear: (ranking: ChannelRanking) => void): ChannelFactory[] {
  return DEFAULT_CHANNELS.map((create): ChannelFactory => (context) => {
    const channel = create(context)
    if (channel.id === 'exact') return channel
    return {
      ...channel,
      index(catalog) {
        const index = channel.index(catalog)
        return {
          async search(plan, limit, signal) {
            const ranking = await index.search(plan, limit, signal)
            hear(ranking)
            return ranking
          },
        }
      },
    }
  })
}

/** Asks every query of every set once. */
export async function measureCertainty(sets: readonly QuerySet[], progress: Progress): Promise<JudgedCertainty[]> {
  const judged: JudgedCertainty[] = []
  let rankings: ChannelRanking[] = []
  const rewrite = { ...DEFAULT_REWRITE, when: 'always' as const }
  const retriever = createRetriever({ ...DEFAULT_RETRIEVAL, rewrite }, listening(ranking => rankings.push(ranking)))
  progress.stage('certainty of the local channels', sets.length)
  for (const set of sets) {
    const catalog = buildCatalog(set.tools)
    for (const query of set.queries) {
      rankings = []
      const outcome = await retriever.search(catalog, { query: query.query, limit: RECALL_DEPTH })
      judged.push({
        set: set.name,
        language: languageOf(query, set),
        // Without a rewriter, this reason is given exactly where a model would be asked.
        certainty: outcome.rewrite.reason === 'llm-unavailable' ? certaintyOf(rankings) : undefined,
        recall: recallAt(RECALL_DEPTH, outcome.results.map(({ name }) => name), query),
      })
    }
    progress.step()
  }
  return judged
}
