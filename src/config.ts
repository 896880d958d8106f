/**
 * Configuration: shape, defaults, and the checks at load. Loads nothing of DSH: the command line works without it.
 * @module
 */

import { FIELDS } from './catalog/types.ts'
import type { Field } from './catalog/types.ts'
import { CHANNEL_IDS } from './channels/channel.ts'
import type { ChannelId } from './channels/channel.ts'
import { checkConfig } from './config-check.ts'
import type { ConfigSchema } from './config-check.ts'
import { DENSE_SCHEMA, resolveDense } from './dense-config.ts'
import type { DenseConfig } from './dense-config.ts'
import { DEFAULT_RETRIEVAL } from './retrieval-defaults.ts'
import type { RetrievalConfig } from './retriever.ts'
import { DEFAULT_REWRITE, resolveRewrite, REWRITE_SCHEMA } from './rewrite/config.ts'
import type { RewriteConfig } from './rewrite/config.ts'
import { COMPACTION_POLICIES } from './selection/free-moment.ts'
import type { CompactionPolicy } from './selection/free-moment.ts'
import { CORE_TOOLS } from './surface/core-tools.ts'
import type { Pricing } from './surface/economics.ts'
import type { PreselectConfig } from './surface/preselect.ts'
import type { SkillBindings } from './surface/skill-tools.ts'

/**
 * `inject`: a search puts the schemas of what it finds into the next request; `dispatch`: it puts them into its result, and
 * `tool_dispatch` calls them, so that the tool list never changes; `auto`: the cheaper of the two at each search, and nothing at all
 * while there is little to hide; `off`: nothing is hidden but what `neverSearch` names, `tool_search` only searches.
 */
export const DISCLOSURE_MODES = ['auto', 'inject', 'dispatch', 'off'] as const

export type DisclosureMode = (typeof DISCLOSURE_MODES)[number]

/** `guide`: run when the arguments fit, else answer with the schema; `run`: always run; `deny`: never run. */
export const HIDDEN_CALL_POLICIES = ['guide', 'run', 'deny'] as const

export type HiddenCallPolicy = (typeof HIDDEN_CALL_POLICIES)[number]

/** How tools are shown. */
export interface DisclosureConfig {
  readonly mode: DisclosureMode
  /** Names and `*` patterns of DSH's own everyday tools, always shown; replaces the built-in list. */
  readonly coreTools: readonly string[]
  /** Names and `*` patterns always shown, on top of `coreTools`. */
  readonly alwaysVisible: readonly string[]
  /** Names and `*` patterns never shown, never found and never run; wins over `alwaysVisible`. */
  readonly neverSearch: readonly string[]
  /** What happens to a call of a deferred tool. */
  readonly hiddenCalls: HiddenCallPolicy
  /** Whether a hit loads its tool alone or the rest of its family too. */
  readonly expand: 'tool' | 'family'
  /** What stays loaded when the conversation is compacted. */
  readonly compaction: CompactionPolicy
  /** Bounds of the loaded tools, applied when the provider's cache is lost anyway; 0 is no bound. */
  readonly budget: { readonly maxTools: number; readonly maxTokens: number; readonly idleTurns: number }
  /** Mode `auto`: prices of one input token, of which only the ratio counts; a `cacheMiss` of 0 takes the ratio of the agent's model. */
  readonly pricing: Pricing
  /** Mode `auto`: tokens of deferred schemas, estimated, up to which everything is simply shown. */
  readonly inertTokens: number
  readonly dispatch: {
    /** Whether only tools whose schemas a search showed may be dispatched. */
    readonly requireDiscovery: boolean
    /** Whether a listing (`status:<server>`) counts as having been shown the schema. */
    readonly statusGrantsDiscovery: boolean
    /** Characters of schemas in one search result; whole definitions only. */
    readonly schemaChars: number
  }
  /** Loads the best tools for a session's first message before its first request, in modes `inject` and `auto`. */
  readonly preselect: PreselectConfig
  /** Searches of one turn that bring nothing new before the search says to stop. */
  readonly maxFruitlessSearches: number
  /** Tools that a successful call of a skill loads: skill name to tool names, `*` patterns and `family:<id>`. */
  readonly skills: SkillBindings
}

/** A group of tools that belong together although no server says so. */
export interface FamilyConfig {
  readonly id: string
  /** What its tools are for; shown in a listing. */
  readonly description?: string
  /** Other ids that `server:` and `status:` take. */
  readonly aliases?: readonly string[]
  /** Names and `*` patterns of its tools. */
  readonly include: readonly string[]
  /** Names and `*` patterns that `include` covers and the family does not have. */
  readonly exclude?: readonly string[]
}

/** The complete configuration; every key has a default. */
export interface ResolvedConfig extends RetrievalConfig {
  /** Results of a search, and the upper bound of its `limit`. */
  readonly topK: number
  /** Longest query, in UTF-16 code units. */
  readonly maxQueryChars: number
  /** Other words for a query from a model of DSH; `false` never asks one. */
  readonly rewrite: false | RewriteConfig
  /** Dense retrieval; `false` loads nothing of it. */
  readonly dense: false | DenseConfig
  /** Whether the log may hold queries as they were written, and not only hashes of them. */
  readonly logQueries: boolean
  readonly disclosure: DisclosureConfig
  readonly families: readonly FamilyConfig[]
}

type DeepPartial<T> = T extends readonly unknown[] ? T : T extends object ? { readonly [K in keyof T]?: DeepPartial<T[K]> } : T

/** What a user writes in `cordis.yml`: any part of {@link ResolvedConfig}, and one number for `bm25B` to mean every field. */
export type Config = Omit<DeepPartial<ResolvedConfig>, 'bm25B' | 'rewrite' | 'dense'> & {
  readonly bm25B?: number | Partial<Record<Field, number>>
  readonly rewrite?: boolean | Partial<RewriteConfig>
  readonly dense?: boolean | Partial<DenseConfig>
}

