/**
 * The ways of showing tools that are compared, each as what is loaded into DSH.
 * @module
 */

import type { Context } from '@deepseek-ai/cordis'
import type { PromptAssembly } from '@deepseek-ai/dsh-system-prompt'
import type { Config } from '../../src/config.ts'

export interface Policy {
  readonly label: string
  /** Configuration of the plugin; undefined when it is not loaded. */
  readonly config?: Config | undefined
  /** Whether new tools are inserted by name instead of appended. */
  readonly alphabetical?: boolean
}

/** Tools and confidence of the policies that choose tools for the first message. */
export const PRESELECT = { tools: 3, confidence: 0.6 } as const

const NONE = { tools: 0, confidence: PRESELECT.confidence } as const

/** Prices under which a search never injects: dispatch, with tools for the first message, which mode `dispatch` itself never loads. */
const NEVER_INJECT = { cacheHit: 0, cacheMiss: 1_000_000 } as const

/** Policies that know nothing of prices. */
export const FIXED_POLICIES = {
  all: { label: 'all tools shown' },
  alphabetical: { label: 'inject, by name', config: { disclosure: { mode: 'inject', preselect: NONE } }, alphabetical: true },
  inject: { label: 'inject', config: { disclosure: { mode: 'inject', preselect: NONE } } },
  dispatch: { label: 'dispatch', config: { disclosure: { mode: 'dispatch', preselect: NONE } } },
  injectPreselect: { label: 'inject + preselect', config: { disclosure: { mode: 'inject', preselect: PRESELECT } } },
  dispatchPreselect: {
    label: 'dispatch + preselect',
    config: { disclosure: { mode: 'auto', inertTokens: 0, pricing: NEVER_INJECT, preselect: PRESELECT } },
  },
} as const satisfies Record<string, Policy>

export type FixedPolicy = keyof typeof FIXED_POLICIES

export const FIXED = Object.keys(FIXED_POLICIES) as FixedPolicy[]

/** @param ratio - price of an uncached input token relative to a cached one. */
export function autoPolicy(ratio: number, preselect: boolean): Policy {
  return {
    label: preselect ? 'auto + preselect' : 'auto',
    config: { disclosure: { mode: 'auto', pricing: { cacheHit: 1, cacheMiss: ratio }, preselect: preselect ? PRESELECT : NONE } },
  }
}

/**
 * Sorts the tools of each request by name, as loaders do that show their tools as the registry orders them. Emulates such a loader around
 * this plugin: what is loaded and when is this plugin's doing.
 */
export const byName = {
  name: 'economics-by-name',
  apply(ctx: Context) {
    ctx.on('system-prompt/assemble', async (_assembly, _context, next): Promise<PromptAssembly> => {
      const assembly = await next()
      return { ...assembly, tools: [...assembly.tools].sort((a, b) => (a.name < b.name ? -1 : 1)) }
    }, { prepend: true })
  },
}
