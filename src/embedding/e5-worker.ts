/**
 * The model's thread: loads transformers.js and answers one batch after the other. Nothing of it runs on the host's thread.
 * @module
 */

import { parentPort, workerData } from 'node:worker_threads'
import type { FeatureExtractionPipeline } from '@huggingface/transformers'
import type { FromModel, ModelSettings, ToModel } from './e5-protocol.ts'

const PACKAGE = '@huggingface/transformers'
const MAJOR = 4

const settings = workerData as ModelSettings
const port = parentPort!

/** A failure that only a person can mend. */
class Unloadable extends Error {}

function post(message: FromModel, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

async function importTransformers(): Promise<typeof import('@huggingface/transformers')> {
  try {
    return await import('@huggingface/transformers')
  } catch (error: unknown) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND' && messageOf(error).includes(PACKAGE)
    throw new Unloadable(isMissing
      ? `the package ${PACKAGE} is not installed; add version ${MAJOR} of it beside this plugin, use dense.provider "http", or set dense: false`
      : `the package ${PACKAGE} can not be loaded (${messageOf(error)}); install version ${MAJOR} of it again, or set dense: false`)
  }
}

async function load(): Promise<FeatureExtractionPipeline> {
  const { env, pipeline, ModelFileNotFoundError } = await importTransformers()
  const { model, dtype, offline, cacheDir, threads } = settings
  env.allowRemoteModels = !offline
  env.allowLocalModels = true
  env.localModelPath = cacheDir
  env.cacheDir = cacheDir
  try {
    return await pipeline('feature-extraction', model, {
      dtype: dtype as 'q8',
      device: 'cpu',
      // Fatal messages only: the runtime writes to the host's terminal past every stream that could be caught.
      session_options: { intraOpNumThreads: threads, interOpNumThreads: 1, logSeverityLevel: 4 },
    })
  } catch (error: unknown) {
    if (error instanceof ModelFileNotFoundError) {
      throw new Unloadable(offline
        ? `model "${model}" with dtype "${dtype}" is not in ${cacheDir}; put it there, or set dense.offline: false once to download it`
        : `model "${model}" with dtype "${dtype}" does not exist on the hub; correct dense.model or dense.dtype`)
    }
    throw new Error(`model "${model}" could not be loaded (${messageOf(error)}); check dense.model and the network, or put the model `
      + `into ${cacheDir} and set dense.offline: true`, { cause: error })
  }
}

interface Vectors {
  readonly size: number
  readonly values: Float32Array<ArrayBuffer>
}

async function embed(extract: FeatureExtractionPipeline, texts: readonly string[]): Promise<Vectors> {
  if (texts.length === 0) return { size: 0, values: new Float32Array() }
  const output = await extract([...texts], { pooling: settings.pooling as 'mean', normalize: true })
  const size = output.dims.at(-1)!
  return { size, values: Float32Array.from(output.data as Float32Array) }
}

const loading = load()
loading.then(() => post({ type: 'loaded' }), (error: unknown) => {
  post({ type: 'unloadable', reason: messageOf(error), permanent: error instanceof Unloadable })
  port.close()
})

/** Batches in the order of their arrival, one at a time. */
let last: Promise<unknown> = loading

port.on('message', (message: ToModel) => {
  last = last.then(async () => {
    const extract = await loading
    if (message.type === 'close') {
      await extract.dispose()
      port.close()
      return
    }
    try {
      const { size, values } = await embed(extract, message.texts)
      post({ type: 'vectors', job: message.job, size, values }, [values.buffer])
    } catch (error: unknown) {
      post({ type: 'failed', job: message.job, reason: messageOf(error) })
    }
  }).catch(() => port.close())
})
