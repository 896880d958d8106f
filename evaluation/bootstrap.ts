/**
 * Paired bootstrap intervals of a mean difference between two engines on the same queries.
 * @module
 */

import { mean, quantile } from './metrics.ts'
import { createRandom, drawInteger } from './random.ts'

/** A mean with its 95 % percentile interval. */
export interface Interval {
  readonly mean: number
  readonly low: number
  readonly high: number
}

/**
 * Resamples queries with replacement and takes the percentile interval (Efron and Tibshirani 1993, ch. 13). The pairs are
 * kept: what varies is which queries were asked, for both engines alike.
 * @param strata - per set, the difference per query; queries are drawn within their set, and the statistic is the plain mean over sets.
 */
export function pairedBootstrap(strata: readonly (readonly number[])[], seed: number, resamples = 1000): Interval {
  const random = createRandom(seed)
  const resampledMean = (differences: readonly number[]): number => {
    let sum = 0
    for (let i = 0; i < differences.length; i++) sum += differences[drawInteger(random, differences.length)]!
    return sum / differences.length
  }
  const means = Array.from({ length: resamples }, () => mean(strata.map(resampledMean)))
  return { mean: mean(strata.map(mean)), low: quantile(means, 0.025), high: quantile(means, 0.975) }
}
