/**
 * The rewrite's part in one search: whether to ask, when, and what the rewritten queries find. Knows nothing of DSH.
 * @module
 */

import type { Catalog } from '../catalog/types.ts'
import type { ChannelId, ChannelRanking } from '../channels/channel.ts'
import type { RewritePolicy } from './config.ts'
import { certaintyOf, CONFIDENT, reasonToSkip } from './decision.ts'
import type { SearchFacts } from './decision.ts'
import type { Rewriter, RewriteOutcome, SkippedRewrite } from './types.ts'

/** Channels that search with rewritten queries. Not `exact`: a model must not name tools. */
export const REWRITTEN_CHANNELS: ReadonlySet<ChannelId> = new Set(['bm25', 'semantic'])

/** Channels that may ask another machine; `auto` does not wait for them. */
export const REMOTE_CHANNELS: ReadonlySet<ChannelId> = new Set(['dense'])

export interface RewriteChance extends SearchFacts {
  readonly catalog: Catalog
  readonly rewriter: Rewriter | undefined
  readonly signal: AbortSignal | undefined
}

/**
 * Asks for a rewrite where it can be worth it: with `always` at once, with `auto` when the local channels have answered and are not sure.
 * @param local - rankings of the channels that need no other machine.
 * @throws the reason of an aborted signal, and nothing else.
 */
export async function rewriteIfUseful(
  policy: false | RewritePolicy, chance: RewriteChance, local: Promise<readonly ChannelRanking[]>,
): Promise<RewriteOutcome | SkippedRewrite> {
  const reason = reasonToSkip(policy, chance)
  if (reason !== undefined) return { status: 'skipped', reason }
  if (policy !== false && policy.when === 'auto' && certaintyOf(await local) >= CONFIDENT) return { status: 'skipped', reason: 'confident' }
  if (chance.rewriter === undefined) return { status: 'skipped', reason: 'llm-unavailable' }
  return chance.rewriter.rewrite(chance.plan.text, chance.catalog, chance.signal ?? new AbortController().signal)
}

/** Queries that are not the query itself: what a model gives back adds nothing, and must not make the channels that read it count more. */
export function otherWords(queries: readonly string[], text: string): readonly string[] {
  return queries.filter(query => query.toLowerCase() !== text.toLowerCase())
}
