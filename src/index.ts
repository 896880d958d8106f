/**
 * A small tool surface plus `tool_search` for every agent of a DeepSeek Harness.
 *
 * Tools that are neither core nor configured as always visible are left out of an agent's requests until a search loads them; loaded
 * tools run by their real names through DSH's own pipeline. It registers no tool but the search, restricts no other policy, writes no
 * session event and needs no network.
 * @module dsh-tool-retriever
 */

import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import z from '@deepseek-ai/schemastery'
import { attachToAgents } from './agents.ts'
import { createCatalogStore } from './catalog/store.ts'
import { installCommand } from './command/command.ts'
import { resolveConfig } from './config.ts'
import type { Config as PluginConfig, ResolvedConfig } from './config.ts'
import { createDense } from './dense-setup.ts'
import { createLiveConfig, derived } from './live-config.ts'
import { createLazyRetriever } from './lazy-retriever.ts'
import { createInspector } from './overview/inspector.ts'
import { createRewriters } from './rewrite/rewriter.ts'
import { PROVIDER_CACHE_MS } from './selection/free-moment.ts'
import type { SelectionPolicy } from './selection/free-moment.ts'
import { createSelectionTracker } from './selection/tracker.ts'
import { createRegistryViews } from './surface/registry-view.ts'
import { createPreselection } from './surface/preselect.ts'
import { createSkillTools } from './surface/skill-tools.ts'
import { alwaysVisible as isAlwaysVisible, dispatches, installSurface } from './surface/surface.ts'
import { createSearchLog, summarizeSessions } from './telemetry.ts'
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
  const composed = resolveConfig(config)
  const { families, disclosure: { skills, dispatch: { requireDiscovery } } } = composed
  const live = createLiveConfig(ctx, composed)
  const pending = trackPending(ctx)
  const logQueries = () => composed.logQueries
  const log = createSearchLog(ctx, logQueries)
  const policy = derived(live, ({ disclosure: { mode, alwaysVisible } }) => [mode, alwaysVisible], selectionPolicy)
  const selections = createSelectionTracker(ctx, policy)
  const preselection = createPreselection(ctx, { config: () => live.current().disclosure.preselect, pending, log, search: () => search })
  const surface = installSurface(ctx, {
    live,
    selections,
    views: createRegistryViews(ctx),
    skillTools: createSkillTools(skills, families),
    preselection,
    isAttached: agent => agents.has(agent),
  })
  const dense = createDense(ctx, agent => search.toolsOf(agent).catalog)
  const retriever = derived(live, ({ rewrite, dense: embeddings }) => [rewrite, embeddings],
    current => createLazyRetriever(current, dense(current.dense)))
  const catalogs = createCatalogStore({ families })
  const search = createAgentSearch(ctx, { surface, catalogs, retriever })
  const rewriterOf = derived(live, ({ rewrite }) => [rewrite],
    ({ rewrite }) => rewrite === false ? undefined : createRewriters(ctx, rewrite, pending, logQueries))
  const answers = createSearchAnswers({ config: () => live.current(), search, rewriterOf, surface, selections, pending, log })
  const searchTool = derived(live, ({ topK }) => [topK], () => createSearchTool({ config: () => live.current(), answers, selections }))
  const agents = attachToAgents(ctx, agent => dispatches(live.current().disclosure)
    ? [searchTool(), createDispatchTool(ctx, agent, { surface, requireDiscovery })]
    : [searchTool()])
  const disclosure = () => live.current().disclosure
  const isAttached = (agent: Agent) => agents.has(agent)
  const inspector = createInspector({ surface, catalogs, answers, disclosure })
  openWebChannel(ctx, { inspector, isAttached })
  summarizeSessions(ctx, selections)
  installCommand(ctx, { inspector, search, selections, disclosure, isAttached })
  // Embeddings begin when they are asked for, not with the next search.
  retriever()
  live.onChange(() => {
    retriever()
    agents.refresh()
  })
}

/** What the reducer has to know of the configuration. */
function selectionPolicy({ disclosure }: ResolvedConfig): SelectionPolicy {
  return {
    compaction: disclosure.compaction,
    promote: disclosure.mode === 'auto',
    // Where schemas are only shown by loading them, a listing shows none.
    listingDiscovers: dispatches(disclosure) && disclosure.dispatch.statusGrantsDiscovery,
    cacheLifetimeMs: PROVIDER_CACHE_MS,
    budget: bounds(disclosure.budget),
    isExempt: isAlwaysVisible(disclosure),
  }
}

/** A budget of 0 is none. */
function bounds<K extends string>(budget: Readonly<Record<K, number>>): Partial<Record<K, number>> {
  return Object.fromEntries(Object.entries<number>(budget).filter(([, bound]) => bound > 0)) as Partial<Record<K, number>>
}
