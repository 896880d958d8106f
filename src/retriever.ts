/**
 * Plan, channels, fusion, results: the only place that knows every channel.
 * @module
 */

import { nearestNames } from './catalog/nearest-names.ts'
import { resolveFamilies } from './catalog/name-index.ts'
import type { NameResolution } from './catalog/name-index.ts'
import type { Catalog, Field } from './catalog/types.ts'
import { createBm25Channel } from './channels/bm25.ts'
import { CHANNEL_IDS, ChannelWarming } from './channels/channel.ts'
import type { Channel, ChannelFactory, ChannelId, ChannelIndex, TermContribution } from './channels/channel.ts'
import { createExactChannel, namesInQuery } from './channels/exact.ts'
import { createGlossChannel } from './channels/gloss.ts'
import { createLexicalIndexer } from './channels/lexical-index.ts'
import type { LexicalIndex } from './channels/lexical-index.ts'
import { createSemanticChannel } from './channels/semantic.ts'
import { isDestructive } from './destructive.ts'
import { trustByEvidence } from './evidence-trust.ts'
import type { TrustRule } from './evidence-trust.ts'
import { fuse } from './fusion.ts'
import type { FusedTool, RankedList } from './fusion.ts'
import { isIdentifierLike } from './query/name-list.ts'
import type { QueryPlan, QueryTerm } from './query/plan.ts'
import { planQuery } from './query/planner.ts'
import type { RewritePolicy } from './rewrite/config.ts'
import { otherWords, REMOTE_CHANNELS, rewriteIfUseful, REWRITTEN_CHANNELS } from './rewrite/rewriting.ts'
import { reportOf } from './rewrite/types.ts'
import type { Rewriter, RewriteReport } from './rewrite/types.ts'
import { rankedTool, sharesOf, termsOf } from './results.ts'
import type { Answer } from './results.ts'

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
  /** When a request's rewriter is asked, and what it counts; `false` never asks it. */
  readonly rewrite: false | RewritePolicy
}

