/**
 * The part of the configuration that a person changes while agents run.
 * @module
 */

import { checkConfig } from './config-check.ts'
import type { ConfigSchema } from './config-check.ts'
import { CONFIG_SCHEMA } from './config.ts'
import type { DisclosureMode, ResolvedConfig } from './config.ts'
import { resolveDense } from './dense-config.ts'
import { DEFAULT_REWRITE } from './rewrite/config.ts'

/** Section of `settings.yaml`, and namespace of the settings service; the id of the plugin's row in a profile. */
export const SETTINGS_NAMESPACE = 'tool-retriever'

/** Flat, because settings are written key by key; each is one key of the configuration, or the switch of an object there. */
export interface Settings {
  readonly topK: number
  /** `disclosure.mode` */
  readonly mode: DisclosureMode
  /** `disclosure.alwaysVisible` */
  readonly alwaysVisible: readonly string[]
  /** `disclosure.neverSearch` */
  readonly neverSearch: readonly string[]
  /** `disclosure.preselect.tools` */
  readonly preselect: number
  /** Whether a model may be asked for other words; how is said by the configuration. */
  readonly rewrite: boolean
  /** Whether embeddings are used; which is said by the configuration, else the local model's defaults. */
  readonly dense: boolean
}

const { topK, disclosure } = CONFIG_SCHEMA.properties
const { mode, alwaysVisible, neverSearch, preselect } = disclosure.properties

const SCHEMA: ConfigSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    topK, mode, alwaysVisible, neverSearch, preselect: preselect.properties.tools, rewrite: { type: 'boolean' }, dense: { type: 'boolean' },
  } satisfies Record<keyof Settings, ConfigSchema>,
  required: ['topK', 'mode', 'alwaysVisible', 'neverSearch', 'preselect', 'rewrite', 'dense'] satisfies (keyof Settings)[],
}

/** What the settings are while nobody has changed one. */
export function settingsOf({ topK, disclosure, rewrite, dense }: ResolvedConfig): Settings {
  return {
    topK,
    mode: disclosure.mode,
    alwaysVisible: disclosure.alwaysVisible,
    neverSearch: disclosure.neverSearch,
    preselect: disclosure.preselect.tools,
    rewrite: rewrite !== false && rewrite.when !== 'never',
    dense: dense !== false,
  }
}

/**
 * Checks complete settings by the rules of the configuration.
 * @throws Error naming the setting, its value, the rule and the way out.
 */
export function checkSettings(value: unknown): Settings {
  checkConfig(SCHEMA, value, 'setting')
  return value as Settings
}

/**
 * Puts settings over a configuration. A switch turns on what the configuration describes, and the defaults where it describes nothing.
 */
export function withSettings(config: ResolvedConfig, settings: Settings): ResolvedConfig {
  return {
    ...config,
    topK: settings.topK,
    disclosure: {
      ...config.disclosure,
      mode: settings.mode,
      alwaysVisible: settings.alwaysVisible,
      neverSearch: settings.neverSearch,
      preselect: { ...config.disclosure.preselect, tools: settings.preselect },
    },
    rewrite: settings.rewrite && rewriteOf(config),
    dense: settings.dense && (config.dense === false ? DENSE_DEFAULTS : config.dense),
  }
}

const DENSE_DEFAULTS = resolveDense(true)

function rewriteOf({ rewrite }: ResolvedConfig): ResolvedConfig['rewrite'] {
  if (rewrite === false) return DEFAULT_REWRITE
  return rewrite.when === 'never' ? { ...rewrite, when: DEFAULT_REWRITE.when } : rewrite
}
