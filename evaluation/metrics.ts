/**
 * Metrics of one ranked answer against its labels. Every value is in 0..1.
 *
 * With `any`, the relevant tools are alternatives: the first one found is the whole answer, further ones add nothing.
 * @module
 */

/** What a judged query asks for. */
export interface Judgement {
  readonly relevant: readonly string[]
  /** One of the relevant tools is enough. */
  readonly any: boolean
}

/** Share of the relevant tools among the first k; with `any`, 1 if one of them is there. */
export function recallAt(k: number, ranked: readonly string[], { relevant, any }: Judgement): number {
  const top = new Set(ranked.slice(0, k))
  const found = relevant.filter(name => top.has(name)).length
  return any ? Math.min(found, 1) : found / relevant.length
}

/** 1 / rank of the first relevant tool within the first k, else 0. */
export function reciprocalRankAt(k: number, ranked: readonly string[], { relevant }: Judgement): number {
  const wanted = new Set(relevant)
  const place = ranked.slice(0, k).findIndex(name => wanted.has(name))
  return place < 0 ? 0 : 1 / (place + 1)
}

const discount = (rank: number): number => 1 / Math.log2(rank + 1)

/**
 * Normalised discounted cumulative gain with binary gains (Järvelin and Kekäläinen 2002, log base 2), against
 * the best order that k places allow.
 */
export function ndcgAt(k: number, ranked: readonly string[], { relevant, any }: Judgement): number {
  const wanted = new Set(relevant)
  const ideal = any ? 1 : Math.min(k, wanted.size)
  let gain = 0
  let found = 0
  for (const [place, name] of ranked.slice(0, k).entries()) {
    if (found === ideal || !wanted.has(name)) continue
    gain += discount(place + 1)
    found++
  }
  let best = 0
  for (let rank = 1; rank <= ideal; rank++) best += discount(rank)
  return gain / best
}

export const METRICS = ['recall1', 'recall5', 'recall8', 'mrr10', 'ndcg5', 'empty'] as const

export type Metric = (typeof METRICS)[number]

export type Scores = Readonly<Record<Metric, number>>

/** All metrics of one answer. */
export function scoreAnswer(ranked: readonly string[], judgement: Judgement): Scores {
  return {
    recall1: recallAt(1, ranked, judgement),
    recall5: recallAt(5, ranked, judgement),
    recall8: recallAt(8, ranked, judgement),
    mrr10: reciprocalRankAt(10, ranked, judgement),
    ndcg5: ndcgAt(5, ranked, judgement),
    empty: ranked.length === 0 ? 1 : 0,
  }
}

/** The arithmetic mean; NaN of nothing, so that a missing value never looks like a zero. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** The mean of each metric. */
export function meanScores(scores: readonly Scores[]): Scores {
  return Object.fromEntries(METRICS.map(metric => [metric, mean(scores.map(score => score[metric]))])) as unknown as Scores
}

/**
 * The value below which a share of the sorted values lies, nearest-rank method: always a value that was measured.
 * @param share - 0..1, 0.5 is the median.
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}
