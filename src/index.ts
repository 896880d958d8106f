/**
 * A small tool surface plus `tool_search` for every agent of a DeepSeek Harness.
 *
 * Tools that are neither core nor configured as always visible are left out of an agent's requests until a search loads them; loaded
 * tools run by their real names through DSH's own pipeline. It registers no tool but the search, restricts no other policy, writes no
 * session event and needs no network.
 * @module dsh-tool-retriever
 */

import type { Context } from '@deepseek-ai/cordis'
import { attachToAgents } from './agents.ts'
import { createCatalogStore } from './catalog/store.ts'
import { resolveConfig } from './config.ts'
import type { Config as PluginConfig } from './config.ts'
import { createRetriever } from './retriever.ts'
import { createSelectionTracker } from './selection/tracker.ts'
import { createRegistryViews } from './surface/registry-view.ts'
import { installSurface } from './surface/surface.ts'
import { createSearchTool } from './tools/tool-search.ts'
import { trackPending } from './tools/pending.ts'

export { Config } from './config.ts'

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
  const selections = createSelectionTracker(ctx)
  const views = createRegistryViews(ctx)
  const surface = installSurface(ctx, {
    disclosure: resolved.disclosure,
    selections,
    views,
    isAttached: agent => agents.has(agent),
  })
  const search = createSearchTool(ctx, {
    config: resolved,
    surface,
    catalogs: createCatalogStore({ families: resolved.families }),
    retriever: createRetriever(resolved),
    pending,
  })
  const agents = attachToAgents(ctx, search)
}
