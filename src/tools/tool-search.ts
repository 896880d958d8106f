/**
 * `tool_search` as an agent's tool: reads the agent's tools, searches them, and says which are loaded.
 * @module
 */

import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import { defineTool } from '@deepseek-ai/dsh-tools'
import type { ToolDefinition } from '@deepseek-ai/dsh-tools'
import type { CatalogStore } from '../catalog/store.ts'
import type { Catalog, CatalogWarning } from '../catalog/types.ts'
import type { ResolvedConfig } from '../config.ts'
import type { Retriever } from '../retriever.ts'
import type { SelectionTracker } from '../selection/tracker.ts'
import { SEARCH_DESCRIPTION } from '../surface/search-description.ts'
import type { AgentSurface, Surface } from '../surface/surface.ts'
import { isSurfaceTool, SEARCH_TOOL } from './contract.ts'
import type { SearchValue } from './contract.ts'
import { historyNotes } from './notes.ts'
import { OUTPUT_SCHEMA } from './output-schema.ts'
import type { Pending } from './pending.ts'
import { oneLine, renderSearch } from './rendering.ts'
import { toSearchValue } from './search-value.ts'
import type { Delivery } from './search-value.ts'

interface SearchToolOptions {
  readonly config: ResolvedConfig
  readonly surface: Surface
  readonly selections: SelectionTracker
  readonly catalogs: CatalogStore
  readonly retriever: Retriever
  readonly pending: Pending
}

/**
 * Builds the definition that is registered on every agent.
 * @param ctx - plugin context, for log lines.
 */
export function createSearchTool(ctx: Context, options: SearchToolOptions): ToolDefinition {
  const { config, surface, selections, catalogs, retriever, pending } = options
  const { disclosure } = config
  const delivery: Delivery = {
    mode: disclosure.mode === 'dispatch' ? 'dispatch' : 'inject',
    schemaChars: disclosure.dispatch.schemaChars,
    expand: disclosure.expand,
  }
  const warned = new Set<string>()

  function warn({ tool, reason }: CatalogWarning): void {
    const line = `dsh-tool-retriever: tool "${oneLine(tool, 100)}": ${reason}`
    if (warned.has(line)) return
    warned.add(line)
    ctx.logger.warn(line)
  }

  function catalogOf({ registry, never }: AgentSurface): Catalog {
    const catalog = catalogs.snapshot(registry.schemas.filter(schema => !isSurfaceTool(schema.name) && !never.has(schema.name)))
    catalog.warnings.forEach(warn)
    return catalog
  }

  async function search(agent: Agent, query: string, limit: number, signal: AbortSignal): Promise<SearchValue> {
    const before = surface.of(agent)
    const catalog = catalogOf(before)
    const outcome = await retriever.search(catalog, { query, limit, signal })
    const value = toSearchValue(outcome, before, catalog, delivery)
    return { ...value, notes: [...value.notes, ...historyNotes(query, value, selections.of(agent.session))] }
  }

  return defineTool({
    name: SEARCH_TOOL,
    description: SEARCH_DESCRIPTION,
    parameters: {
      query: { type: 'string', required: true, description: 'What you want to do, or "select:" and exact tool names.' },
      limit: { type: 'integer', description: `How many tools to load at most (1 to ${config.topK}, default ${config.topK}).` },
    },
    output: {
      schema: OUTPUT_SCHEMA,
      render: (_args, value) => [{ type: 'text', text: renderSearch(value as unknown as SearchValue) }],
      // The log keeps only this of a result: what the reducer reads on resume and fork.
      presentationMeta: (_args, value) => ({ ...value, results: value.results.map(({ parameters: _schema, ...result }) => result) }),
    },
    isConcurrencySafe: () => true,
    async execute(args, execution) {
      if (execution.agent === undefined) throw new Error(`${SEARCH_TOOL} searches the tools of an agent, and this call has none`)
      const query = args.query.trim()
      if (query === '') throw new Error(`${SEARCH_TOOL}: "query" is blank; say in a few words what you want to do`)
      if (query.length > config.maxQueryChars) {
        throw new Error(`${SEARCH_TOOL}: "query" has ${query.length} characters, at most ${config.maxQueryChars} are allowed; `
          + 'say in a few words what you want to do, without the data')
      }
      const limit = Math.min(Math.max(args.limit ?? config.topK, 1), config.topK)
      const { agent } = execution
      const { fruitless } = selections.of(agent.session)
      if (fruitless.length >= disclosure.maxFruitlessSearches) {
        throw new Error(`${SEARCH_TOOL}: ${fruitless.length} searches in this turn brought nothing new, so the tools that you need are not there. `
          + 'Go on with the tools that you have, or tell the user what is missing.')
      }
      return pending.run(execution.signal, signal => search(agent, query, limit, signal))
    },
  })
}
