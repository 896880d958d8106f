/**
 * What other fusion weights would do, weights that depend on the kind of query among them.
 * @module
 */

import { createCatalogStore } from '../../src/catalog/store.ts'
import type { Channel } from '../../src/channels/channel.ts'
import { DEFAULT_RETRIEVAL } from '../../src/retrieval-defaults.ts'
import { createRetriever, DEFAULT_CHANNELS } from '../../src/retriever.ts'
import type { Retriever } from '../../src/retriever.ts'
import { mean } from '../metrics.ts'
import type { Progress } from '../report/progress.ts'
import { askAll, scoresOf } from '../run.ts'
import type { AnsweredQuery } from '../run.ts'
import type { JudgedQuery, QuerySet } from '../sets.ts'

/** Weights of dense and of semantic evidence for one query. */
interface MeaningWeights {
  readonly dense: number
  readonly semantic: number
}

/** Longest query that is called short, in words. */
const SHORT = 12

const { semantic } = DEFAULT_RETRIEVAL.fusion.weights

const isShort = (query: string): boolean => query.split(/\s+/).length <= SHORT

const VARIANTS: readonly { readonly label: string; readonly weights: (query: string) => MeaningWeights }[] = [
  ...[0.25, 0.5, 0.75, 1].map(dense => ({ label: `dense ${dense}`, weights: () => ({ dense, semantic }) })),
  { label: 'dense 0.5, and half the semantic weight', weights: () => ({ dense: 0.5, semantic: semantic / 2 }) },
  { label: 'dense 0.5, and no semantic weight', weights: () => ({ dense: 0.5, semantic: 0 }) },
  { label: `dense 0.75 for queries of up to ${SHORT} words, 0.25 for longer ones`, weights: query => ({ dense: isShort(query) ? 0.75 : 0.25, semantic }) },
  { label: `dense 0.25 for queries of up to ${SHORT} words, 0.75 for longer ones`, weights: query => ({ dense: isShort(query) ? 0.25 : 0.75, semantic }) },
]

export interface WeightReport {
  readonly label: string
  /** Means over the English sets. */
  readonly recall1: number
  readonly recall5: number
  readonly recall8: number
  /** Recall@8 over the queries of even and of odd place: what differs between them is chance. */
  readonly halves: readonly [number, number]
}

/** @param sampled - the queries of each set. */
export async function measureWeights(
  sampled: readonly { readonly set: QuerySet; readonly queries: readonly JudgedQuery[] }[],
  channel: Channel,
  progress: Progress,
): Promise<WeightReport[]> {
  const catalogs = sampled.map(({ set }) => createCatalogStore().snapshot(set.tools))
  const retrievers = new Map<string, Retriever>()
  const retrieverOf = (weights: MeaningWeights): Retriever => {
    const key = JSON.stringify(weights)
    let retriever = retrievers.get(key)
    if (retriever === undefined) {
      const { fusion } = DEFAULT_RETRIEVAL
      const config = { ...DEFAULT_RETRIEVAL, fusion: { ...fusion, weights: { ...fusion.weights, ...weights } } }
      retrievers.set(key, retriever = createRetriever(config, [...DEFAULT_CHANNELS, () => channel]))
    }
    return retriever
  }
  progress.stage('weights', VARIANTS.length)
  const reports: WeightReport[] = []
  for (const { label, weights } of VARIANTS) {
    const answers: AnsweredQuery[][] = []
    for (const [at, { queries }] of sampled.entries()) {
      answers.push(await askAll({
        search: async (query, limit) => {
          const { results } = await retrieverOf(weights(query)).search(catalogs[at]!, { query, limit })
          return { names: results.map(({ name }) => name) }
        },
      }, queries))
    }
    const scores = answers.map(scoresOf)
    const half = (parity: number) => mean(answers.map(ofSet => scoresOf(ofSet.filter((_, at) => at % 2 === parity)).recall8))
    reports.push({
      label,
      recall1: mean(scores.map(({ recall1 }) => recall1)),
      recall5: mean(scores.map(({ recall5 }) => recall5)),
      recall8: mean(scores.map(({ recall8 }) => recall8)),
      halves: [half(0), half(1)],
    })
    progress.step()
  }
  return reports
}
