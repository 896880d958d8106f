/**
 * Plan, channels, fusion, results: the only place that knows every channel.
 * @module
 */

import { FIELDS } from './catalog/types.ts'
import type { Catalog, Field } from './catalog/types.ts'
import { createBm25Channel } from './channels/bm25.ts'
import type { Channel, ChannelId, ChannelIndex, ChannelRanking, TermContribution } from './channels/channel.ts'
import { fuse } from './fusion.ts'
import type { FusedTool } from './fusion.ts'
import type { QueryPlan } from './query/plan.ts'
import { planQuery } from './query/planner.ts'

/** Retrieval settings; every one has a default in `config.ts`. */
export interface RetrievalConfig {
  readonly bm25K1: number
  readonly bm25B: Readonly<Record<Field, number>>
  readonly fieldWeights: Readonly<Record<Field, number>>
  readonly fusion: {
    /** The constant k of reciprocal rank fusion. */
    readonly rankConstant: number
    readonly weights: Readonly<Record<ChannelId, number>>
  }
}

/** A channel's place for one result. */
export interface ChannelPlace {
  /** 1 is best. */
  readonly rank: number
  readonly score: number
}

/** One tool of an answer. */
export interface RankedTool {
  readonly name: string
  readonly description: string
  /** 1 is best. */
  readonly rank: number
  /** The fused score the order comes from. */
  readonly score: number
  readonly channels: Readonly<Partial<Record<ChannelId, ChannelPlace>>>
  readonly matchedFields: readonly Field[]
}

/** A channel that could not answer; the others did. */
export interface ChannelFailure {
  readonly channel: ChannelId
  readonly reason: string
}

/** What a search found. */
export interface SearchOutcome {
  readonly query: string
  readonly catalogSize: number
  readonly catalogRevision: string
  readonly results: readonly RankedTool[]
  /** `exact`: a name was asked for; `ranked`: evidence; `weak`: listed but too thin to load by itself; `none`. */
  readonly match: 'exact' | 'ranked' | 'weak' | 'none'
  /** Names that were asked for and do not exist. */
  readonly unknownNames: readonly string[]
  /** Short names that more than one tool has, with the full names. */
  readonly ambiguous: readonly { readonly name: string; readonly candidates: readonly string[] }[]
  /** For an empty answer: the names nearest to the query, best first, at most five. */
  readonly nearest: readonly string[]
  readonly failures: readonly ChannelFailure[]
}

/** Why a tool of an answer stands where it stands. */
export interface Explanation {
  readonly result: RankedTool
  /** Share of the fused score by channel; the shares add up to 1. */
  readonly shares: Readonly<Partial<Record<ChannelId, number>>>
  readonly terms: Readonly<Partial<Record<ChannelId, readonly TermContribution[]>>>
}

export interface SearchRequest {
  readonly query: string
  /** How many results at most, 1 or more. */
  readonly limit: number
  readonly signal?: AbortSignal | undefined
}

export interface Retriever {
  /** Builds what a search of this catalogue needs, if it is not built yet. */
  prepare(catalog: Catalog): void
  search(catalog: Catalog, request: SearchRequest): Promise<SearchOutcome>
  explain(catalog: Catalog, request: SearchRequest): Promise<{ outcome: SearchOutcome; explanations: readonly Explanation[] }>
}

/** Makes the channel of one id; called at the first search that can use it. */
export type ChannelFactory = (config: RetrievalConfig) => Channel

/** Channels in the order in which their failures are reported. */
export const DEFAULT_CHANNELS: readonly ChannelFactory[] = [
  createBm25Channel,
]

/** How many tools of each channel the fusion sees at least. */
const FUSION_DEPTH = 100

/** Below this strength of the best evidence nothing is found; below the second it is listed but not loaded by itself. */
const NO_MATCH = 0.2
const WEAK_MATCH = 0.4

/** First words of names whose effect cannot be taken back. */
const DESTRUCTIVE = /^(?:delete|remove|drop|destroy|purge|erase|wipe|truncate|kill|terminate|revoke|uninstall|clear|reset|cancel)$/

interface ChannelAnswer {
  readonly channel: ChannelId
  readonly ranking: ChannelRanking
}

/**
 * @param config - checked settings.
 * @param channels - the channels to use; the default is all that need no network.
 */
