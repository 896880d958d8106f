/**
 * What the plugin did in a session, counted from its log. Pure.
 * @module
 */

import type { Session, SessionEvent } from '@deepseek-ai/dsh-session'
import { parseArguments } from './selection/call-arguments.ts'
import { SEARCH_TOOL } from './tools/contract.ts'
import { readListing } from './tools/listing-query.ts'
import { NO_MATCH_HEADLINE } from './tools/rendering.ts'

export interface SessionStatistics {
  /** Answered requests. */
  readonly requests: number
  /** Searches that were answered, programs' searches included; listings are none. */
  readonly searches: number
  /** Those that found nothing. */
  readonly emptySearches: number
  /** Searches that were refused, failed or were cancelled. */
  readonly failedSearches: number
  /** Times that the tool list or the system prompt changed between two requests, each of which loses the provider's prefix cache. */
  readonly prefixChanges: number
}

interface Count {
  readonly statistics: SessionStatistics
  /** Queries of searches that have no result yet, by call. */
  readonly open: ReadonlyMap<string, string>
  /** Tools and system prompt of the latest request; undefined before the first. */
  readonly prefix: string | undefined
}

const NOTHING: Count = {
  statistics: { requests: 0, searches: 0, emptySearches: 0, failedSearches: 0, prefixChanges: 0 }, open: new Map(), prefix: undefined,
}

function count(state: Count, event: SessionEvent): Count {
  const { statistics } = state
  switch (event.type) {
    case 'assistant/message':
      return { ...state, statistics: { ...statistics, requests: statistics.requests + 1 } }
    case 'request/header': {
      const prefix = JSON.stringify([event.data.header.tools, event.data.header.system])
      const changes = state.prefix === undefined || state.prefix === prefix ? 0 : 1
      return { ...state, prefix, statistics: { ...statistics, prefixChanges: statistics.prefixChanges + changes } }
    }
    case 'tool/call':
      if (event.data.name !== SEARCH_TOOL) return state
      return { ...state, open: new Map(state.open).set(event.data.callId, queryOf(parseArguments(event.data.arguments))) }
    case 'tool/result': {
      if (event.surfaceOp !== undefined && event.surfaceOp !== 'append') return state
      const [{ toolCallId, content, isError }] = event.data.message.content
      const query = state.open.get(toolCallId)
      if (query === undefined) return state
      const open = new Map(state.open)
      open.delete(toolCallId)
      return { ...state, open, statistics: withSearch(statistics, query, isError === true, textOf(content)) }
    }
    case 'tool/code-dispatch': {
      const { name, arguments: args, isError, content } = event.data
      return name === SEARCH_TOOL ? { ...state, statistics: withSearch(statistics, queryOf(args), isError, textOf(content)) } : state
    }
    default:
      return state
  }
}

function withSearch(statistics: SessionStatistics, query: string, isError: boolean, answer: string): SessionStatistics {
  if (isError) return { ...statistics, failedSearches: statistics.failedSearches + 1 }
  if (readListing(query.trim()) !== undefined) return statistics
  const isEmpty = answer.startsWith(NO_MATCH_HEADLINE)
  return { ...statistics, searches: statistics.searches + 1, emptySearches: statistics.emptySearches + (isEmpty ? 1 : 0) }
}

function textOf(content: readonly { readonly type: string; readonly text?: string }[]): string {
  return content.map(({ text = '' }) => text).join('\n')
}

function queryOf(args: unknown): string {
  const query = typeof args === 'object' && args !== null ? (args as { query?: unknown }).query : undefined
  return typeof query === 'string' ? query : ''
}

/** Counts what a session did itself: a fork begins with the events of its parent, which are not its own. */
export function statisticsOf({ events, header }: Pick<Session, 'events' | 'header'>): SessionStatistics {
  const seedLength = header.seedLength ?? 0
  const { prefix } = events.slice(0, seedLength).reduce(count, NOTHING)
  return events.slice(seedLength).reduce(count, { ...NOTHING, prefix }).statistics
}
