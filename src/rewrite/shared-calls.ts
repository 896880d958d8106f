/**
 * Rewrites by what they depend on: one that is known is remembered, one that is being made is shared.
 * @module
 */

import type { RewriteOutcome } from './types.ts'

export interface SharedCalls {
  /**
   * @param key - everything that the outcome depends on.
   * @param signal - of this caller; the call itself is aborted when the last caller is gone.
   * @param start - makes the call; must not throw.
   * @throws the reason of the caller's signal, as soon as it aborts.
   */
  get(key: string, signal: AbortSignal, start: (signal: AbortSignal) => Promise<RewriteOutcome>): Promise<RewriteOutcome>
}

interface Running {
  readonly outcome: Promise<RewriteOutcome>
  readonly controller: AbortController
  callers: number
}

/**
 * @param size - successful rewrites that are remembered, the least recently used go first. Failures are not: the next search tries again.
 */
export function createSharedCalls(size: number): SharedCalls {
  const known = new Map<string, RewriteOutcome>()
  const running = new Map<string, Running>()

  function remember(key: string, outcome: RewriteOutcome): void {
    known.delete(key)
    if (size === 0) return
    if (known.size >= size) known.delete(known.keys().next().value!)
    known.set(key, outcome)
  }

  function run(key: string, start: (signal: AbortSignal) => Promise<RewriteOutcome>): Running {
    const controller = new AbortController()
    const outcome = start(controller.signal).then((made) => {
      if (made.status === 'applied') remember(key, made)
      return made
    })
    const call: Running = { outcome, controller, callers: 0 }
    running.set(key, call)
    const end = (): void => {
      if (running.get(key) === call) running.delete(key)
    }
    outcome.then(end, end)
    return call
  }

  return {
    async get(key, signal, start) {
      signal.throwIfAborted()
      const remembered = known.get(key)
      if (remembered !== undefined) {
        remember(key, remembered)
        return remembered
      }
      const call = running.get(key) ?? run(key, start)
      call.callers += 1
      const aborted = Promise.withResolvers<never>()
      const abort = (): void => { aborted.reject(signal.reason) }
      signal.addEventListener('abort', abort, { once: true })
      try {
        return await Promise.race([call.outcome, aborted.promise])
      } finally {
        signal.removeEventListener('abort', abort)
        call.callers -= 1
        if (call.callers === 0) {
          // Nobody may join a call that is being aborted.
          if (running.get(key) === call) running.delete(key)
          call.controller.abort(signal.reason)
        }
      }
    },
  }
}