export function createRetriever(config: RetrievalConfig, channels: readonly ChannelFactory[] = DEFAULT_CHANNELS): Retriever {
  const made = channels.map(create => create(config))
  const indexes = new WeakMap<Catalog, Map<ChannelId, ChannelIndex>>()

  function indexOf(channel: Channel, catalog: Catalog): ChannelIndex {
    let byChannel = indexes.get(catalog)
    if (byChannel === undefined) indexes.set(catalog, byChannel = new Map<ChannelId, ChannelIndex>())
    let index = byChannel.get(channel.id)
    if (index === undefined) byChannel.set(channel.id, index = channel.index(catalog))
    return index
  }

  async function answers(catalog: Catalog, plan: QueryPlan, limit: number, signal: AbortSignal | undefined): Promise<{
    found: ChannelAnswer[]
    failures: ChannelFailure[]
  }> {
    const found: ChannelAnswer[] = []
    const failures: ChannelFailure[] = []
    for (const channel of made) {
      try {
        found.push({ channel: channel.id, ranking: await indexOf(channel, catalog).search(plan, limit, signal) })
      } catch (error) {
        signal?.throwIfAborted()
        failures.push({ channel: channel.id, reason: error instanceof Error ? error.message : String(error) })
      }
    }
    return { found, failures }
  }

  async function rank(catalog: Catalog, { query, limit, signal }: SearchRequest): Promise<{
    outcome: SearchOutcome
    fused: readonly FusedTool[]
    found: readonly ChannelAnswer[]
  }> {
    const plan = planQuery(query)
    const { found, failures } = await answers(catalog, plan, Math.max(limit, FUSION_DEPTH), signal)
    const fused = fuse(
      found.map(({ channel, ranking: { tools, scores } }) => ({ channel, weight: config.fusion.weights[channel], tools, scores })),
      { rankConstant: config.fusion.rankConstant, isDestructive: tool => isDestructive(catalog.tools[tool]!.leafName) },
    ).slice(0, limit)
    const strength = Math.max(0, ...found.map(({ ranking }) => ranking.tools.length === 0 ? 0 : ranking.strength ?? 1))
    const match = strength < NO_MATCH ? 'none' : strength < WEAK_MATCH ? 'weak' : 'ranked'
    const outcome: SearchOutcome = {
      query,
      catalogSize: catalog.tools.length,
      catalogRevision: catalog.revision,
      results: match === 'none' ? [] : fused.map((entry, at) => rankedTool(catalog, entry, at + 1, found)),
      match,
      unknownNames: [],
      ambiguous: [],
      nearest: match === 'none' ? fused.slice(0, 5).map(({ tool }) => catalog.tools[tool]!.name) : [],
      failures,
    }
    return { outcome, fused, found }
  }

  return {
    prepare(catalog) {
      for (const channel of made) indexOf(channel, catalog)
    },
    async search(catalog, request) {
      return (await rank(catalog, request)).outcome
    },
    async explain(catalog, request) {
      const { outcome, fused, found } = await rank(catalog, request)
      const explanations = outcome.results.map((result, at) => ({
        result,
        shares: sharesOf(fused[at]!, config),
        terms: Object.fromEntries(found
          .filter(({ channel }) => fused[at]!.ranks[channel] !== undefined)
          .map(({ channel, ranking }) => [channel, ranking.explain(fused[at]!.tool)])),
      }))
      return { outcome, explanations }
    },
  }
}

function isDestructive(leafName: string): boolean {
  return leafName.split(/[^A-Za-z]+|(?=[A-Z])/).some(word => DESTRUCTIVE.test(word.toLowerCase()))
}

function rankedTool(catalog: Catalog, { tool, score, ranks }: FusedTool, rank: number, found: readonly ChannelAnswer[]): RankedTool {
  const { name, description } = catalog.tools[tool]!
  const channels: Partial<Record<ChannelId, ChannelPlace>> = {}
  const matched = new Set<Field>()
  for (const { channel, ranking } of found) {
    const place = ranks[channel]
    if (place === undefined) continue
    channels[channel] = { rank: place, score: ranking.scores[Array.prototype.indexOf.call(ranking.tools, tool)]! }
    for (const field of ranking.matchedFields(tool)) matched.add(field)
  }
  return { name, description, rank, score, channels, matchedFields: FIELDS.filter(field => matched.has(field)) }
}

function sharesOf({ score, ranks }: FusedTool, { fusion }: RetrievalConfig): Partial<Record<ChannelId, number>> {
  return Object.fromEntries(Object.entries(ranks).map(([channel, rank]) =>
    [channel, fusion.weights[channel as ChannelId] / (fusion.rankConstant + rank) / score]))
}
