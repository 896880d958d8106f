/**
 * A provider's prefix cache, and what requests cost under it.
 *
 * A block of tokens is a hit when the whole text up to its end was sent before in the session, and a miss otherwise. What the model wrote
 * is a miss when it is sent back for the first time, as all that is new at the end. DeepSeek documents blocks of 64 tokens
 * (https://api-docs.deepseek.com/guides/kv_cache).
 * @module
 */

import type { Segment } from './tokens.ts'

export const BLOCK_TOKENS = 64

/** Tokens of requests by what they are billed as. */
export interface Usage {
  readonly hit: number
  readonly miss: number
  readonly output: number
}

export const NO_USAGE: Usage = { hit: 0, miss: 0, output: 0 }

export function addUsage(a: Usage, b: Usage): Usage {
  return { hit: a.hit + b.hit, miss: a.miss + b.miss, output: a.output + b.output }
}

/** Prices of one token relative to a cached input token, which costs 1. */
export interface Rates {
  /** An uncached input token. */
  readonly miss: number
  /** An output token, relative to an uncached input token. */
  readonly outputToMiss: number
}

/** @returns the price of cached input tokens that costs as much. */
export function costOf({ hit, miss, output }: Usage, rates: Rates): number {
  return hit + rates.miss * (miss + rates.outputToMiss * output)
}

/** What was sent, as a tree of segments. */
interface Sent {
  readonly next: Map<number, Sent>
}

export interface PrefixCache {
  /** Sends a request. A segment counts as sent only when it was sent whole. */
  send(segments: readonly Segment[]): Omit<Usage, 'output'>
  /** Tokens, in whole blocks, of the longest prefix that was sent before. */
  cached(segments: readonly Segment[]): number
}

/** @param inherited - what was sent before this session branched off; later sends of it count too. */
export function createPrefixCache(inherited?: PrefixCache): PrefixCache {
  const root: Sent = { next: new Map() }

  function cached(segments: readonly Segment[]): number {
    let tokens = 0
    let place: Sent | undefined = root
    for (const { id, tokens: length } of segments) {
      place = place.next.get(id)
      if (place === undefined) break
      tokens += length
    }
    return Math.max(tokens - tokens % BLOCK_TOKENS, inherited?.cached(segments) ?? 0)
  }

  return {
    cached,
    send(segments) {
      const hit = cached(segments)
      let place = root
      for (const { id } of segments) {
        let next = place.next.get(id)
        if (next === undefined) place.next.set(id, next = { next: new Map() })
        place = next
      }
      return { hit, miss: segments.reduce((sum, { tokens }) => sum + tokens, 0) - hit }
    },
  }
}
