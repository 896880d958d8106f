/**
 * One request to an embeddings endpoint: tried again where that can help, checked before anything of it is used.
 * @module
 */

import { setTimeout as sleep } from 'node:timers/promises'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import { withDeadline } from './deadline.ts'
import { EmbeddingError, reasonOf } from './provider.ts'

export interface EmbeddingRequest {
  readonly endpoint: string
  readonly apiKey: string | undefined
  readonly body: { readonly model: string; readonly input: readonly string[] } & Readonly<Record<string, unknown>>
  readonly retries: number
  /** Bounds the whole of it, retries and pauses among them, in ms; a pause that would not fit is not begun. */
  readonly deadlineMs: number
  readonly signal: AbortSignal
}

/** Pause before the first retry, at most, in ms; it doubles with each one. */
const FIRST_PAUSE = 250
const LONGEST_PAUSE = 30_000

/** Largest answer that is read, in bytes: 1,000 vectors of 4,096 numbers in 16 characters. */
const MAX_ANSWER = 64 * 1_048_576

/** How much of an error's text is repeated, in characters. */
const QUOTED_CHARS = 200

const REMEDIES: Readonly<Record<number, string>> = {
  401: 'check the key in the variable that dense.apiKeyEnv names',
  403: 'check the key in the variable that dense.apiKeyEnv names',
  413: 'lower dense.batchSize',
}

interface Answer {
  readonly data: readonly { readonly index?: number; readonly embedding: readonly number[] }[]
}

const ANSWER_SCHEMA = {
  type: 'object',
  required: ['data'],
  properties: {
    data: {
      type: 'array',
      items: {
        type: 'object',
        required: ['embedding'],
        properties: { index: { type: 'integer', minimum: 0 }, embedding: { type: 'array', minItems: 1, items: { type: 'number' } } },
      },
    },
  },
}

let validator: Promise<ValidateFunction<Answer>> | undefined

/** Loaded with the first answer: a local model needs none of it. */
function answerValidator(): Promise<ValidateFunction<Answer>> {
  return validator ??= import('ajv/dist/2020.js').then(({ Ajv2020 }) => new Ajv2020({ strict: false }).compile<Answer>(ANSWER_SCHEMA))
}

/** A failure that may not happen again. */
class Passing extends Error {
  /** How long the endpoint asked to be left alone, in ms. */
  readonly pause: number | undefined
  constructor(message: string, pause?: number) {
    super(message)
    this.pause = pause
  }
}

/**
 * @returns vectors in the order of the input, not yet checked for size and values.
 * @throws EmbeddingError that names the endpoint, what it did and what mends it; the reason of the signal when that ended it.
 */
export async function postEmbeddings(request: EmbeddingRequest): Promise<readonly (readonly number[])[]> {
  const { endpoint, retries, deadlineMs } = request
  const end = performance.now() + deadlineMs
  return withDeadline(deadlineMs, `${endpoint} did not answer within ${deadlineMs} ms; see that it runs and keeps up`, request.signal, async (signal) => {
    for (let attempt = 0; ; attempt++) {
      try {
        return await postOnce({ ...request, signal })
      } catch (error: unknown) {
        signal.throwIfAborted()
        if (!(error instanceof Passing)) throw error
        const pause = error.pause ?? backoff(attempt)
        if (attempt >= retries || performance.now() + pause >= end) {
          throw new EmbeddingError(`${endpoint} ${error.message}${attempt > 0 ? `, ${attempt + 1} times` : ''}; see that it runs and keeps up`)
        }
        await sleep(pause, undefined, { signal })
      }
    }
  })
}

/** Full jitter (Brooker, Exponential Backoff And Jitter, 2015): clients that failed together do not come back together. */
function backoff(attempt: number): number {
  return Math.random() * Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** attempt)
}

async function postOnce({ endpoint, apiKey, body, signal }: EmbeddingRequest): Promise<readonly (readonly number[])[]> {
  let response: Response
  try {
    response = await fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...apiKey !== undefined && { authorization: `Bearer ${apiKey}` } },
      body: JSON.stringify(body),
      // The key and the texts go to the address that was configured and to no other.
      redirect: 'error',
      signal,
    })
  } catch (error: unknown) {
    throw new Passing(`can not be reached (${causeOf(error)})`)
  }
  const text = await readText(response, endpoint)
  if (!response.ok) throw statusError(endpoint, response, text, apiKey)
  return vectorsOf(endpoint, text, body.input.length)
}

/** `fetch` says only that it failed; why is in the cause. */
function causeOf(error: unknown): string {
  const cause = (error as Error).cause as NodeJS.ErrnoException | undefined
  return cause?.code ?? reasonOf(cause ?? error)
}

async function readText(response: Response, endpoint: string): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of response.body ?? []) {
      bytes += (chunk as Uint8Array).length
      if (bytes > MAX_ANSWER) throw new EmbeddingError(`${endpoint} answers more than ${MAX_ANSWER} bytes; lower dense.batchSize`)
      chunks.push(chunk as Uint8Array)
    }
  } catch (error: unknown) {
    throw error instanceof EmbeddingError ? error : new Passing(`broke off its answer (${reasonOf(error)})`)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function statusError(endpoint: string, { status, headers }: Response, text: string, apiKey: string | undefined): Error {
  const quoted = text.replace(/\s+/g, ' ').trim().slice(0, QUOTED_CHARS)
  const said = quoted === '' ? '' : `: ${apiKey === undefined ? quoted : quoted.replaceAll(apiKey, '…')}`
  if (status === 429 || status >= 500) return new Passing(`answered ${status}${said}`, retryAfter(headers.get('retry-after')))
  return new EmbeddingError(`${endpoint} answered ${status}${said}; ${REMEDIES[status] ?? 'check dense.url and dense.model'}`, { permanent: true })
}

/** @returns the pause that a `Retry-After` header asks for, in ms; `undefined` when there is none. */
export function retryAfter(header: string | null, now: number = Date.now()): number | undefined {
  if (header === null) return undefined
  const seconds = Number(header)
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - now
  return Number.isFinite(ms) && ms >= 0 ? ms : undefined
}

async function vectorsOf(endpoint: string, text: string, count: number): Promise<readonly (readonly number[])[]> {
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {
    throw new EmbeddingError(`${endpoint} answered something that is not JSON; check that dense.url is an embeddings endpoint`)
  }
  const isAnswer = await answerValidator()
  if (!isAnswer(answer)) {
    throw new EmbeddingError(`${endpoint} answered JSON without embeddings (${isAnswer.errors?.[0]?.instancePath ?? ''} ${isAnswer.errors?.[0]?.message ?? ''}); `
      + 'check that dense.url is an embeddings endpoint')
  }
  const vectors = new Array<readonly number[]>(count)
  for (const [place, { index = place, embedding }] of answer.data.entries()) {
    if (index < count) vectors[index] = embedding
  }
  if (answer.data.length !== count || vectors.includes(undefined as never)) {
    throw new EmbeddingError(`${endpoint} answered ${answer.data.length} vectors for ${count} texts; lower dense.batchSize`)
  }
  return vectors
}
