/**
 * `tool_search` as an agent's tool: reads the agent's tools, searches them, and says which are loaded.
 * @module
 */

import { defineTool } from '@deepseek-ai/dsh-tools'
import type { ToolDefinition } from '@deepseek-ai/dsh-tools'
import type { ResolvedConfig } from '../config.ts'
import type { SelectionTracker } from '../selection/tracker.ts'
import { SEARCH_DESCRIPTION } from '../surface/search-description.ts'
import { SEARCH_TOOL } from './contract.ts'
import type { SearchValue } from './contract.ts'
import { OUTPUT_SCHEMA } from './output-schema.ts'
import { renderSearch } from './rendering.ts'
import type { SearchAnswers } from './search-answers.ts'

interface SearchToolOptions {
  /** As it is now. */
  readonly config: () => Pick<ResolvedConfig, 'topK' | 'disclosure'>
  readonly answers: SearchAnswers
  readonly selections: SelectionTracker
}

/**
 * Builds the definition that is registered on agents. It names the bound of `limit` as it is now: an agent keeps the schema it got, since a
 * new one would make everything behind it uncached, and a limit beyond the bound is clamped anyway.
 */
export function createSearchTool({ config, answers, selections }: SearchToolOptions): ToolDefinition {
  return defineTool({
    name: SEARCH_TOOL,
    description: SEARCH_DESCRIPTION,
    parameters: {
      query: { type: 'string', required: true, description: 'The task in any language, or "select:" and exact names.' },
      limit: { type: 'integer', description: `Most results, 1 to ${config().topK}.` },
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
      const { agent } = execution
      const { fruitless } = selections.of(agent.session)
      if (fruitless.length >= config().disclosure.maxFruitlessSearches) {
        throw new Error(`${SEARCH_TOOL}: ${fruitless.length} searches in this turn brought nothing new, so the tools that you need are not there. `
          + 'Go on with the tools that you have, or tell the user what is missing.')
      }
      return answers.answer(agent, args.query, execution.signal, args.limit)
    },
  })
}
