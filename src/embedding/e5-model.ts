/**
 * The host's side of a model: one thread per model and process, shared by everyone who uses the same settings.
 * @module
 */

import { Worker } from 'node:worker_threads'
import { workerFile } from '../package-files.ts'
import type { FromModel, ModelSettings, ToModel } from './e5-protocol.ts'
import { EmbeddingError } from './provider.ts'

/** Vectors of one batch, one after the other. */
export interface Batch {
  readonly size: number
  readonly values: Float32Array
}

/** A share of a model. */
export interface ModelShare {
  /** Resolves when the model is in memory. */
  load(signal: AbortSignal): Promise<void>
  /** @param urgent - goes before everything that waits and is not urgent. */
  embed(texts: readonly string[], urgent: boolean, signal: AbortSignal): Promise<Batch>
  /** Gives the share back; the last one frees the model. Resolves when it is freed. */
  release(): Promise<void>
}

/** A batch of the largest size takes seconds; one that takes so long in ms will not come. */
const BATCH_DEADLINE = 120_000

/** A first download may take minutes; one that takes so long in ms will not come. */
const LOAD_DEADLINE = 20 * 60_000

/** How long a thread that was asked to end may take, in ms. */
const CLOSE_DEADLINE = 5_000

/** A model that crashed so often will crash again; its shares fail until all of them were given back. */
const MOST_CRASHES = 3

interface Job {
  readonly texts: readonly string[]
  readonly resolve: (batch: Batch) => void
  readonly reject: (error: unknown) => void
}

function startThread(settings: ModelSettings): Worker {
  const worker = new Worker(workerFile('embedding/e5-worker'), {
    name: 'dsh-tool-retriever.e5',
    workerData: settings,
    // Options of the host's own script, an inspector or a loader among them, are not for this thread.
    execArgv: [],
    // What transformers.js prints is for developers; on the host's streams it would garble a terminal interface.
    stdout: true,
    stderr: true,
  })
  worker.stdout.resume()
  worker.stderr.resume()
  return worker
}

interface Model {
  embed: ModelShare['embed']
  close(): Promise<void>
}

