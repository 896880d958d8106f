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

/** How far the best result alone may go over the budget of characters. */
const LONGEST_BEST = 4

const LISTED_NOTE = 'Listed tools match too: read one with "select:" and its name before you call it.'

/** How a search hands over what it found. */
export interface Delivery {
  /** `inject`: schemas go into the next request; `dispatch`: they are in the result. */
  readonly mode: 'inject' | 'dispatch'
  /** Characters of schemas in one result. */
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
  // Who asks by name wants to read the schema, perhaps because a compaction has taken it.
  const isKnown = (name: string): boolean => outcome.match !== 'exact' && !surface.undiscovered.has(name)
  const results = withSchemas(found, catalog, delivery, isKnown)
  const unknown = outcome.unknownNames.map((name, index) => unavailable(name, results.length + index + 1))
  const opened = results.filter(({ name, status }) => status === 'loaded' || (status === 'ready' && surface.undiscovered.has(name))).length
  return {
    query: outcome.query,
    catalogSize: outcome.catalogSize,
    catalogRevision: outcome.catalogRevision,
    rewrite: outcome.rewrite,
    results: [...results, ...unknown],
    remainingDeferred: surface.undiscovered.size - opened,
    unanswered: [...outcome.failures],
    notes: [...results.some(({ status }) => status === 'listed') ? [LISTED_NOTE] : [], ...searchNotes(outcome, catalog)],
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

/**
 * Deferred tools of the families of what was found, in catalogue order. Families that somebody configured say more of what belongs
 * together than the server or the prefix that a tool shares with others.
 */
function siblingsOf({ results }: SearchOutcome, surface: AgentSurface, { tools, families, indexByName }: Catalog): readonly string[] {
  const hits = new Set(results.flatMap(({ name }) => indexByName.get(name) ?? []))
  const configured = families.filter(({ origin, tools: members }) => origin === 'configured' && members.some(tool => hits.has(tool)))
  const grouped = new Set(configured.flatMap(family => family.tools))
  const ids = new Set([...hits].flatMap(tool => grouped.has(tool) ? [] : tools[tool]!.family ?? []))
  const members = new Set([...configured, ...families.filter(({ id }) => ids.has(id))].flatMap(family => family.tools))
  return [...members].flatMap(tool => hits.has(tool) ? [] : tools[tool]!.name)
    .filter(name => surface.deferred.has(name)).slice(0, MAX_SIBLINGS)
}

function unranked(name: string, { tools, indexByName }: Catalog, rank: number): RankedTool {
  return { name, description: tools[indexByName.get(name)!]!.description, rank, score: 0, channels: {}, matchedFields: [] }
}

/**
 * Adds the schemas of ready tools, whole ones only, while they fit; the others are listed, to be read by name. The best one is shown even
 * when it alone takes several times the budget. The budget is for what is new: a schema that the history has already is not repeated.
 */
function withSchemas(
  found: readonly SearchResult[],
  { tools, indexByName }: Catalog,
  { schemaChars }: Delivery,
  isKnown: (name: string) => boolean,
): SearchResult[] {
  let left = schemaChars
  return found.map((result): SearchResult => {
    if (result.status !== 'ready' || isKnown(result.name)) return result
    const { parameters } = tools[indexByName.get(result.name)!]!
    const { length } = JSON.stringify(parameters)
    const fits = length <= (left === schemaChars ? LONGEST_BEST * schemaChars : left)
    if (!fits) return { ...result, status: 'listed' }
    left -= length
    return { ...result, parameters: parameters as JsonValue }
  })
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
