/**
 * What a rewrite is to the rest of the plugin: other queries for the same search, or the reason why there are none.
 * @module
 */

import type { Catalog } from '../catalog/types.ts'

/** Why no model was asked: nothing went wrong. */
export const SKIPPED_REASONS = [
  'disabled', 'catalog-below-threshold', 'exact-match', 'confident', 'llm-unavailable', 'route-unavailable',
] as const

/** Why a model that was asked did not help. */
export const FAILED_REASONS = ['llm-error', 'timeout', 'invalid-response'] as const

export type SkippedReason = (typeof SKIPPED_REASONS)[number]

export type FailedReason = (typeof FAILED_REASONS)[number]

/** What became of the rewrite of one search, as its result says it. */
export interface RewriteReport {
  readonly status: 'skipped' | 'applied' | 'failed'
  readonly reason: SkippedReason | 'applied' | FailedReason
  /** The rewritten queries, joined by {@link QUERY_SEPARATOR}; `''` unless applied. */
  readonly query: string
}

/** Between the rewritten queries of a report: a query can't contain it, since its white space is single spaces. */
export const QUERY_SEPARATOR = '\n'

/** What a rewriter gives: queries, or why there are none. */
export type RewriteOutcome =
  | { readonly status: 'applied'; readonly queries: readonly string[] }
  | { readonly status: 'skipped'; readonly reason: 'llm-unavailable' | 'route-unavailable' }
  | { readonly status: 'failed'; readonly reason: FailedReason }

/** Rewrites queries for one agent. */
export interface Rewriter {
  /**
   * Never throws but for an aborted signal: any failure is an outcome.
   * @param query - the natural-language part of what was searched.
   */
  rewrite(query: string, catalog: Catalog, signal: AbortSignal): Promise<RewriteOutcome>
}

/** A search that asked no model says why. */
export interface SkippedRewrite {
  readonly status: 'skipped'
  readonly reason: SkippedReason
}

export function reportOf(outcome: RewriteOutcome | SkippedRewrite): RewriteReport {
  return outcome.status === 'applied'
    ? { status: 'applied', reason: 'applied', query: outcome.queries.join(QUERY_SEPARATOR) }
    : { status: outcome.status, reason: outcome.reason, query: '' }
}
