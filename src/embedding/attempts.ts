/**
 * How often something that fails is tried again: with growing pauses, and not for ever.
 * @module
 */

import { EmbeddingError, reasonOf } from './provider.ts'

/** Pauses double from the first to the longest, in ms: an endpoint that is down for an hour is found again, and not asked 1,000 times. */
const FIRST_PAUSE = 1_000
const LONGEST_PAUSE = 300_000

/** After so many failures in a row it is not tried again. The pauses before add up to about an hour. */
const MOST_FAILURES = 20

export interface Attempts {
  /** @throws EmbeddingError with the reason of the latest failure while there must be no attempt. */
  check(): void
  succeeded(): void
  failed(error: unknown): void
}

/** @param now - a clock in ms. */
export function createAttempts(now: () => number = Date.now): Attempts {
  let failures = 0
  let pausedUntil = 0
  let reason = ''
  let isOver = false
  return {
    check() {
      if (isOver) throw new EmbeddingError(reason, { permanent: true })
      const left = pausedUntil - now()
      if (left > 0) throw new EmbeddingError(`${reason} (tried again in ${Math.ceil(left / 1_000)} s)`)
    },
    succeeded() {
      failures = 0
      pausedUntil = 0
    },
    failed(error) {
      failures += 1
      isOver = failures >= MOST_FAILURES || (error instanceof EmbeddingError && error.permanent)
      reason = `${reasonOf(error)}${failures >= MOST_FAILURES ? ` (failed ${failures} times in a row; reload the plugin to try again)` : ''}`
      pausedUntil = now() + Math.min(FIRST_PAUSE * 2 ** (failures - 1), LONGEST_PAUSE)
    },
  }
}
