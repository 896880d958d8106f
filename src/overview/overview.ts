/**
 * Every tool of one agent with what becomes of it, and what that costs and saves. Pure.
 * @module
 */

import type { Catalog } from '../catalog/types.ts'
import type { DisclosureConfig, DisclosureMode } from '../config.ts'
import { compilePatterns } from '../patterns.ts'
import type { NamePredicate } from '../patterns.ts'
import type { RegistryView } from '../surface/registry-view.ts'
import type { AgentSurface } from '../surface/surface.ts'
import { isSurfaceTool } from '../surface/surface-tools.ts'
import { oneLine } from '../tools/rendering.ts'
import type { RequestTally } from './request-tally.ts'

/**
 * `always`: in every request; `deferred`: a search can load it; `loaded`: this agent was given its schema, in its tool list or in a search
 * result; `never`: neither shown nor found nor run.
 */
export const TOOL_STATES = ['always', 'deferred', 'loaded', 'never'] as const

export type ToolState = (typeof TOOL_STATES)[number]

/** The lists of the configuration that decide about a tool by its name, the strongest first. */
export const RULE_LISTS = ['neverSearch', 'alwaysVisible', 'coreTools'] as const

/** The entry of a list that decides about a tool. */
export interface ToolRule {
  readonly list: (typeof RULE_LISTS)[number]
  /** The entry as it was written: a name or a `*` pattern. */
  readonly pattern: string
}

export interface OverviewTool {
  readonly name: string
  /** The beginning of the description, one line. */
  readonly description: string
  /** The server, configured group or prefix that it is shown under; left out when there is none. */
  readonly family?: string
  /** Tokens of the schema, estimated. */
  readonly tokens: number
  readonly state: ToolState
  /** What decides, where a list does. */
  readonly rule?: ToolRule
}

/** Counts of tools, and tokens of their schemas, estimated. */
export interface OverviewTotals {
  /** Registered tools, without those of this plugin. */
  readonly tools: number
  readonly byState: Readonly<Record<ToolState, number>>
  /** What the next request carries, this plugin's own tools included. */
  readonly shownTokens: number
  /** What a search could still load, or has handed over in a result. */
  readonly deferredTokens: number
  /** Answered requests of this session; those of the session that it was forked from are not its own. */
  readonly requests: number
  /**
   * What these requests would have carried with every tool shown, as the registry is now, less what they did carry. Below 0 when this
   * plugin's tools cost more than what they hid.
   */
  readonly savedTokens: number
}

export interface Overview {
  readonly mode: DisclosureMode
  /** Ascending by name. */
  readonly tools: readonly OverviewTool[]
  readonly totals: OverviewTotals
}

export interface OverviewInput {
  readonly surface: AgentSurface
  /** Of every tool in the registry, so that those that are switched off have a family too. */
  readonly catalog: Catalog
  readonly disclosure: Pick<DisclosureConfig, 'mode' | (typeof RULE_LISTS)[number]>
  readonly tally: RequestTally
}

/** Longest description, in UTF-16 code units. */
const DESCRIPTION_CHARS = 160

export function overviewOf({ surface, catalog, disclosure, tally }: OverviewInput): Overview {
  const ruleOf = ruleFinder(disclosure)
  const { registry } = surface
  const tools = catalog.tools.filter(({ name }) => !isSurfaceTool(name)).map(({ name, description, family }): OverviewTool => {
    const rule = ruleOf(name)
    return {
      name,
      description: oneLine(description, DESCRIPTION_CHARS),
      ...family !== undefined && { family },
      tokens: registry.tokensOf(name),
      state: stateOf(name, surface),
      ...rule !== undefined && { rule },
    }
  })
  const byState: Record<ToolState, number> = { always: 0, deferred: 0, loaded: 0, never: 0 }
  for (const { state } of tools) byState[state]++
  const registryTokens = tools.reduce((sum, { tokens }) => sum + tokens, 0)
  return {
    mode: disclosure.mode,
    tools,
    totals: {
      tools: tools.length,
      byState,
      shownTokens: sumTokens(surface.shown, registry),
      deferredTokens: sumTokens(surface.deferred, registry),
      requests: tally.requests,
      savedTokens: tally.requests * registryTokens - tally.sentTokens,
    },
  }
}

function stateOf(name: string, { never, loaded, deferred }: AgentSurface): ToolState {
  if (never.has(name)) return 'never'
  if (loaded.has(name)) return 'loaded'
  return deferred.has(name) ? 'deferred' : 'always'
}

function sumTokens(names: Iterable<string>, registry: RegistryView): number {
  let sum = 0
  for (const name of names) sum += registry.tokensOf(name)
  return sum
}

/** Finds the first entry of the strongest list; mode `off` shows what is in no list too. */
function ruleFinder(lists: OverviewInput['disclosure']): (name: string) => ToolRule | undefined {
  const rules = RULE_LISTS.flatMap(list => lists[list].map(pattern => ({ list, pattern, matches: predicateOf(pattern) })))
  return (name) => {
    const found = rules.find(({ matches }) => matches(name))
    return found && { list: found.list, pattern: found.pattern }
  }
}

function predicateOf(pattern: string): NamePredicate {
  return pattern.includes('*') ? compilePatterns([pattern]) : name => name === pattern
}
