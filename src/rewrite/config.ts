/**
 * Settings of the rewrite: shape, defaults, bounds.
 * @module
 */

import type { ConfigSchema } from '../config-check.ts'

/** `auto`: when the local channels are not sure; `always`: for every query that has words; `never`: the same as `rewrite: false`. */
export const REWRITE_WHEN = ['auto', 'always', 'never'] as const

/** When a search asks for a rewrite: what the retriever needs to know. */
export interface RewritePolicy {
  readonly when: (typeof REWRITE_WHEN)[number]
  /** Tools from which on a rewrite can be worth a model call. */
  readonly minCatalogSize: number
  /** Weight of what a rewritten query finds, beside 1 of what the query itself finds. */
  readonly weight: number
}

/** A model of DSH, by the names that DSH knows it by. */
export interface RewriteRoute {
  readonly provider: string
  readonly model: string
}

export interface RewriteConfig extends RewritePolicy {
  /** Provider route; with `model` only. Without the two, each agent's own route is used. */
  readonly provider?: string
  /** Model of the route; with `provider` only. */
  readonly model?: string
  /** How long a search waits for a rewrite, in ms; then the raw query's results are the answer. */
  readonly timeoutMs: number
  /** Bound of the model's answer, in tokens. */
  readonly maxTokens: number
  /** Rewrites that are remembered; 0 remembers none. */
  readonly cacheSize: number
}

/**
 * `weight`: a perfect rewrite wins nine tenths of what it can win already at 0.5, where one that misses the point costs about half a point
 * of recall; at 1 it costs nine times as much (RESULTS.md, rewrite-auto).
 * `timeoutMs`: a small model writes the 40 tokens of an answer in one to two seconds; an agent's own step takes longer than five.
 * `maxTokens`: four queries of the longest useful length, and some for a model whose reasoning can't be turned off.
 */
export const DEFAULT_REWRITE: RewriteConfig = { when: 'auto', minCatalogSize: 32, weight: 0.5, timeoutMs: 5_000, maxTokens: 512, cacheSize: 256 }

export const REWRITE_SCHEMA: ConfigSchema = {
  anyOf: [{ type: 'boolean' }, {
    type: 'object',
    additionalProperties: false,
    properties: {
      when: { type: 'string', enum: REWRITE_WHEN },
      minCatalogSize: { type: 'integer', minimum: 0, maximum: 1_000_000 },
      weight: { type: 'number', minimum: 0, maximum: 10 },
      provider: { type: 'string', minLength: 1 },
      model: { type: 'string', minLength: 1 },
      timeoutMs: { type: 'integer', minimum: 100, maximum: 120_000 },
      maxTokens: { type: 'integer', minimum: 32, maximum: 32_768 },
      cacheSize: { type: 'integer', minimum: 0, maximum: 100_000 },
    },
  }],
}

/**
 * Completes what passed {@link REWRITE_SCHEMA}; `true` is every default.
 * @throws Error with key, rule and way out for what a schema can't say.
 */
export function resolveRewrite(given: boolean | Partial<RewriteConfig> | undefined): false | RewriteConfig {
  if (given === false) return false
  if (given === undefined || given === true) return DEFAULT_REWRITE
  const missing = given.provider === undefined ? 'provider' : given.model === undefined ? 'model' : undefined
  const present = missing === 'provider' ? 'model' : 'provider'
  if (missing !== undefined && given[present] !== undefined) {
    throw new Error(`dsh-tool-retriever: config key "rewrite.${present}" is ${JSON.stringify(given[present])}, but rewrite.${missing} is not set; `
      + 'set both, or neither to use the model of each agent.')
  }
  return { ...DEFAULT_REWRITE, ...given }
}

/** The configured route; undefined when each agent's own is used. */
export function configuredRoute({ provider, model }: RewriteConfig): RewriteRoute | undefined {
  return provider === undefined || model === undefined ? undefined : { provider, model }
}
