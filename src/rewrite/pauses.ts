/**
 * Models that fail again and again are left alone for a while: a search must not wait for the same timeout each time.
 * @module
 */

import type { FailedReason } from './types.ts'

/** Failures in a row before the first pause: single ones happen. */
const TOLERATED = 3

const PAUSE_MS = 60_000

export interface Pauses {
  /** @returns why a route is left alone; undefined when it may be asked. After a pause one call may try. */
  reasonFor(route: string): FailedReason | undefined
  failed(route: string, reason: FailedReason): void
  succeeded(route: string): void
}

/** @param now - a clock in ms. */
export function createPauses(now: () => number = Date.now): Pauses {
  const failures = new Map<string, { count: number; reason: FailedReason; until: number }>()
  return {
    reasonFor(route) {
      const failure = failures.get(route)
      return failure !== undefined && failure.until > now() ? failure.reason : undefined
    },
    failed(route, reason) {
      const count = (failures.get(route)?.count ?? 0) + 1
      failures.set(route, { count, reason, until: count < TOLERATED ? 0 : now() + PAUSE_MS })
    },
    succeeded: (route) => { failures.delete(route) },
  }
}
