/**
 * A small tool surface plus `tool_search` for every agent of a DeepSeek Harness.
 *
 * Tools that are neither core nor configured as always visible are left out of an agent's requests until a search loads them; loaded
 * tools run by their real names through DSH's own pipeline. It registers no tool but the search, restricts no other policy, writes no
 * session event and needs no network.
 * @module dsh-tool-retriever
 */

import type { Context } from '@deepseek-ai/cordis'
import z from '@deepseek-ai/schemastery'
import { attachToAgents } from './agents.ts'
import { createCatalogStore } from './catalog/store.ts'
import { resolveConfig } from './config.ts'
import type { Config as PluginConfig } from './config.ts'
import { setUpDense } from './dense-setup.ts'
import { createInspector } from './overview/inspector.ts'
import { createRetriever, DEFAULT_CHANNELS } from './retriever.ts'
import { createRewriters } from './rewrite/rewriter.ts'
import { PROVIDER_CACHE_MS } from './selection/free-moment.ts'
import { createSelectionTracker } from './selection/tracker.ts'
import { createRegistryViews } from './surface/registry-view.ts'
import { createPreselection } from './surface/preselect.ts'
import { createSkillTools } from './surface/skill-tools.ts'
import { alwaysVisible, installSurface } from './surface/surface.ts'
import { createAgentSearch } from './tools/agent-search.ts'
import { trackPending } from './tools/pending.ts'
import { createSearchAnswers } from './tools/search-answers.ts'
import { createDispatchTool } from './tools/tool-dispatch.ts'
import { createSearchTool } from './tools/tool-search.ts'
import { openWebChannel } from './web/channel.ts'

/** Checked by {@link resolveConfig}, whose messages name key, value, rule and way out; the loader passes the value through. */
export const Config: z<PluginConfig> = z.any()

export type Config = PluginConfig

export const name = 'dsh-tool-retriever'

export const inject = ['tools', 'systemPrompt', 'agents', 'sessions']

/**
 * Installs the plugin.
 * @param ctx - plugin context; everything is undone with it, and searches that still run are aborted and awaited.
 * @param config - see {@link PluginConfig}; a bad key fails here.
 */
export function apply(ctx: Context, config: PluginConfig): void {
  const resolved = resolveConfig(config)
  const pending = trackPending(ctx)
  const { disclosure, families } = resolved
  const selections = createSelectionTracker(ctx, {
    compaction: disclosure.compaction,
    promote: disclosure.mode === 'auto',
    listingDiscovers: disclosure.dispatch.statusGrantsDiscovery,
    cacheLifetimeMs: PROVIDER_CACHE_MS,
    budget: bounds(disclosure.budget),
    isExempt: alwaysVisible(disclosure),
  })
  const preselection = createPreselection(ctx, { config: disclosure.preselect, pending, search: () => search })
  const surface = installSurface(ctx, {
    disclosure,
    selections,
    views: createRegistryViews(ctx),
    skillTools: createSkillTools(disclosure.skills, families),
    preselection,
    isAttached: agent => agents.has(agent),
  })
  const channels = resolved.dense === false
    ? DEFAULT_CHANNELS
    : [...DEFAULT_CHANNELS, setUpDense(ctx, resolved.dense, agent => search.toolsOf(agent).catalog)]
  const catalogs = createCatalogStore({ families })
  const search = createAgentSearch(ctx, { surface, catalogs, retriever: createRetriever(resolved, channels) })
  const rewriterOf = resolved.rewrite === false ? undefined : createRewriters(ctx, resolved.rewrite, pending)
  const answers = createSearchAnswers({ config: resolved, search, rewriterOf, surface, selections, pending })
  const searchTool = createSearchTool({ config: resolved, answers, selections })
  const { requireDiscovery } = disclosure.dispatch
  const agents = attachToAgents(ctx, agent => disclosure.mode === 'dispatch' || disclosure.mode === 'auto'
    ? [searchTool, createDispatchTool(ctx, agent, { surface, requireDiscovery })]
    : [searchTool])
  openWebChannel(ctx, {
    inspector: createInspector({ surface, catalogs, answers, disclosure: () => disclosure }),
    isAttached: agent => agents.has(agent),
  })
}

/** A budget of 0 is none. */
function bounds<K extends string>(budget: Readonly<Record<K, number>>): Partial<Record<K, number>> {
  return Object.fromEntries(Object.entries<number>(budget).filter(([, bound]) => bound > 0)) as Partial<Record<K, number>>
}
