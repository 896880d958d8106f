/**
 * The retriever without one of its channels or rules: what is each of them worth?
 *
 * Nothing in the product knows of this. A rule that works on the query plan is taken out of the plan before the channel sees it; channels
 * and indexes are made once and shared by all ablations that don't change them.
 * @module
 */

import { buildCatalog } from '../../src/catalog/store.ts'
import type { Catalog, Field } from '../../src/catalog/types.ts'
import { FIELDS } from '../../src/catalog/types.ts'
import type { Channel, ChannelFactory, ChannelId, ChannelIndex } from '../../src/channels/channel.ts'
import { createLexicalIndexer } from '../../src/channels/lexical-index.ts'
import type { LexicalIndex } from '../../src/channels/lexical-index.ts'
import type { QueryPlan, QueryTerm } from '../../src/query/plan.ts'
import { createRetriever, DEFAULT_CHANNELS } from '../../src/retriever.ts'
import type { RetrievalConfig, Retriever } from '../../src/retriever.ts'
import type { Searchable } from '../engines/engine.ts'
import { mean, meanScores } from '../metrics.ts'
import type { Scores } from '../metrics.ts'
import type { Progress } from '../report/progress.ts'
import { askAll, sampledSet, scoresOf } from '../run.ts'
import { languageOf } from '../sets.ts'
import type { QuerySet } from '../sets.ts'

interface Ablation {
  readonly label: string
  readonly retriever: Retriever
}

type PlanChange = (plan: QueryPlan) => QueryPlan

/** Channels whose indexes are made once per catalogue. */
function createChannels(config: RetrievalConfig, changeIndex: (index: LexicalIndex) => LexicalIndex = index => index): Channel[] {
  const indexer = createLexicalIndexer(config)
  const changed = new WeakMap<Catalog, LexicalIndex>()
  const lexicalIndex = (catalog: Catalog): LexicalIndex => {
    let index = changed.get(catalog)
    if (index === undefined) changed.set(catalog, index = changeIndex(indexer(catalog)))
    return index
  }
  return DEFAULT_CHANNELS.map((create) => {
    const channel = create({ config, lexicalIndex })
    const indexes = new WeakMap<Catalog, ChannelIndex>()
    return {
      id: channel.id,
      index(catalog) {
        let index = indexes.get(catalog)
        if (index === undefined) indexes.set(catalog, index = channel.index(catalog))
        return index
      },
    }
  })
}

/** Channels that see another plan than the one the query gives. */
const withPlan = (channels: readonly Channel[], change: PlanChange): ChannelFactory[] => channels.map(channel => () => ({
  id: channel.id,
  index(catalog) {
    const index = channel.index(catalog)
    return { search: (plan, limit, signal) => index.search(change(plan), limit, signal) }
  },
}))

/** Changes every term of a plan, in its clauses as well; a term for which nothing is returned is dropped. */
const eachTerm = (change: (term: QueryTerm) => QueryTerm | undefined): PlanChange => (plan) => {
  const changeAll = (terms: readonly QueryTerm[]) => terms.flatMap(term => change(term) ?? [])
  return { ...plan, terms: changeAll(plan.terms), clauses: plan.clauses.map(clause => ({ ...clause, terms: changeAll(clause.terms) })) }
}

const PLAN_RULES: readonly (readonly [label: string, change: PlanChange])[] = [
  ['query-term weights (noise words and phrases, quoted values)', eachTerm(term => ({ ...term, weight: 1 }))],
  ['spelling', eachTerm(term => ({ ...term, correctable: false }))],
  // pairs are made of neighbouring terms of kind "word", and nothing else asks for the kind of a Latin term
  ['ordered pairs', eachTerm(term => term.kind === 'word' ? { ...term, kind: 'whole' } : term)],
  ['single Han and Kana characters', eachTerm(term => term.kind === 'single' ? undefined : term)],
  ['whole identifiers beside their parts', eachTerm(term => term.kind === 'whole' ? undefined : term)],
  ['sentences', plan => ({ ...plan, clauses: [] })],
]

const everyField = (value: number): Record<Field, number> =>
  Object.fromEntries(FIELDS.map(field => [field, value])) as Record<Field, number>

/** The retriever as it is, then without each of its parts. */
function createAblations(config: RetrievalConfig): Ablation[] {
  const channels = createChannels(config)
  const without = (id: ChannelId) => channels.filter(channel => channel.id !== id)
  const only = (id: ChannelId) => channels.filter(channel => channel.id === id)
  const made = (label: string, factories: readonly ChannelFactory[], changed = config): Ablation =>
    ({ label, retriever: createRetriever(changed, factories) })
  const reconfigured = (label: string, change: Partial<RetrievalConfig>): Ablation => {
    const changed = { ...config, ...change }
    return made(label, createChannels(changed).map(channel => () => channel), changed)
  }
  const as = (list: readonly Channel[]): ChannelFactory[] => list.map(channel => () => channel)

  return [
    made('all of it', as(channels)),
    ...channels.map(({ id }) => made(`without channel ${id}`, as(without(id)))),
    ...channels.filter(({ id }) => id !== 'exact').map(({ id }) => made(`only channel ${id}`, as(only(id)))),
    made('without synonyms', as(createChannels(config, index => ({ ...index, synonyms: () => [] })))),
    ...PLAN_RULES.map(([label, change]) => made(`without ${label}`, withPlan(channels, change))),
    reconfigured('every field weighs the same', { fieldWeights: everyField(1) }),
    reconfigured('b 0.75 in every field', { bm25B: everyField(0.75) }),
    made('rank constant 60', as(channels), { ...config, fusion: { ...config.fusion, rankConstant: 60 } }),
    { label: 'without weights by evidence', retriever: createRetriever(config, as(channels), answers => [...answers]) },
  ]
}

export interface AblationReport {
  readonly label: string
  readonly macro: Scores
  /** Mean Recall@8 over the sets of one language, by {@link languageOfSet}. */
  readonly languages: Readonly<Record<string, number>>
}

/** Language of most of a set's queries, with that of the definitions where it differs. */
export function languageOfSet(set: QuerySet): string {
  const counts = new Map<string, number>()
  for (const query of set.queries) counts.set(languageOf(query, set), (counts.get(languageOf(query, set)) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0]![0]
}

function meanByLanguage(sets: readonly QuerySet[], values: readonly number[]): Record<string, number> {
  const languages = sets.map(languageOfSet)
  return Object.fromEntries([...new Set(languages)].sort().map(lang => [lang, mean(values.filter((_, i) => languages[i] === lang))]))
}

/** Queries of a set that every ablation answers. Differences are paired, so that fewer queries do than for a value. */
export const ABLATION_QUERIES = 150

export async function measureAblations(sets: readonly QuerySet[], config: RetrievalConfig, progress: Progress): Promise<AblationReport[]> {
  const ablations = createAblations(config)
  const samples = sets.map(set => sampledSet(set, ABLATION_QUERIES))
  const catalogs = sets.map(set => buildCatalog(set.tools))
  progress.stage('ablations', ablations.length)
  const reports: AblationReport[] = []
  for (const { label, retriever } of ablations) {
    const scores: Scores[] = []
    for (const [i, { queries }] of samples.entries()) {
      const index: Searchable = {
        async search(query, limit) {
          const { results } = await retriever.search(catalogs[i]!, { query, limit })
          return { names: results.map(({ name }) => name) }
        },
      }
      scores.push(scoresOf(await askAll(index, queries)))
    }
    reports.push({ label, macro: meanScores(scores), languages: meanByLanguage(sets, scores.map(({ recall8 }) => recall8)) })
    progress.step()
  }
  return reports
}