function createModel(settings: ModelSettings, idleMs: number): Model {
  const urgentJobs: Job[] = []
  const otherJobs: Job[] = []
  let thread: Worker | undefined
  let running: Job | undefined
  let lastJob = 0
  let crashes = 0
  let deadline: NodeJS.Timeout | undefined
  let idle: NodeJS.Timeout | undefined
  /** Why no job can ever be done. */
  let unusable: EmbeddingError | undefined
  let ending: Promise<void> = Promise.resolve()

  function limit(ms: number): void {
    clearTimeout(deadline)
    const late = thread
    deadline = setTimeout(() => stop(late, `took longer than ${ms / 1000} s`), ms)
    deadline.unref()
  }

  /** Forgets a thread and fails what it was doing; jobs that wait go to the next one. */
  function stop(stopped: Worker | undefined, what: string): void {
    if (stopped === undefined || stopped !== thread) return
    crashes += 1
    const isLast = crashes >= MOST_CRASHES
    const error = new EmbeddingError(`the model's thread ${what}${isLast ? `; after ${crashes} times it is not started again until the `
      + 'plugin is reloaded' : ''}. Try another dense.dtype or a smaller dense.batchSize`, { permanent: isLast })
    if (isLast) unusable = error
    detach(stopped, error)
    next()
  }

  /** Lets go of a thread without waiting for it. */
  function detach(stopped: Worker, error: EmbeddingError): void {
    thread = undefined
    clearTimeout(deadline)
    ending = stopped.terminate().then(() => {})
    const failed = running
    running = undefined
    failed?.reject(error)
  }

  function start(): Worker {
    const started = startThread(settings)
    started.on('message', (message: FromModel) => { if (started === thread) receive(started, message) })
    started.on('error', error => stop(started, `failed: ${error.message}`))
    started.on('exit', code => stop(started, `ended by itself (code ${code})`))
    return started
  }

  function receive(from: Worker, message: FromModel): void {
    switch (message.type) {
      case 'loaded':
        limit(BATCH_DEADLINE)
        return
      case 'unloadable': {
        const error = new EmbeddingError(message.reason, { permanent: message.permanent })
        if (message.permanent) unusable = error
        // Every job that waits would start a thread that fails the same way.
        for (const job of [...urgentJobs.splice(0), ...otherJobs.splice(0)]) job.reject(error)
        detach(from, error)
        return
      }
      case 'vectors':
        running?.resolve(message)
        break
      case 'failed':
        running?.reject(new EmbeddingError(`the model failed: ${message.reason}`))
        break
    }
    running = undefined
    next()
  }

  /** Gives the thread its next job, and starts it when there is none. */
  function next(): void {
    if (running !== undefined) return
    clearTimeout(deadline)
    running = urgentJobs.shift() ?? otherJobs.shift()
    if (running === undefined) {
      rest()
      return
    }
    if (unusable !== undefined) {
      running.reject(unusable)
      running = undefined
      next()
      return
    }
    clearTimeout(idle)
    const isNew = thread === undefined
    thread ??= start()
    thread.ref()
    limit(isNew ? LOAD_DEADLINE : BATCH_DEADLINE)
    tell({ type: 'embed', job: lastJob += 1, texts: running.texts })
  }

  function tell(message: ToModel): void {
    thread?.postMessage(message)
  }

  /** An idle model keeps neither the process alive nor, after a while, its memory. */
  function rest(): void {
    thread?.unref()
    clearTimeout(idle)
    idle = setTimeout(() => { ending = end() }, idleMs)
    idle.unref()
  }

  /** Asks the thread to end, so that the native runtime frees its memory in order. */
  async function end(): Promise<void> {
    const ended = thread
    if (ended === undefined) return
    thread = undefined
    const exit = new Promise<void>(resolve => ended.once('exit', () => resolve()))
    ended.postMessage({ type: 'close' } satisfies ToModel)
    const late = setTimeout(() => { void ended.terminate() }, CLOSE_DEADLINE)
    await exit
    clearTimeout(late)
  }

  return {
    async embed(texts, urgent, signal) {
      signal.throwIfAborted()
      if (unusable !== undefined) throw unusable
      return new Promise<Batch>((resolve, reject) => {
        const queue = urgent ? urgentJobs : otherJobs
        const job: Job = { texts, resolve, reject }
        queue.push(job)
        // A running batch can't be interrupted; its answer is dropped.
        signal.addEventListener('abort', () => {
          const place = queue.indexOf(job)
          if (place >= 0) queue.splice(place, 1)
          reject(signal.reason as Error)
        }, { once: true })
        next()
      })
    },
    async close() {
      clearTimeout(idle)
      clearTimeout(deadline)
      const closed = new EmbeddingError('the model was unloaded')
      unusable = closed
      for (const job of [...urgentJobs.splice(0), ...otherJobs.splice(0)]) job.reject(closed)
      running?.reject(closed)
      running = undefined
      await end()
      await ending
    },
  }
}

/** Models in use, by their settings. */
const models = new Map<string, { readonly model: Model; shares: number }>()

/**
 * Takes a share of a model; it is loaded at the first batch.
 * @param idleMs - how long a model that nobody uses stays in memory.
 */
export function shareModel(settings: ModelSettings, idleMs: number): ModelShare {
  const key = JSON.stringify(settings)
  let shared = models.get(key)
  if (shared === undefined) models.set(key, shared = { model: createModel(settings, idleMs), shares: 0 })
  shared.shares += 1
  const held = shared
  const given = new AbortController()
  return {
    // The thread loads the model before its first batch; an empty one is enough.
    async load(signal) { await this.embed([], true, signal) },
    embed: async (texts, urgent, signal) => held.model.embed(texts, urgent, AbortSignal.any([signal, given.signal])),
    async release() {
      if (given.signal.aborted) return
      given.abort(new EmbeddingError('the dense channel was unloaded'))
      held.shares -= 1
      if (held.shares > 0) return
      models.delete(key)
      await held.model.close()
    },
  }
}
