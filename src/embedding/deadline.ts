/**
 * Work that is given up after a while.
 * @module
 */

import { EmbeddingError } from './provider.ts'

/**
 * Ends with the work, with the signal, or when time is up, whatever comes first, also when the work heeds no signal.
 * @param late - what is said when time is up.
 * @throws whatever the work throws; the signal's reason; EmbeddingError when time is up.
 */
export async function withDeadline<T>(
  ms: number,
  late: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const time = new AbortController()
  const timer = setTimeout(() => time.abort(new EmbeddingError(late)), ms)
  const ends = AbortSignal.any([signal, time.signal])
  const ended = Promise.withResolvers<never>()
  const end = (): void => ended.reject(ends.reason)
  ends.addEventListener('abort', end, { once: true })
  try {
    ends.throwIfAborted()
    return await Promise.race([work(ends), ended.promise])
  } catch (error: unknown) {
    // A pause or a request that was aborted says so in its own words; why it was is in the signal.
    ends.throwIfAborted()
    throw error
  } finally {
    clearTimeout(timer)
    ends.removeEventListener('abort', end)
  }
}
