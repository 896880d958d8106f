/**
 * Long loops on the host's thread, in slices between which its event loop turns.
 * @module
 */

import { setImmediate } from 'node:timers/promises'

/** Longest slice in ms: an interface that draws 60 frames a second has 16. */
const SLICE_MS = 3

/** @returns a function to await in each round of a loop: it lets the event loop turn when the slice is used up. */
export function createLoopTurns(): () => Promise<void> {
  let startedAt = performance.now()
  return async () => {
    if (performance.now() - startedAt < SLICE_MS) return
    await setImmediate()
    startedAt = performance.now()
  }
}
