/**
 * One call of a model through DSH's `llm` service: no tools, no session, as little reasoning as the model allows, bounded in every way.
 * @module
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { createUserMessage } from '@deepseek-ai/dsh-llm'
import type { LlmRuntime, StreamChunk, TokenUsage } from '@deepseek-ai/dsh-llm'
import type { RewriteRoute } from './config.ts'
import { MOST_ANSWER_CHARS } from './parse.ts'

/** What is used of the service; older versions lack the optional part. */
export type Llm = Pick<LlmRuntime, 'stream'> & Partial<Pick<LlmRuntime, 'resolveModelInfo' | 'listProviders'>>

export interface ModelCall {
  readonly route: RewriteRoute
  readonly system: string
  readonly prompt: string
  readonly maxTokens: number
}

export interface ModelAnswer {
  /** The visible text; of an answer over {@link MOST_ANSWER_CHARS} its beginning. */
  readonly text: string
  readonly usage: TokenUsage | undefined
}

/** The provider failed, or the call could not be made; the message is the provider's. */
export class LlmCallError extends Error {}

/** How long a provider that was aborted may take to end, in ms. DSH asks providers to heed the signal; one that does not is left behind. */
const GRACE_MS = 2_000

/** Efforts that mean little or no reasoning, best first, by the ids that providers use. */
const QUIET_EFFORTS = ['off', 'none', 'minimal', 'low']

/**
 * Calls a model and reads its answer to the end, or to the bound, where it is aborted.
 * @throws LlmCallError when the provider fails; the signal's reason when that aborts, at the latest {@link GRACE_MS} after it did.
 */
export async function callModel(llm: Llm, { route, system, prompt, maxTokens }: ModelCall, signal: AbortSignal): Promise<ModelAnswer> {
  signal.throwIfAborted()
  const tooLong = new AbortController()
  const over = new AbortController()
  const ends = AbortSignal.any([signal, tooLong.signal])
  let iterator: AsyncIterator<StreamChunk> | undefined
  const read = async (): Promise<ModelAnswer> => {
    const reasoningEffort = await quietEffort(llm, route, ends)
    ends.throwIfAborted()
    const stream = llm.stream({
      ...route,
      system,
      messages: [createUserMessage({ content: [{ type: 'text', text: prompt }], source: { kind: 'plugin', plugin: 'dsh-tool-retriever' } })],
      maxTokens,
      ...reasoningEffort !== undefined && { reasoningEffort },
      signal: ends,
    })
    iterator = stream[Symbol.asyncIterator]()
    return readAnswer(iterator, () => tooLong.abort())
  }
  try {
    return await Promise.race([read(), graceAfter(signal, over.signal)])
  } catch (error: unknown) {
    signal.throwIfAborted()
    throw error instanceof LlmCallError ? error : new LlmCallError(error instanceof Error ? error.message : String(error))
  } finally {
    over.abort()
    // A stream that was read to its end ignores this; one that was left behind may heed it.
    iterator?.return?.().catch(() => {})
  }
}

/** Rejects some time after a signal aborts, or when another says that it is over. */
async function graceAfter(signal: AbortSignal, over: AbortSignal): Promise<never> {
  await new Promise<void>(resolve => AbortSignal.any([signal, over]).addEventListener('abort', () => { resolve() }, { once: true }))
  await sleep(GRACE_MS, undefined, { signal: over })
  throw signal.reason
}

/**
 * The quietest effort that a model offers. Asking for one that it does not offer makes DSH refuse the call, and asking for none gives the
 * adapter's default, which is high for DeepSeek.
 */
async function quietEffort(llm: Llm, { provider, model }: RewriteRoute, signal: AbortSignal) {
  const info = await llm.resolveModelInfo?.(provider, model, signal)
  const offered = info?.reasoning?.efforts.map(({ id }) => id) ?? []
  return QUIET_EFFORTS.flatMap(effort => offered.filter(id => id === effort))[0]
}

async function readAnswer(iterator: AsyncIterator<StreamChunk>, tooLong: () => void): Promise<ModelAnswer> {
  const blocks: string[] = []
  let length = 0
  let usage: TokenUsage | undefined
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
    const chunk = next.value
    if (chunk.type === 'text-delta') blocks[chunk.index] = (blocks[chunk.index] ?? '') + chunk.text
    // An adapter may give a block whole.
    else if (chunk.type === 'block-end' && chunk.block.type === 'text' && blocks[chunk.index] === undefined) blocks[chunk.index] = chunk.block.text
    else if (chunk.type === 'usage') usage = chunk.usage
    else if (chunk.type === 'finish' && (chunk.reason.kind === 'error' || chunk.reason.kind === 'aborted')) {
      throw new LlmCallError(chunk.reason.failure.message)
    }
    length += chunk.type === 'text-delta' || chunk.type === 'reasoning-delta' ? chunk.text.length : 0
    if (length > MOST_ANSWER_CHARS) {
      tooLong()
      break
    }
  }
  return { text: blocks.filter(block => block !== undefined).join('\n').slice(0, MOST_ANSWER_CHARS), usage }
}
