/**
 * Whether a search is worth a model call, from the query and from what the local channels say: no call where nothing can be won.
 * @module
 */

import type { NameResolution } from '../catalog/name-index.ts'
import type { ChannelRanking } from '../channels/channel.ts'
import type { QueryPlan } from '../query/plan.ts'
import type { RewritePolicy } from './config.ts'
import type { SkippedReason } from './types.ts'

/** What is known of a search before any channel has answered. */
export interface SearchFacts {
  readonly plan: QueryPlan
  readonly names: readonly NameResolution[]
  readonly catalogSize: number
}

/**
 * Why a search is not rewritten whatever the channels say: names and grammar are orders, and a model could only misread them.
 * @returns undefined when it may be.
 */
export function reasonToSkip(policy: false | RewritePolicy, { plan, names, catalogSize }: SearchFacts): SkippedReason | undefined {
  if (policy === false || policy.when === 'never') return 'disabled'
  if (catalogSize < policy.minCatalogSize) return 'catalog-below-threshold'
  const isGrammar = plan.kind === 'select' || plan.families.length > 0 || plan.required.length > 0
  if (isGrammar || plan.terms.length === 0 || names.some(({ outcome }) => outcome !== 'unknown')) return 'exact-match'
  return undefined
}

/**
 * Certainty from which on `auto` asks no model. On the dev sets this saves two calls of five and leaves nine tenths of the recall that a
 * perfect rewrite could win within reach (RESULTS.md, rewrite-auto).
 */
export const CONFIDENT = 0.3

/** How far down a ranking's decisiveness is read: behind the places where one query's tools usually are. */
const FALL_PLACES = 5

/** Places that channels are compared by. */
const AGREED_PLACES = 3

/**
 * How sure the local channels are that what the query wants is on top, 0 to 1:
 * `strength · fall · (1 + agreement) / 2`, where strength is the mean of the channels' own, fall the mean of `1 − score of place 6 /
 * score of place 1`, and agreement the mean share of common tools in the first three places over all pairs of channels; 0 with one
 * channel. Channels without any evidence do not count. Of the products and sums of what rankings show, this orders queries best by whether
 * their tools are found, and as well as a regression over sixteen such values.
 */
export function certaintyOf(rankings: readonly ChannelRanking[]): number {
  const answers = rankings.filter(({ tools }) => tools.length > 0)
  if (answers.length === 0) return 0
  const strength = mean(answers.map(({ strength: own = 1 }) => own))
  const fall = mean(answers.map(({ scores }) => scores.length <= FALL_PLACES ? 1 : 1 - scores[FALL_PLACES]! / scores[0]!))
  const pairs = answers.flatMap((one, at) => answers.slice(at + 1).map(other => common(one.tools, other.tools)))
  const agreement = pairs.length === 0 ? 0 : mean(pairs)
  return strength * fall * (1 + agreement) / 2
}

function common(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let count = 0
  for (let at = 0; at < Math.min(AGREED_PLACES, one.length); at++) {
    for (let beside = 0; beside < Math.min(AGREED_PLACES, other.length); beside++) if (one[at] === other[beside]) count += 1
  }
  return count / AGREED_PLACES
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
