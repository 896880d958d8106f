/**
 * From what the retriever found to what this agent gets of it.
 * @module
 */

import type { JsonValue } from '@deepseek-ai/dsh-tools'
import type { Catalog } from '../catalog/types.ts'
import { CHANNEL_IDS } from '../channels/channel.ts'
import type { ChannelId } from '../channels/channel.ts'
import type { RankedTool, SearchOutcome } from '../retriever.ts'
import type { AgentSurface } from '../surface/surface.ts'
import type { AgentTools } from './agent-search.ts'
import type { ResultStatus, SearchResult, SearchValue } from './contract.ts'
import { searchNotes } from './notes.ts'
import { oneLine } from './rendering.ts'

/** Longest description kept in a result, in UTF-16 code units; the schema has the rest. */
const RESULT_DESCRIPTION_CHARS = 300

/** Longest unknown name that is repeated, in UTF-16 code units. */
const UNKNOWN_NAME_CHARS = 80

/** Siblings that one search brings along at most: a server with hundreds of tools is not loaded whole by one hit. */
const MAX_SIBLINGS = 24

/** How a search hands over what it found. */
export interface Delivery {
  /** `inject`: schemas go into the next request; `dispatch`: they are in the result. */
  readonly mode: 'inject' | 'dispatch'
  /** Characters of schemas in one result; whole definitions only. */
  readonly schemaChars: number
  /** Whether a hit brings its family along. */
  readonly expand: 'tool' | 'family'
}

/** Completes an outcome with what loading makes of it for this agent. */
export function toSearchValue(outcome: SearchOutcome, { surface, catalog }: AgentTools, delivery: Delivery): SearchValue {
  // Weak matches are named, not loaded: a wrong schema costs tokens in every request to come.
  const ranked = outcome.match === 'weak' ? [] : outcome.results.map(tool => toResult(tool, surface, delivery))
  const siblings = delivery.expand === 'family' && ranked.length > 0 ? siblingsOf(outcome, surface, catalog) : []
  const found = [
    ...ranked,
    ...siblings.map((name, index) => toResult(unranked(name, catalog, ranked.length + index + 1), surface, delivery)),
  ]
  const { results, tooLong } = withSchemas(found, catalog, delivery)
  const unknown = outcome.unknownNames.map((name, index) => unavailable(name, results.length + index + 1))
  const opened = results.filter(({ name, status }) => status === 'loaded' || (status === 'ready' && surface.undiscovered.has(name))).length
  return {
    query: outcome.query,
    catalogSize: outcome.catalogSize,
    catalogRevision: outcome.catalogRevision,
    rewrite: { status: 'skipped', reason: 'disabled', query: '' },
    results: [...results, ...unknown],
    remainingDeferred: surface.undiscovered.size - opened,
    notes: [...tooLongNotes(tooLong, results.length > 0), ...searchNotes(outcome, catalog)],
  }
}

function toResult(tool: RankedTool, surface: AgentSurface, { mode }: Delivery): SearchResult {
  return {
    name: tool.name,
    description: oneLine(tool.description, RESULT_DESCRIPTION_CHARS),
    rank: tool.rank,
    score: tool.score,
    rrf: tool.score,
    ...channelScores(tool.channels),
    matchedFields: [...tool.matchedFields],
    status: statusOf(tool.name, surface, mode),
  }
}

function statusOf(name: string, surface: AgentSurface, mode: Delivery['mode']): ResultStatus {
  if (surface.deferred.has(name)) return mode === 'inject' ? 'loaded' : 'ready'
  return surface.registry.names.has(name) && !surface.never.has(name) ? 'already_loaded' : 'unavailable'
}

/** Deferred tools of the families of what was found, in catalogue order. */
function siblingsOf({ results }: SearchOutcome, surface: AgentSurface, { tools, families, indexByName }: Catalog): readonly string[] {
  const hits = new Set(results.map(({ name }) => name))
  const ids = new Set([...hits].flatMap(name => tools[indexByName.get(name) ?? -1]?.family ?? []))
  const members = families.filter(({ id }) => ids.has(id)).flatMap(family => family.tools.map(index => tools[index]!.name))
  return [...new Set(members)].filter(name => !hits.has(name) && surface.deferred.has(name)).slice(0, MAX_SIBLINGS)
}

function unranked(name: string, { tools, indexByName }: Catalog, rank: number): RankedTool {
  return { name, description: tools[indexByName.get(name)!]!.description, rank, score: 0, channels: {}, matchedFields: [] }
}

/** Adds the schemas of ready tools while they fit; a tool whose schema does not fit is not ready. */
function withSchemas(found: readonly SearchResult[], catalog: Catalog, { schemaChars }: Delivery): {
  readonly results: SearchResult[]
  readonly tooLong: readonly string[]
} {
  const tooLong: string[] = []
  let left = schemaChars
  const results = found.flatMap((result): SearchResult[] => {
    if (result.status !== 'ready') return [result]
    const { parameters } = catalog.tools[catalog.indexByName.get(result.name)!]!
    const length = JSON.stringify(parameters).length
    if (length > left) {
      tooLong.push(result.name)
      return []
    }
    left -= length
    return [{ ...result, parameters: parameters as JsonValue }]
  })
  return { results: results.map((result, index) => ({ ...result, rank: index + 1 })), tooLong }
}

function tooLongNotes(names: readonly string[], others: boolean): readonly string[] {
  if (names.length === 0) return []
  return [others
    ? `Also found, too long to show with the others: ${names.join(', ')}. Read one alone with "select:" and its name.`
    : `Found, but the definition is over the limit of one result (disclosure.dispatch.schemaChars): ${names.join(', ')}.`]
}

/** A name that was asked for and that this agent has not. */
function unavailable(name: string, rank: number): SearchResult {
  return {
    name: oneLine(name, UNKNOWN_NAME_CHARS),
    description: '',
    rank,
    score: 0,
    rrf: 0,
    ...channelScores({}),
    matchedFields: [],
    status: 'unavailable',
  }
}

export function channelScores(channels: RankedTool['channels']): Record<ChannelId, number> {
  return Object.fromEntries(CHANNEL_IDS.map(id => [id, channels[id]?.score ?? 0])) as Record<ChannelId, number>
}