/** A channel's place for one result. */
export interface ChannelPlace {
  /** 1 is best. */
  readonly rank: number
  readonly score: number
  /** The place is in the ranking of a rewritten query; the query itself did not find the tool. */
  readonly isRewritten?: true
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

/** A channel that did not answer; the others did. */
export interface ChannelFailure {
  readonly channel: ChannelId
  /** `warming`: it will answer later searches. */
  readonly state: 'warming' | 'failed'
  /** What is wrong and what mends it. */
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
  /** How good the evidence for the best result is, 0 to 1; 1 for a name that was asked for. */
  readonly confidence: number
  /** Names that were asked for and do not exist. */
  readonly unknownNames: readonly string[]
  /** Ids of `server:` and `family:` that no family has; the search was not restricted by them. */
  readonly unknownFamilies: readonly string[]
  /** Short names that more than one tool has, with the full names. */
  readonly ambiguous: readonly { readonly name: string; readonly candidates: readonly string[] }[]
  /** For an empty answer: the names nearest to the query, best first, at most five. */
  readonly nearest: readonly string[]
  readonly failures: readonly ChannelFailure[]
  readonly rewrite: RewriteReport
}

/** Why a tool of an answer stands where it stands. */
export interface Explanation {
  readonly result: RankedTool
  /** Share of the fused score by channel, and of rewritten queries in all channels; the shares add up to 1. */
  readonly shares: Readonly<Partial<Record<ChannelId | 'rewrite', number>>>
  readonly terms: Readonly<Partial<Record<ChannelId, readonly TermContribution[]>>>
}

export interface SearchRequest {
  readonly query: string
  /** How many results at most, 1 or more. */
  readonly limit: number
  readonly signal?: AbortSignal | undefined
  /** Asked for other words where that can be worth a model call. Whatever it does, it only adds evidence. */
  readonly rewriter?: Rewriter | undefined
}

export interface Retriever {
  /** Builds what a search of this catalogue needs, if it is not built yet. */
  prepare(catalog: Catalog): void
  search(catalog: Catalog, request: SearchRequest): Promise<SearchOutcome>
  explain(catalog: Catalog, request: SearchRequest): Promise<{ outcome: SearchOutcome; explanations: readonly Explanation[] }>
}

export type { ChannelFactory } from './channels/channel.ts'

/** Channels in the order in which their failures are reported. */
export const DEFAULT_CHANNELS: readonly ChannelFactory[] = [
  () => createExactChannel(),
  createBm25Channel,
  () => createSemanticChannel(),
  createGlossChannel,
]

/** How many tools of each channel the fusion sees at least: three times as many are no better. */
const FUSION_DEPTH = 100

/**
 * Below this confidence nothing is found; below the second, tools are listed but not loaded by themselves. On focused dev catalogues the
 * second holds back a third to two thirds of foreign queries and one in fifteen of their own; no value tells them apart (AUC .9).
 */
const NO_MATCH = 0.1
const WEAK_MATCH = 0.35

/** Channels that judge by meaning; the others judge by words. */
const BY_MEANING: ReadonlySet<ChannelId> = new Set<ChannelId>(['semantic', 'dense'])

/** What meaning is worth where no word is known: nonsense has a meaning too, by its pieces. */
const MEANING_ALONE = 0.75

/** How many names an empty answer offers. */
const MOST_NEAREST = 5

/** An outcome with what {@link Retriever.explain} needs beside it; `fused` is in the order of the results. */
interface Ranked {
  readonly outcome: SearchOutcome
  readonly fused: readonly FusedTool[]
  readonly answers: readonly Answer[]
  /** Of rewritten queries, in their order. */
  readonly rewritten: readonly Answer[]
}

/**
 * @param config - checked settings.
 * @param factories - the channels to use; by default every one that needs no network.
 * @param trust - how much each channel counts with a query, by what all of them found.
 */
export function createRetriever(
  config: RetrievalConfig, factories: readonly ChannelFactory[] = DEFAULT_CHANNELS, trust: TrustRule = trustByEvidence,
): Retriever {
  const lexicalIndex = createLexicalIndexer(config)
  const channels = factories.map(create => create({ config, lexicalIndex }))
  const indexes = new WeakMap<Catalog, Map<ChannelId, ChannelIndex>>()

  function indexOf(channel: Channel, catalog: Catalog): ChannelIndex {
    let ofCatalog = indexes.get(catalog)
    if (ofCatalog === undefined) indexes.set(catalog, ofCatalog = new Map<ChannelId, ChannelIndex>())
    let index = ofCatalog.get(channel.id)
    if (index === undefined) ofCatalog.set(channel.id, index = channel.index(catalog))
    return index
  }

  /** Asks one channel; a failure is its answer. */
  async function ask(
    channel: Channel, catalog: Catalog, plan: QueryPlan, limit: number, signal?: AbortSignal,
  ): Promise<Answer | ChannelFailure> {
    try {
      return { channel: channel.id, ranking: await indexOf(channel, catalog).search(plan, limit, signal) }
    } catch (error) {
      return {
        channel: channel.id,
        state: error instanceof ChannelWarming ? 'warming' : 'failed',
        reason: error instanceof Error ? error.message : String(error),
      }
    }
  }

  /** What rewritten queries find. Their grammar is not obeyed, and a channel that fails has said so for the query itself. */
  async function askRewritten(catalog: Catalog, queries: readonly string[], limit: number, signal?: AbortSignal): Promise<Answer[]> {
    const asked = channels.filter(({ id }) => REWRITTEN_CHANNELS.has(id))
    const replies = queries.map(planQuery).flatMap(plan => asked.map(async channel => ask(channel, catalog, plan, limit, signal)))
    return (await Promise.all(replies)).filter(isAnswer)
  }

  async function rank(catalog: Catalog, { query, limit, signal, rewriter }: SearchRequest): Promise<Ranked> {
    signal?.throwIfAborted()
    const plan = planQuery(query)
    const names = namesInQuery(catalog, plan)
    const restriction = resolveFamilies(catalog, plan.families)
    const isAllowed = allowedTools(catalog, restriction.tools, plan.required, lexicalIndex)
    const depth = isAllowed === undefined ? Math.max(limit, FUSION_DEPTH) : catalog.tools.length
    const asked = channels.map(channel => ({ channel, reply: ask(channel, catalog, plan, depth, signal) }))
    const local = Promise.all(asked.filter(({ channel }) => !REMOTE_CHANNELS.has(channel.id)).map(({ reply }) => reply))
    const rewrite = await rewriteIfUseful(
      config.rewrite,
      { plan, names, catalogSize: catalog.tools.length, catalog, rewriter, signal },
      local.then(replies => replies.filter(isAnswer).map(({ ranking }) => ranking)),
    )
    const replies = await Promise.all(asked.map(({ reply }) => reply))
    const rewritten = rewrite.status === 'applied' ? await askRewritten(catalog, otherWords(rewrite.queries, plan.text), depth, signal) : []
    signal?.throwIfAborted()
    const answers = replies.filter(isAnswer).sort(byChannel)
    const failures = replies.flatMap(reply => isAnswer(reply) ? [] : [reply]).sort(byChannel)
    const namesOnly = asksForNamesOnly(plan, names)
    const confidence = confidenceOf([...answers, ...rewritten], namesOnly)
    const match = matchOf(answers, confidence)
    const weighed = trust(answers, { knownHan: plan.hasHan ? knownHan(plan, lexicalIndex(catalog)) : undefined })
    const fused = fuse(
      [
        ...weighed.filter(({ channel }) => channel === 'exact' || !namesOnly).map(answer => listOf(answer, config, false)),
        ...rewritten.map(answer => listOf(answer, config, true)),
      ],
      {
        rankConstant: config.fusion.rankConstant,
        isDestructive: tool => isDestructive(catalog.tools[tool]!),
        isAllowed,
        limit: namesOnly ? Infinity : Math.max(limit, MOST_NEAREST),
      },
    )
    if (namesOnly) fused.sort(asAsked(names))
    const results = match === 'none' ? [] : fused.slice(0, limit)
    const unknownNames = names.flatMap(({ outcome, name }) => outcome === 'unknown' ? [name] : [])
    const outcome: SearchOutcome = {
      query,
      catalogSize: catalog.tools.length,
      catalogRevision: catalog.revision,
      results: results.map((entry, at) => rankedTool(catalog, entry, at + 1, answers, rewritten)),
      match: results.length === 0 ? 'none' : match,
      confidence: results.length === 0 ? 0 : confidence,
      unknownNames,
      unknownFamilies: restriction.unknown,
      ambiguous: names.flatMap(resolution => resolution.outcome === 'ambiguous'
        ? [{ name: resolution.name, candidates: resolution.candidates.map(tool => catalog.tools[tool]!.name) }]
        : []),
      nearest: results.length > 0 ? [] : nearestTo(catalog, plan, unknownNames, fused, restriction.tools),
      failures,
      rewrite: reportOf(rewrite),
    }
    return { outcome, fused: results, answers: weighed, rewritten }
  }

  return {
    prepare(catalog) {
      for (const channel of channels) indexOf(channel, catalog)
    },
    async search(catalog, request) {
      return (await rank(catalog, request)).outcome
    },
    async explain(catalog, request) {
      const { outcome, fused, answers, rewritten } = await rank(catalog, request)
      const explanations = fused.map((entry, at) => ({
        result: outcome.results[at]!,
        shares: sharesOf(entry, config, answers),
        terms: termsOf(entry, answers, rewritten),
      }))
      return { outcome, explanations }
    },
  }
}

function isAnswer(reply: Answer | ChannelFailure): reply is Answer {
  return 'ranking' in reply
}

/** An answer as the fusion takes it. */
function listOf({ channel, ranking }: Answer, { fusion, rewrite }: RetrievalConfig, isRewritten: boolean): RankedList {
  const { tools, scores, trust = 1 } = ranking
  const share = isRewritten && rewrite !== false ? rewrite.weight : 1
  return { channel, weight: share * trust * fusion.weights[channel], tools, scores, isRewritten }
}

function byChannel(a: { readonly channel: ChannelId }, b: { readonly channel: ChannelId }): number {
  return CHANNEL_IDS.indexOf(a.channel) - CHANNEL_IDS.indexOf(b.channel)
}

/** Whether the query wants these tools and nothing else. A plain word that is also a name ("weather") is a search with a best answer. */
function asksForNamesOnly(plan: QueryPlan, names: readonly NameResolution[]): boolean {
  if (plan.kind === 'select') return true
  return plan.names.length > 0 && names.some(({ outcome }) => outcome === 'found')
    && names.length === plan.names.length && names.every(({ name }) => isIdentifierLike(name))
}

/** Tools that were asked for by name come in the order of the names. */
function asAsked(names: readonly NameResolution[]): (a: FusedTool, b: FusedTool) => number {
  const place = new Map(names.flatMap((resolution, at) => resolution.outcome === 'found' ? [[resolution.tool, at] as const] : []))
  return (a, b) => (place.get(a.tool) ?? place.size) - (place.get(b.tool) ?? place.size)
}

/**
 * How good the best evidence is, 0 to 1: the mean of the strongest by words and the strongest by meaning, or the one there is. Words alone
 * are sure of any long query, since something always matches; meaning alone knows no product names (mean AUC over fourteen pairs of a
 * catalogue and foreign queries: .90, against .85 for the greatest of all).
 */
function confidenceOf(answers: readonly Answer[], namesOnly: boolean): number {
  const found = answers.filter(({ ranking }) => ranking.tools.length > 0)
  if (found.some(({ channel }) => channel === 'exact')) return 1
  if (namesOnly) return 0
  const strongest = (byMeaning: boolean): number => {
    const strengths = found.filter(({ channel }) => BY_MEANING.has(channel) === byMeaning).map(({ ranking }) => ranking.strength ?? 1)
    return Math.min(1, Math.max(0, ...strengths))
  }
  const words = strongest(false)
  const meaning = strongest(true)
  if (meaning === 0) return words
  return words === 0 ? MEANING_ALONE * meaning : (words + meaning) / 2
}

function matchOf(answers: readonly Answer[], confidence: number): SearchOutcome['match'] {
  if (answers.some(({ channel, ranking }) => channel === 'exact' && ranking.tools.length > 0)) return 'exact'
  if (confidence < NO_MATCH) return 'none'
  return confidence < WEAK_MATCH ? 'weak' : 'ranked'
}

/** @returns which tools the query's restrictions leave; `undefined` when it has none. */
function allowedTools(
  catalog: Catalog,
  within: ReadonlySet<number> | undefined,
  required: readonly QueryTerm[],
  lexicalIndex: (catalog: Catalog) => LexicalIndex,
): ((tool: number) => boolean) | undefined {
  if (within === undefined && required.length === 0) return undefined
  const index = required.length === 0 ? undefined : lexicalIndex(catalog)
  const terms = required.map(({ term }) => index?.term(term))
  return tool => (within?.has(tool) ?? true) && terms.every(term => term !== undefined && index!.analyses[tool]!.ids.includes(term))
}

/** See {@link TrustRule}. */
function knownHan({ terms }: QueryPlan, index: LexicalIndex): number | undefined {
  const pairs = terms.filter(({ kind }) => kind === 'pair')
  return pairs.length === 0 ? undefined : pairs.filter(({ term }) => index.term(term) !== undefined).length / pairs.length
}

/** What an empty answer offers: tools with some evidence, then tools whose names look like what was asked for. */
function nearestTo(
  catalog: Catalog,
  plan: QueryPlan,
  unknownNames: readonly string[],
  fused: readonly FusedTool[],
  within: ReadonlySet<number> | undefined,
): string[] {
  const some = plan.kind === 'select' ? [] : fused.slice(0, MOST_NEAREST).map(({ tool }) => catalog.tools[tool]!.name)
  const alike = (unknownNames.length > 0 ? unknownNames : [plan.text]).flatMap(name => nearestNames(catalog, name, MOST_NEAREST, within))
  const family = plan.text === '' && within !== undefined ? [...within].slice(0, MOST_NEAREST).map(tool => catalog.tools[tool]!.name) : []
  return [...new Set([...some, ...alike, ...family])].slice(0, MOST_NEAREST)
}
