/**
 * Settings of the dense channel: shape, defaults, bounds. It imports nothing of the channel, so that checking a configuration without
 * one loads nothing of one.
 * @module
 */

import type { ConfigSchema } from './config-check.ts'

export const DENSE_PROVIDERS = ['e5', 'http'] as const

export type DenseProviderId = (typeof DENSE_PROVIDERS)[number]

/** Weight formats of transformers.js. */
export const DTYPES = ['fp32', 'fp16', 'q8', 'int8', 'uint8', 'q4', 'q4f16', 'bnb4'] as const

export const POOLINGS = ['mean', 'cls', 'last_token'] as const

/** Opted-in dense retrieval; every key has a default but those of `http` that nobody can guess. */
export interface DenseConfig {
  /** `e5`: a local model in a worker thread; `http`: an OpenAI-compatible endpoint. */
  readonly provider: DenseProviderId
  /** Name of the model: a Hugging Face id for `e5`, the endpoint's own name for `http`. */
  readonly model: string
  /** Put before a query, byte for byte; E5 models were trained with one. */
  readonly queryPrefix: string
  /** Put before a tool's text, byte for byte. */
  readonly documentPrefix: string
  /** Where vectors and, for `e5`, models (`<cacheDir>/<model>/…`) are kept; `''` is the system's cache folder. */
  readonly cacheDir: string
  /** Bound of one model's vectors on disk, in MB; the least recently written go first. */
  readonly maxCacheMegabytes: number
  /** Catalogues whose vectors are in memory at once; more are read from disk again when they are searched. */
  readonly maxCachedCatalogs: number
  /** Texts in one call of the model or request to the endpoint, at most. */
  readonly batchSize: number
  /** What a search does while tools are still being embedded: `false` goes on without, `true` waits, a number waits so many ms. */
  readonly wait: boolean | number
  /** How long a search waits for the vectors of its query, in ms; then the other channels answer. */
  readonly timeoutMs: number

  /** `e5` alone: weight format. */
  readonly dtype: (typeof DTYPES)[number]
  /** `e5` alone: how token vectors become one. */
  readonly pooling: (typeof POOLINGS)[number]
  /** `e5` alone: never downloads; the model must be in `cacheDir`. */
  readonly offline: boolean
  /** `e5` alone: threads of the model; one leaves the machine to the host. */
  readonly threads: number
  /** `e5` alone: the model is freed when nobody has used it for so long, in s. */
  readonly idleSeconds: number

  /** `http` alone: base URL such as `http://127.0.0.1:11434/v1`, or the whole address of `/embeddings`. */
  readonly url: string
  /** `http` alone: name of the environment variable that holds the key; `''` sends none. */
  readonly apiKeyEnv: string
  /** `http` alone: length of vectors to ask for, where the model can be asked; 0 is the model's own. */
  readonly dimensions: number
  /** `http` alone: requests at once. */
  readonly concurrency: number
  /** `http` alone: how often a request is tried again after 429, 5xx or a broken connection. */
  readonly retries: number
}

const COMMON = {
  cacheDir: '',
  maxCacheMegabytes: 256,
  maxCachedCatalogs: 8,
  batchSize: 16,
  wait: false,
  timeoutMs: 2_000,
  dtype: 'q8',
  pooling: 'mean',
  offline: false,
  threads: 1,
  idleSeconds: 600,
  url: '',
  apiKeyEnv: '',
  dimensions: 0,
  concurrency: 2,
  retries: 2,
} as const

export const DEFAULT_MODEL = 'Xenova/multilingual-e5-small'

/** E5 models but the instruction-tuned ones, by the names under which they are published and served. */
const E5_NAME = /(?:^|[/_:-])e5(?=[_:-]|$)(?!.*instruct)/i

/** The keys of one provider mean nothing to the other: setting one by mistake would silently do nothing. */
const KEYS_OF: Readonly<Record<DenseProviderId, readonly (keyof DenseConfig)[]>> = {
  e5: ['dtype', 'pooling', 'offline', 'threads', 'idleSeconds'],
  http: ['url', 'apiKeyEnv', 'dimensions', 'concurrency', 'retries'],
}

const string: ConfigSchema = { type: 'string' }

function integer(minimum: number, maximum: number): ConfigSchema {
  return { type: 'integer', minimum, maximum }
}

const DENSE_OBJECT: ConfigSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    provider: { type: 'string', enum: DENSE_PROVIDERS },
    model: { type: 'string', minLength: 1 },
    queryPrefix: string,
    documentPrefix: string,
    cacheDir: string,
    maxCacheMegabytes: integer(1, 100_000),
    maxCachedCatalogs: integer(1, 1_000),
    batchSize: integer(1, 1_000),
    wait: { anyOf: [{ type: 'boolean' }, integer(0, 600_000)] },
    timeoutMs: integer(1, 600_000),
    dtype: { type: 'string', enum: DTYPES },
    pooling: { type: 'string', enum: POOLINGS },
    offline: { type: 'boolean' },
    threads: integer(1, 64),
    idleSeconds: integer(1, 1_000_000),
    url: { type: 'string', minLength: 1 },
    apiKeyEnv: string,
    dimensions: integer(0, 65_536),
    concurrency: integer(1, 64),
    retries: integer(0, 10),
  },
}

/** `false`, `true` for every default, or an object. */
export const DENSE_SCHEMA: ConfigSchema = { anyOf: [{ type: 'boolean' }, DENSE_OBJECT] }

/**
 * Completes what passed {@link DENSE_SCHEMA}.
 * @throws Error with key, rule and way out for what a schema can't say.
 */
export function resolveDense(given: boolean | Partial<DenseConfig> | undefined): false | DenseConfig {
  if (given === undefined || given === false) return false
  const set = given === true ? {} : given
  const provider = set.provider ?? 'e5'
  for (const other of DENSE_PROVIDERS) {
    const stray = KEYS_OF[other].find(key => other !== provider && set[key] !== undefined)
    if (stray !== undefined) fail(`config key "dense.${stray}" belongs to provider "${other}", but dense.provider is "${provider}". Remove one of them.`)
  }
  if (provider === 'http') {
    if (set.url === undefined) fail('config key "dense" needs "url" for provider "http", such as "http://127.0.0.1:11434/v1"; add it.')
    if (set.model === undefined) fail('config key "dense" needs "model" for provider "http": the name under which the endpoint serves it; add it.')
    checkUrl(set.url)
  }
  const model = set.model ?? DEFAULT_MODEL
  const isE5 = E5_NAME.test(model)
  return { ...COMMON, provider, model, queryPrefix: isE5 ? 'query: ' : '', documentPrefix: isE5 ? 'passage: ' : '', ...set }
}

function checkUrl(url: string): void {
  const parsed = URL.parse(url)
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    fail(`config key "dense.url" is ${JSON.stringify(url)}; it must be an http or https address such as "http://127.0.0.1:11434/v1".`)
  }
  // Configurations are shown and shared; keys in them leak.
  if (parsed.username !== '' || parsed.password !== '') {
    fail('config key "dense.url" has a user name or password in it; put the key into an environment variable and name that in dense.apiKeyEnv.')
  }
}

function fail(message: string): never {
  throw new Error(`dsh-tool-retriever: ${message}`)
}
