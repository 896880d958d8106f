/**
 * `tool_search` as an agent's tool: reads the agent's tools, searches them, and says which are loaded.
 * @module
 */

import type { Agent } from '@deepseek-ai/dsh-agent'
import { defineTool } from '@deepseek-ai/dsh-tools'
import type { ToolDefinition } from '@deepseek-ai/dsh-tools'
import type { ResolvedConfig } from '../config.ts'
import type { Rewriter } from '../rewrite/types.ts'
import type { SelectionTracker } from '../selection/tracker.ts'
import { SEARCH_DESCRIPTION } from '../surface/search-description.ts'
import type { Surface } from '../surface/surface.ts'
import type { AgentSearch } from './agent-search.ts'
import { SEARCH_TOOL } from './contract.ts'
import type { SearchValue } from './contract.ts'
import { readListing } from './listing-query.ts'
import { listFamilies } from './listing.ts'
import { historyNotes } from './notes.ts'
import { OUTPUT_SCHEMA } from './output-schema.ts'
import type { Pending } from './pending.ts'
import { renderSearch } from './rendering.ts'
import { toSearchValue } from './search-value.ts'

interface SearchToolOptions {
  readonly config: Pick<ResolvedConfig, 'topK' | 'maxQueryChars' | 'disclosure'>
  readonly search: AgentSearch
  /** Other words for an agent's queries; undefined when they are turned off. */
  readonly rewriterOf: ((agent: Agent) => Rewriter) | undefined
  readonly surface: Surface
  readonly selections: SelectionTracker
  readonly pending: Pending
}

/** Builds the definition that is registered on every agent. */
export function createSearchTool({ config, search, rewriterOf, surface, selections, pending }: SearchToolOptions): ToolDefinition {
  const { disclosure, topK, maxQueryChars } = config
  const { expand, dispatch: { schemaChars } } = disclosure

  async function answer(agent: Agent, query: string, limit: number, signal: AbortSignal): Promise<SearchValue> {
    const tools = search.toolsOf(agent)
    const listing = readListing(query)
    if (listing !== undefined) return listFamilies(tools, query, listing)
    const outcome = await search.search(tools, query, limit, signal, rewriterOf?.(agent))
    const value = toSearchValue(outcome, tools, { mode: surface.deliveryFor(agent), schemaChars, expand })
    return { ...value, notes: [...value.notes, ...historyNotes(query, value, selections.of(agent.session))] }
  }

  return defineTool({
    name: SEARCH_TOOL,
    description: SEARCH_DESCRIPTION,
    parameters: {
      query: { type: 'string', required: true, description: 'The task in any language, or "select:" and exact names.' },
      limit: { type: 'integer', description: `Most results, 1 to ${topK}.` },
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
      if (query.length > maxQueryChars) {
        throw new Error(`${SEARCH_TOOL}: "query" has ${query.length} characters, at most ${maxQueryChars} are allowed; `
          + 'say in a few words what you want to do, without the data')
      }
      const limit = Math.min(Math.max(args.limit ?? topK, 1), topK)
      const { agent } = execution
      const { fruitless } = selections.of(agent.session)
      if (fruitless.length >= disclosure.maxFruitlessSearches) {
        throw new Error(`${SEARCH_TOOL}: ${fruitless.length} searches in this turn brought nothing new, so the tools that you need are not there. `
          + 'Go on with the tools that you have, or tell the user what is missing.')
      }
      return pending.run(execution.signal, signal => answer(agent, query, limit, signal))
    },
  })
}