export const DEFAULT_CONFIG: ResolvedConfig = {
  topK: 8,
  maxQueryChars: 512,
  ...DEFAULT_RETRIEVAL,
  rewrite: DEFAULT_REWRITE,
  dense: false,
  logQueries: false,
  disclosure: {
    // Never dearer than all tools shown, and within 4 % of the cheapest way in the mean (RESULTS.md, economics); `inject` can cost
    // three times as much as no plugin.
    mode: 'auto',
    coreTools: CORE_TOOLS,
    alwaysVisible: [],
    neverSearch: [],
    hiddenCalls: 'guide',
    expand: 'tool',
    compaction: 'keep',
    budget: { maxTools: 0, maxTokens: 0, idleTurns: 0 },
    pricing: { cacheHit: 1, cacheMiss: 0 },
    // Where a session that needs twelve tools in its first turn costs as much as showing everything; see DESIGN.md, Economics.
    inertTokens: 18_000,
    // Two or three schemas: a longer result costs more in all later requests than a second search.
    dispatch: { requireDiscovery: false, statusGrantsDiscovery: false, schemaChars: 2_000 },
    preselect: { tools: 0, confidence: 0.6 },
    maxFruitlessSearches: 5,
    skills: {},
  },
  families: [],
}

const patterns: ConfigSchema = { type: 'array', items: { type: 'string', minLength: 1 } }

function numbers<K extends string>(keys: readonly K[], minimum: number, maximum: number): ConfigSchema {
  return object(Object.fromEntries(keys.map(key => [key, { type: 'number', minimum, maximum }])))
}

function object<const P extends Record<string, ConfigSchema>>(properties: P, required: readonly string[] = []) {
  return { type: 'object', additionalProperties: false, properties, required } as const
}

/** The rules of every key; settings that change one use the same. */
export const CONFIG_SCHEMA = object({
  topK: { type: 'integer', minimum: 1, maximum: 50 },
  maxQueryChars: { type: 'integer', minimum: 16, maximum: 8_000 },
  bm25K1: { type: 'number', minimum: 0, maximum: 10 },
  bm25B: { anyOf: [{ type: 'number', minimum: 0, maximum: 1 }, numbers(FIELDS, 0, 1)] },
  fieldWeights: numbers(FIELDS, 0, 100),
  fusion: object({
    rankConstant: { type: 'number', minimum: 0, maximum: 1_000 },
    weights: numbers<ChannelId>(CHANNEL_IDS, 0, 100),
  }),
  rewrite: REWRITE_SCHEMA,
  dense: DENSE_SCHEMA,
  logQueries: { type: 'boolean' },
  disclosure: object({
    mode: { type: 'string', enum: DISCLOSURE_MODES },
    coreTools: patterns,
    alwaysVisible: patterns,
    neverSearch: patterns,
    hiddenCalls: { type: 'string', enum: HIDDEN_CALL_POLICIES },
    expand: { type: 'string', enum: ['tool', 'family'] },
    compaction: { type: 'string', enum: COMPACTION_POLICIES },
    budget: object({
      maxTools: { type: 'integer', minimum: 0, maximum: 1_000 },
      maxTokens: { type: 'integer', minimum: 0, maximum: 1_000_000 },
      idleTurns: { type: 'integer', minimum: 0, maximum: 1_000 },
    }),
    pricing: object({
      cacheHit: { type: 'number', minimum: 0, maximum: 1_000_000 },
      cacheMiss: { type: 'number', minimum: 0, maximum: 1_000_000 },
    }),
    inertTokens: { type: 'integer', minimum: 0, maximum: 1_000_000 },
    dispatch: object({
      requireDiscovery: { type: 'boolean' },
      statusGrantsDiscovery: { type: 'boolean' },
      schemaChars: { type: 'integer', minimum: 1_000, maximum: 1_000_000 },
    }),
    preselect: object({ tools: { type: 'integer', minimum: 0, maximum: 20 }, confidence: { type: 'number', minimum: 0, maximum: 1 } }),
    maxFruitlessSearches: { type: 'integer', minimum: 1, maximum: 100 },
    skills: { type: 'object', additionalProperties: patterns },
  }),
  families: {
    type: 'array',
    items: object({
      id: { type: 'string', minLength: 1 },
      description: { type: 'string' },
      aliases: patterns,
      include: { ...patterns, minItems: 1 },
      exclude: patterns,
    }, ['id', 'include']),
  },
})

/**
 * Checks a configuration and completes it: a key that is set changes that key alone, its siblings keep their defaults.
 * @throws Error naming the key's path, its value, the rule and the way out.
 */
export function resolveConfig(config: unknown): ResolvedConfig {
  const given = config ?? {}
  checkConfig(CONFIG_SCHEMA, given)
  const { bm25B, rewrite, dense, ...rest } = given as Config
  const perField = typeof bm25B === 'number' ? Object.fromEntries(FIELDS.map(field => [field, bm25B])) : bm25B
  const merged = merge(DEFAULT_CONFIG, perField === undefined ? rest : { ...rest, bm25B: perField }) as ResolvedConfig
  return { ...merged, rewrite: resolveRewrite(rewrite), dense: resolveDense(dense) }
}

/** Objects merge key by key; anything else replaces. */
function merge(base: unknown, change: unknown): unknown {
  if (change === undefined) return base
  if (!isRecord(base) || !isRecord(change)) return change
  return Object.fromEntries([...new Set([...Object.keys(base), ...Object.keys(change)])]
    .map(key => [key, merge(base[key], change[key])]))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
