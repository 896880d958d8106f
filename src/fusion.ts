/**
 * Weighted reciprocal rank fusion, in one place.
 * @module
 */

import type { ChannelId } from './channels/channel.ts'

/** One channel's order. */
export interface RankedList {
  readonly channel: ChannelId
  readonly weight: number
  /** Tool indices, best first. */
  readonly tools: ArrayLike<number>
  /** Scores beside `tools`; tools of equal score share the better rank. */
  readonly scores: ArrayLike<number>
  /** Whether a rewritten query was searched, and not the query itself. */
  readonly isRewritten?: boolean
}

/** Ranks by channel, 1 is best. */
export type ChannelRanks = Readonly<Partial<Record<ChannelId, number>>>

/** One tool of the fused order. */
export interface FusedTool {
  readonly tool: number
  readonly score: number
  /** Ranks for the query itself. */
  readonly ranks: ChannelRanks
  /** The best ranks for any rewritten query. */
  readonly rewrittenRanks: ChannelRanks
  /** The part of `score` that comes from rewritten queries. */
  readonly rewrittenScore: number
}

export interface FusionOptions {
  /** The constant k of {@link fuse}; small values trust the top of each list more. */
  readonly rankConstant: number
  /** Whether a tool does something that cannot be taken back; such a tool loses every tie. */
  readonly isDestructive: (tool: number) => boolean
  /** Tools that may be found; every one when left out. */
  readonly isAllowed?: ((tool: number) => boolean) | undefined
  /** How many of the best are wanted; all when left out. */
  readonly limit?: number
}

/**
 * `score(d) = Σ_c w_c / (k + rank_c(d))` (Cormack, Clarke, Büttcher: Reciprocal Rank Fusion, SIGIR 2009, with a weight per list).
 * Tools of the `exact` list come first in its order whatever the others say. Ties: harmless before destructive, then by index,
 * which is by name.
 */
export function fuse(
  lists: readonly RankedList[], { rankConstant, isDestructive, isAllowed, limit = Infinity }: FusionOptions,
): FusedTool[] {
  const counting = lists.filter(({ weight }) => weight !== 0)
  /** Tools in the order in which they are met, with their places there. */
  const found: number[] = []
  const places = new Map<number, number>()
  const sums: number[] = []
  const exactRanks: number[] = []
  for (const { channel, weight, tools, scores, isRewritten } of counting) {
    let rank = 1
    for (let at = 0; at < tools.length; at++) {
      if (at > 0 && scores[at] !== scores[at - 1]) rank = at + 1
      const tool = tools[at]!
      let place = places.get(tool)
      if (place === undefined) {
        places.set(tool, place = found.length)
        found.push(tool)
        sums.push(0)
        exactRanks.push(Infinity)
      }
      sums[place]! += weight / (rankConstant + rank)
      if (channel === 'exact' && isRewritten !== true) exactRanks[place] = rank
    }
  }
  const order = (a: number, b: number): number =>
    (exactRanks[a] === exactRanks[b] ? 0 : exactRanks[a]! - exactRanks[b]!)
    || sums[b]! - sums[a]!
    || Number(isDestructive(found[a]!)) - Number(isDestructive(found[b]!))
    || found[a]! - found[b]!
  const best: number[] = []
  for (let place = 0; place < found.length; place++) {
    if (isAllowed === undefined || isAllowed(found[place]!)) insert(best, place, limit, order)
  }
  return best.map(place => fusedTool(counting, found[place]!, sums[place]!, rankConstant))
}

/** Puts a place where it belongs among the best; few of many places belong there. */
function insert(best: number[], place: number, limit: number, order: (a: number, b: number) => number): void {
  if (best.length === limit) {
    if (order(place, best[limit - 1]!) > 0) return
    best.pop()
  }
  let low = 0
  let high = best.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (order(best[middle]!, place) < 0) low = middle + 1
    else high = middle
  }
  best.splice(low, 0, place)
}

/** Where each list has a tool. Looked up for the few that are wanted, since noting it for all of them takes longer than the fusion. */
function fusedTool(lists: readonly RankedList[], tool: number, score: number, rankConstant: number): FusedTool {
  const ranks: Partial<Record<ChannelId, number>> = {}
  const rewrittenRanks: Partial<Record<ChannelId, number>> = {}
  let rewrittenScore = 0
  for (const { channel, weight, tools, scores, isRewritten } of lists) {
    let at = Array.prototype.indexOf.call(tools, tool)
    if (at < 0) continue
    while (at > 0 && scores[at] === scores[at - 1]) at--
    const rank = at + 1
    if (isRewritten === true) {
      rewrittenScore += weight / (rankConstant + rank)
      rewrittenRanks[channel] = Math.min(rank, rewrittenRanks[channel] ?? rank)
    } else {
      ranks[channel] = rank
    }
  }
  return { tool, score, ranks, rewrittenRanks, rewrittenScore }
}
