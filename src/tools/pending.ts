/**
 * Work that must be over before the plugin is: aborted and awaited on unload.
 * @module
 */

import type { Context } from '@deepseek-ai/cordis'

export interface Pending {
  /** Runs work under a signal that aborts with the caller's or when the plugin unloads. */
  run<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T>
}

/** @param ctx - plugin context; its disposal waits for what still runs. */
export function trackPending(ctx: Context): Pending {
  const running = new Set<Promise<unknown>>()
  const unload = new AbortController()
  ctx.effect(() => async () => {
    unload.abort(new Error('dsh-tool-retriever was unloaded'))
    await Promise.allSettled(running)
  }, 'dsh-tool-retriever.pending')
  return {
    async run(signal, work) {
      const task = work(AbortSignal.any([signal, unload.signal]))
      running.add(task)
      try {
        return await task
      } finally {
        running.delete(task)
      }
    },
  }
}
