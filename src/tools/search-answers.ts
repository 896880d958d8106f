/**
 * The answer to one query of one agent: checked, searched, and completed with what this agent gets. The tool and every preview of it go
 * through here, so what a person is shown is what the model gets.
 * @module
 */

import type { Agent } from '@deepseek-ai/dsh-agent'
import type { ResolvedConfig } from '../config.ts'
import type { Explanation, SearchOutcome } from '../retriever.ts'
import type { Rewriter } from '../rewrite/types.ts'
import type { SelectionTracker } from '../selection/tracker.ts'
import type { Surface } from '../surface/surface.ts'
import type { SearchLog } from '../telemetry.ts'
import type { AgentSearch, AgentTools } from './agent-search.ts'
import { SEARCH_TOOL } from './contract.ts'
import type { SearchValue } from './contract.ts'
import { readListing } from './listing-query.ts'
import { listFamilies } from './listing.ts'
import { historyNotes } from './notes.ts'
import type { Pending } from './pending.ts'
import { toSearchValue } from './search-value.ts'

/** An answer with what explains it; a listing has no explanation. */
export interface ExplainedValue {
  readonly value: SearchValue
  readonly outcome?: SearchOutcome
  readonly explanations?: readonly Explanation[]
}

export interface SearchAnswers {
  /**
   * @param limit - results at most; clamped to what is allowed, all of it when left out.
   * @throws Error for a blank or too long query, and what the signal was aborted with.
   */
  answer(agent: Agent, query: string, signal: AbortSignal, limit?: number): Promise<SearchValue>
  /** As {@link answer}, with the reasons of the ranking. */
  explain(agent: Agent, query: string, signal: AbortSignal): Promise<ExplainedValue>
}

interface SearchAnswersOptions {
  /** As it is now. */
  readonly config: () => Pick<ResolvedConfig, 'topK' | 'maxQueryChars' | 'disclosure'>
  readonly search: AgentSearch
  /** Other words for an agent's queries; undefined when they are turned off. */
  readonly rewriterOf: () => ((agent: Agent) => Rewriter) | undefined
  readonly surface: Surface
  readonly selections: SelectionTracker
  readonly pending: Pending
  readonly log: SearchLog
}

export function createSearchAnswers(options: SearchAnswersOptions): SearchAnswers {
  const { config, search, rewriterOf, surface, selections, pending, log } = options

  function check(raw: string): string {
    const { maxQueryChars } = config()
    const query = raw.trim()
    if (query === '') throw new Error(`${SEARCH_TOOL}: "query" is blank; say in a few words what you want to do`)
    if (query.length > maxQueryChars) {
      throw new Error(`${SEARCH_TOOL}: "query" has ${query.length} characters, at most ${maxQueryChars} are allowed; `
        + 'say in a few words what you want to do, without the data')
    }
    return query
  }

  function complete(agent: Agent, query: string, tools: AgentTools, outcome: SearchOutcome): SearchValue {
    const { expand, dispatch: { schemaChars } } = config().disclosure
    const value = toSearchValue(outcome, tools, { mode: surface.deliveryFor(agent), schemaChars, expand })
    return { ...value, notes: [...value.notes, ...historyNotes(query, value, selections.of(agent.session))] }
  }

  return {
    async answer(agent, raw, signal, limit = Infinity) {
      const query = check(raw)
      return pending.run(signal, async (running) => {
        const tools = search.toolsOf(agent)
        const listing = readListing(query)
        if (listing !== undefined) return listFamilies(tools, query, listing)
        const bounded = Math.min(Math.max(limit, 1), config().topK)
        const outcome = await log.run(agent, 'tool_search', query, () => search.search(tools, query, bounded, running, rewriterOf()?.(agent)))
        return complete(agent, query, tools, outcome)
      })
    },
    async explain(agent, raw, signal) {
      const query = check(raw)
      return pending.run(signal, async (running) => {
        const tools = search.toolsOf(agent)
        const listing = readListing(query)
        if (listing !== undefined) return { value: listFamilies(tools, query, listing) }
        let explanations: readonly Explanation[] = []
        const outcome = await log.run(agent, 'preview', query, async () => {
          const explained = await search.explain(tools, query, config().topK, running, rewriterOf()?.(agent))
          explanations = explained.explanations
          return explained.outcome
        })
        return { value: complete(agent, query, tools, outcome), outcome, explanations }
      })
    },
  }
}
