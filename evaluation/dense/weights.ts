/**
 * What other fusion weights would do, weights that depend on the kind of query among them.
 * @module
 */

import { createCatalogStore } from '../../src/catalog/store.ts'
import type { Channel } from '../../src/channels/channel.ts'
import { lengthTrust } from '../../src/embedding/fitness.ts'
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

const { semantic, dense: chosen } = DEFAULT_RETRIEVAL.fusion.weights

/** The weight that counts as this one, whatever the channel makes of the query's length. */
const plain = (dense: number, query: string): number => dense / lengthTrust(query)

const isShort = (query: string): boolean => lengthTrust(query) === 1

const VARIANTS: readonly { readonly label: string; readonly weights: (query: string) => MeaningWeights }[] = [
  ...[0.25, 0.5, chosen, 1].map(dense => ({ label: `dense ${dense}${dense === chosen ? ' (default)' : ''}`, weights: () => ({ dense, semantic }) })),
  { label: `dense ${chosen}, and half the semantic weight`, weights: () => ({ dense: chosen, semantic: semantic / 2 }) },
  { label: `dense ${chosen}, and no semantic weight`, weights: () => ({ dense: chosen, semantic: 0 }) },
  { label: `dense ${chosen} for queries of any length`, weights: query => ({ dense: plain(chosen, query), semantic }) },
  { label: `dense ${chosen} for long queries, a third of it for short ones`, weights: query => ({ dense: plain(isShort(query) ? chosen / 3 : chosen, query), semantic }) },
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
