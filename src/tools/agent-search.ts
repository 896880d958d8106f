/**
 * Searches the tools of one agent: registry, catalogue, retriever.
 * @module
 */

import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { CatalogStore } from '../catalog/store.ts'
import type { Catalog, CatalogWarning } from '../catalog/types.ts'
import type { Explanation, Retriever, SearchOutcome } from '../retriever.ts'
import type { Rewriter } from '../rewrite/types.ts'
import type { AgentSurface, Surface } from '../surface/surface.ts'
import { isSurfaceTool } from '../surface/surface-tools.ts'
import { oneLine } from './rendering.ts'

/** What an agent has, as it was when it was searched. */
export interface AgentTools {
  readonly surface: AgentSurface
  readonly catalog: Catalog
}

export interface ExplainedSearch {
  readonly outcome: SearchOutcome
  readonly explanations: readonly Explanation[]
}

export interface AgentSearch {
  /** Everything that a search of this agent can find, visible tools included. */
  toolsOf(agent: Agent): AgentTools
  /** @param rewriter - asked for other words where that can help; without one no model is asked. */
  search(tools: AgentTools, query: string, limit: number, signal: AbortSignal, rewriter?: Rewriter): Promise<SearchOutcome>
  /** As {@link search}, with why each result stands where it stands. */
  explain(tools: AgentTools, query: string, limit: number, signal: AbortSignal, rewriter?: Rewriter): Promise<ExplainedSearch>
}

interface AgentSearchOptions {
  readonly surface: Surface
  readonly catalogs: CatalogStore
  /** The one of the configuration as it is now. */
  readonly retriever: () => Pick<Retriever, 'search' | 'explain'>
}

/** @param ctx - plugin context, for one log line about each tool that can't be indexed whole. */
export function createAgentSearch(ctx: Context, { surface, catalogs, retriever }: AgentSearchOptions): AgentSearch {
  const warned = new Set<string>()

  function warn({ tool, reason }: CatalogWarning): void {
    const line = `dsh-tool-retriever: tool "${oneLine(tool, 100)}": ${reason}`
    if (warned.has(line)) return
    warned.add(line)
    ctx.logger.warn(line)
  }

  return {
    toolsOf(agent) {
      const now = surface.of(agent)
      const catalog = catalogs.snapshot(now.registry.schemas.filter(({ name }) => !isSurfaceTool(name) && !now.never.has(name)))
      catalog.warnings.forEach(warn)
      return { surface: now, catalog }
    },
    search: ({ catalog }, query, limit, signal, rewriter) => retriever().search(catalog, { query, limit, signal, rewriter }),
    explain: ({ catalog }, query, limit, signal, rewriter) => retriever().explain(catalog, { query, limit, signal, rewriter }),
  }
}
