/**
 * Answers prepared requests through DSH's `llm` service, by the very call that the plugin makes.
 * @module
 */

import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { callModel } from '../../src/rewrite/call.ts'
import type { Llm } from '../../src/rewrite/call.ts'
import { SetError } from '../sets.ts'
import type { RewriteRequest, RewriteResponse } from './requests.ts'

export interface RecordOptions {
  /** Calls at once. */
  readonly concurrency: number
  /** Time of one call; offline nobody waits, so that slow answers count as answers. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Told each response as it comes; kept before the next call begins. */
  readonly keep: (response: RewriteResponse) => void
  /** Told each call that failed; it is not kept, so that the next run tries it again. */
  readonly failed: (request: RewriteRequest, reason: string) => void
}

/** Failures in a row, over all calls, after which going on would only repeat them. */
const MOST_FAILURES = 10

/**
 * Answers the requests in order, several at once.
 * @throws SetError after {@link MOST_FAILURES} failures in a row; the signal's reason when it aborts.
 */
export async function record(llm: Llm, requests: readonly RewriteRequest[], options: RecordOptions): Promise<void> {
  const { concurrency, timeoutMs, signal, keep, failed } = options
  const queue = requests.values()
  let failures = 0

  async function answer(request: RewriteRequest): Promise<void> {
    const { id, provider, model, system, prompt, maxTokens } = request
    const startedAt = performance.now()
    try {
      const call = { route: { provider, model }, system, prompt, maxTokens }
      const { text, usage } = await callModel(llm, call, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]))
      failures = 0
      keep({
        id,
        provider,
        model,
        response: text,
        ms: Math.round(performance.now() - startedAt),
        ...usage !== undefined && {
          inputTokens: usage.inputTokens + (usage.cacheReadTokens ?? 0) + (usage.cacheWriteTokens ?? 0),
          outputTokens: usage.outputTokens,
        },
      })
    } catch (error: unknown) {
      signal.throwIfAborted()
      const reason = error instanceof Error ? error.message : String(error)
      failed(request, reason)
      failures += 1
      if (failures >= MOST_FAILURES) throw new SetError(`${failures} calls in a row failed, the last with: ${reason}; mend that and run again, what was answered is kept`)
    }
  }

  async function work(): Promise<void> {
    for (const request of queue) {
      if (failures >= MOST_FAILURES) return
      await answer(request)
    }
  }

  await Promise.all(Array.from({ length: concurrency }, work))
}

export interface Prices {
  /** Dollars for a million tokens. */
  readonly input: number
  readonly output: number
}

export interface CostEstimate {
  readonly inputTokens: number
  /** If every answer were as long as a recorded one usually is, and if every answer took all it may. */
  readonly outputTokens: { readonly usual: number; readonly most: number }
  readonly dollars: { readonly usual: number; readonly most: number }
}

/** Tokens of an ordinary answer: one or two queries in JSON. */
const USUAL_ANSWER_TOKENS = 40

/** What answering costs, without any cache of the provider: prefixes are shared, so that the bill is lower. */
export function estimateCost(requests: readonly RewriteRequest[], { input, output }: Prices): CostEstimate {
  const tokens = new Map<string, number>()
  const count = (text: string): number => {
    let known = tokens.get(text)
    if (known === undefined) tokens.set(text, known = countTokens(text))
    return known
  }
  const inputTokens = requests.reduce((sum, { system, prompt }) => sum + count(system) + count(prompt), 0)
  const usual = requests.length * USUAL_ANSWER_TOKENS
  const most = requests.reduce((sum, { maxTokens }) => sum + maxTokens, 0)
  const dollars = (outputTokens: number) => (inputTokens * input + outputTokens * output) / 1e6
  return { inputTokens, outputTokens: { usual, most }, dollars: { usual: dollars(usual), most: dollars(most) } }
}

/** Requests that no response answers yet. Responses of another route do not count as answers. */
export function unanswered(requests: readonly RewriteRequest[], responses: readonly RewriteResponse[]): RewriteRequest[] {
  const answered = new Map(responses.map(response => [response.id, response]))
  return requests.filter(({ id, provider, model }) => {
    const response = answered.get(id)
    return response === undefined || response.provider !== provider || response.model !== model
  })
}
