/**
 * `tool_search` as an agent's tool: reads the agent's tools, searches them, and says which are loaded.
 * @module
 */

import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import { defineTool } from '@deepseek-ai/dsh-tools'
import type { JsonValue, ToolDefinition } from '@deepseek-ai/dsh-tools'
import type { CatalogStore } from '../catalog/store.ts'
import type { Catalog, CatalogWarning } from '../catalog/types.ts'
import { CHANNEL_IDS } from '../channels/channel.ts'
import type { ChannelId } from '../channels/channel.ts'
import type { ResolvedConfig } from '../config.ts'
import type { RankedTool, Retriever, SearchOutcome } from '../retriever.ts'
import { isSurfaceTool } from '../surface/projection.ts'
import { SEARCH_DESCRIPTION } from '../surface/search-description.ts'
import type { AgentSurface, Surface } from '../surface/surface.ts'
import { RESULT_STATUSES, SEARCH_TOOL } from './contract.ts'
import type { ResultStatus, SearchResult, SearchValue } from './contract.ts'
import { searchNotes } from './notes.ts'
import type { Pending } from './pending.ts'
import { oneLine, renderSearch } from './rendering.ts'

/** Longest description kept in a result, in UTF-16 code units; the schema has the rest. */
const RESULT_DESCRIPTION_CHARS = 300

/** Longest unknown name that is repeated, in UTF-16 code units. */
const UNKNOWN_NAME_CHARS = 80

interface SearchToolOptions {
  readonly config: ResolvedConfig
  readonly surface: Surface
  readonly catalogs: CatalogStore
  readonly retriever: Retriever
  readonly pending: Pending
}

/**
 * Builds the definition that is registered on every agent.
 * @param ctx - plugin context, for log lines.
 */
export function createSearchTool(ctx: Context, options: SearchToolOptions): ToolDefinition {
  const { config, surface, catalogs, retriever, pending } = options
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
    return toValue(outcome, before, catalog)
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
      presentationMeta: (_args, value) => value as JsonValue,
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
      return pending.run(execution.signal, signal => search(agent, query, limit, signal))
    },
  })
}

/** Completes an outcome with what loading makes of it for this agent. */
function toValue(outcome: SearchOutcome, surface: AgentSurface, catalog: Catalog): SearchValue {
  const found = outcome.results.map((tool): SearchResult => ({
    name: tool.name,
    description: oneLine(tool.description, RESULT_DESCRIPTION_CHARS),
    rank: tool.rank,
    score: tool.score,
    rrf: tool.score,
    ...channelScores(tool.channels),
    matchedFields: [...tool.matchedFields],
    status: statusOf(tool.name, surface),
  }))
  const results = [...found, ...outcome.unknownNames.map((name, index) => unavailable(name, found.length + index + 1))]
  const loaded = results.filter(result => result.status === 'loaded').length
  return {
    query: outcome.query,
    catalogSize: outcome.catalogSize,
    catalogRevision: outcome.catalogRevision,
    rewrite: { status: 'skipped', reason: 'disabled', query: '' },
    results,
    remainingDeferred: surface.deferred.size - loaded,
    notes: searchNotes(outcome, catalog),
  }
}

function statusOf(name: string, surface: AgentSurface): ResultStatus {
  if (surface.deferred.has(name)) return 'loaded'
  return surface.registry.names.has(name) && !surface.never.has(name) ? 'already_loaded' : 'unavailable'
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

function channelScores(channels: RankedTool['channels']): Record<ChannelId, number> {
  return Object.fromEntries(CHANNEL_IDS.map(id => [id, channels[id]?.score ?? 0])) as Record<ChannelId, number>
}

const number = { type: 'number', required: true } as const
const string = { type: 'string', required: true } as const

const OUTPUT_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    query: string,
    catalogSize: { type: 'integer', required: true },
    catalogRevision: string,
    rewrite: {
      type: 'object',
      required: true,
      additionalProperties: false,
      properties: { status: { type: 'string', required: true, enum: ['skipped', 'applied', 'failed'] }, reason: string, query: string },
    },
    results: {
      type: 'array',
      required: true,
      items: {
        type: 'object',
        additionalProperties: false,
        properties: {
          name: string,
          description: string,
          rank: { type: 'integer', required: true },
          score: number,
          rrf: number,
          exact: number,
          bm25: number,
          semantic: number,
          gloss: number,
          dense: number,
          matchedFields: { type: 'array', required: true, items: { type: 'string' } },
          status: { type: 'string', required: true, enum: RESULT_STATUSES },
        },
      },
    },
    remainingDeferred: { type: 'integer', required: true },
    notes: { type: 'array', required: true, items: { type: 'string' } },
  },
} as const
