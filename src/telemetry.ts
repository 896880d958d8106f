/**
 * What a person can read of searches in DSH's log. Everything stays on this machine, and what was searched for stays out of it unless
 * `logQueries` is on.
 * @module
 */

import { createHmac, randomBytes } from 'node:crypto'
import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { SearchOutcome } from './retriever.ts'
import type { SelectionTracker } from './selection/tracker.ts'
import { statisticsOf } from './session-statistics.ts'

/** Why a search was made. */
export type SearchCause = 'tool_search' | 'preselect' | 'preview'

export interface SearchLog {
  /** Runs a search and writes one debug line about it, whether it ends well or not. */
  run(agent: Agent, cause: SearchCause, query: string, search: () => Promise<SearchOutcome>): Promise<SearchOutcome>
  /** A query as it may stand in a log. */
  redact(text: string): string
}

/** Results that a line names. */
const MOST_NAMES = 5

/** Hex digits of a hash: enough to tell the queries of a session apart. */
const HASH_DIGITS = 12

/**
 * @param ctx - plugin context.
 * @param logQueries - whether queries may stand in the log as they are.
 */
export function createSearchLog(ctx: Context, logQueries: () => boolean): SearchLog {
  // With a key of this process alone a hash tells that two queries are the same, and can't be looked up in a list of likely ones.
  const key = randomBytes(32)

  function redact(text: string): string {
    return logQueries() ? JSON.stringify(text) : `#${createHmac('sha256', key).update(text).digest('hex').slice(0, HASH_DIGITS)}`
  }

  function write(agent: Agent, cause: SearchCause, query: string, startedAt: number, result: string): void {
    ctx.logger.debug(`dsh-tool-retriever: ${cause} of agent "${agent.id}", query ${redact(query)}: ${result}; ${Math.round(performance.now() - startedAt)} ms`)
  }

  return {
    redact,
    async run(agent, cause, query, search) {
      const startedAt = performance.now()
      try {
        const outcome = await search()
        write(agent, cause, query, startedAt, describe(outcome))
        return outcome
      } catch (error: unknown) {
        write(agent, cause, query, startedAt, error instanceof Error ? error.name : 'failed')
        throw error
      }
    },
  }
}

function describe({ match, confidence, results, rewrite, failures, catalogSize }: SearchOutcome): string {
  const names = results.slice(0, MOST_NAMES).map(({ name }) => name).join(', ')
  return [
    match === 'none' ? 'nothing' : `${match} ${confidence.toFixed(2)}, ${results.length} of ${catalogSize}: ${names}${results.length > MOST_NAMES ? ', …' : ''}`,
    `rewrite ${rewrite.status} (${rewrite.reason})`,
    ...failures.map(({ channel, state }) => `${channel} ${state}`),
  ].join('; ')
}

/**
 * Writes one line when a session ends: in the open when it searched, else for debugging.
 * @param ctx - plugin context; the listener goes with it.
 */
export function summarizeSessions(ctx: Context, selections: SelectionTracker): void {
  ctx.on('agent/disposed', ({ agent }) => {
    const { requests, searches, emptySearches, failedSearches, prefixChanges } = statisticsOf(agent.session)
    const { names, discovered } = selections.of(agent.session)
    const loaded = new Set([...names, ...discovered]).size
    ctx.logger[searches + failedSearches > 0 ? 'info' : 'debug'](`dsh-tool-retriever: session "${agent.id}" ended. Requests ${requests}, `
      + `searches ${searches} (empty ${emptySearches}, failed ${failedSearches}), tools loaded ${loaded}, prefix changes ${prefixChanges}.`)
  })
}
