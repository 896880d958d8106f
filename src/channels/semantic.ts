/**
 * The semantic channel: tools that mean what the query means, whatever words they use.
 *
 * Meaning comes from the word table that ships with the package: a text's vector is a weighted sum of its words' vectors, and evidence is
 * the cosine. A tool's vector is that of its name and description, and with less weight that of its name and the names of its parameters.
 * @module
 */

import type { Catalog, CatalogTool, Field } from '../catalog/types.ts'
import { createLoopTurns } from '../vectors/loop-turns.ts'
import { createVectorRows } from '../vectors/vector-rows.ts'
import type { StoredVector, VectorRows } from '../vectors/vector-rows.ts'
import { glossTokens, glossTokensIn, glossTokensOf } from '../gloss/gloss-tokens.ts'
import type { GlossToken } from '../gloss/gloss-tokens.ts'
import type { QueryPlan, QueryTerm } from '../query/plan.ts'
import { loadWordTable, normalise } from '../semantic/word-table.ts'
import type { WeightedWord, WordTable } from '../semantic/word-table.ts'
import { semanticWords, wordsOfRun } from '../semantic/words.ts'
import type { Channel, ChannelIndex, ChannelRanking, TermContribution } from './channel.ts'
import { atLeast, scoresOf, topK } from './top-k.ts'

/** Cosine under which a tool is no evidence: unrelated texts of this table are below it nine times in ten. */
const LEAST_COSINE = 0.15

/** The directions of the table are in the order of their strength: how many are enough to find what is worth comparing in all. */
const STRONGEST_DIRECTIONS = 64

/** How many tools are compared in all directions: this often the results that are asked for, and at least so many. */
const CANDIDATES_PER_RESULT = 4
const LEAST_CANDIDATES = 400

/** How many times as many are near enough to the whole of a query for its sentences to be compared with them. */
const NEAR_THE_WHOLE = 5

/** Words that say something which a clause needs to be searched for on its own. */
const CLAUSE_WORDS = 2

/** What says what a tool does, and what says what it works on. */
const TEXT_FIELDS: readonly Field[] = ['name', 'description']
const PARAMETER_FIELDS: readonly Field[] = ['name', 'parameterName']
const FIELDS_READ: readonly Field[] = ['name', 'description', 'parameterName']

/**
 * Share of the first in a tool's vector. In one bag with the description parameters drown it (−0.5 R@1), apart from it they tell what it is
 * about: +0.4 R@8 over the dev sets, +4 for this channel alone. From 0.5 to 0.7, and with their descriptions, it is the same.
 */
const TEXT_SHARE = 0.6

const NO_EVIDENCE: ChannelRanking = { tools: [], scores: [], strength: 0, matchedFields: () => [], explain: () => [] }

/** Words of some fields of a tool; its name counts as much as the rest says. */
function wordsOf({ texts }: CatalogTool, fields: readonly Field[]): string[] {
  return fields.flatMap(field => texts[field].flatMap(text => semanticWords(text)))
}

/** @returns the vector, until the table is asked again; zeros for a tool that the table can't read at all. */
function toolVector(table: WordTable, tool: CatalogTool): StoredVector {
  return table.storedVectorOf([
    { words: wordsOf(tool, TEXT_FIELDS), share: TEXT_SHARE },
    { words: wordsOf(tool, PARAMETER_FIELDS), share: 1 - TEXT_SHARE },
  ])
}

/** Words of some terms with their weights, each surface once; repetition in a request is not emphasis. */
function queryWords(terms: readonly QueryTerm[]): WeightedWord[] {
  const weights = new Map<string, number>()
  for (const { surface, weight, kind } of terms) {
    if (kind === 'word' && weight > 0) weights.set(surface, Math.max(weight, weights.get(surface) ?? 0))
  }
  const words: WeightedWord[] = []
  for (const [surface, weight] of weights) for (const word of wordsOfRun(surface)) words.push({ word, weight })
  return words
}

/** Vectors of Chinese words, each the mean of its translations, which are short texts; undefined for what the table can't read. */
type GlossVectors = (token: GlossToken) => Float32Array | undefined

/** The sentences of a query repeat its words. */
function createGlossVectors(table: WordTable): GlossVectors {
  const known = new Map<string, Float32Array | undefined>()
  return ({ word, alternatives }) => {
    if (!known.has(word)) known.set(word, table.vectorOfText(alternatives.flatMap(alternative => semanticWords(alternative))))
    return known.get(word)
  }
}

function glossVector(tokens: readonly GlossToken[], vectorOf: GlossVectors, dimensions: number): Float32Array | undefined {
  if (tokens.length === 0) return undefined
  const sum = new Float32Array(dimensions)
  for (const token of tokens) {
    const vector = vectorOf(token)
    if (vector === undefined) continue
    const { weight } = token
    for (let at = 0; at < sum.length; at++) sum[at]! += weight * vector[at]!
  }
  return normalise(sum)
}

/** One vector for the whole query and one for each clause that says enough. */
function queryVectors(table: WordTable, plan: QueryPlan): Float32Array[] {
  const vectors: Float32Array[] = []
  const vectorOfGloss = createGlossVectors(table)
  for (const clause of [undefined, ...plan.clauses]) {
    const words = queryWords((clause ?? plan).terms)
    if (clause !== undefined && !plan.hasHan && words.length < CLAUSE_WORDS) continue
    const latin = table.vectorOf(words)
    const tokens = !plan.hasHan ? [] : clause === undefined ? glossTokensOf(plan) : glossTokensIn(plan, clause)
    const han = glossVector(tokens, vectorOfGloss, table.dimensions)
    const vector = latin === undefined || han === undefined ? latin ?? han : normalise(latin.map((value, axis) => value + han[axis]!))
    if (vector !== undefined) vectors.push(vector)
  }
  return vectors
}

/** A catalogue's vectors, with scratch space for the search that is running: from its first cosine to its last a search is synchronous. */
interface SearchableVectors {
  readonly tools: readonly CatalogTool[]
  readonly vectors: VectorRows
  /** By tool. */
  readonly rows: Int32Array
  readonly cosines: Float32Array
  readonly candidates: Int32Array
}

/** Tools that are read between two looks at the clock. */
const TOOLS_A_TURN = 64

/** Vectors of tools, by content, for all catalogues that were searched since it was made. */
interface Memory {
  readonly vectors: VectorRows
  readonly rows: Map<string, number>
  latest?: SearchableVectors
}

/** Rows that no catalogue uses are forgotten when they are more than those of the latest one. */
const SPARE_ROWS = 1_000

export function createSemanticChannel(): Channel {
  let memory: Memory | undefined

  function memoryFor({ tools }: Catalog, { dimensions }: WordTable): Memory {
    if (memory === undefined || memory.rows.size > 2 * tools.length + SPARE_ROWS) {
      memory = { vectors: createVectorRows(dimensions, STRONGEST_DIRECTIONS, tools.length), rows: new Map() }
    }
    return memory
  }

  return {
    id: 'semantic',
    index(catalog) {
      let searchable: Promise<SearchableVectors> | undefined
      return {
        async search(plan, limit) {
          const table = loadWordTable()
          const queries = queryVectors(table, plan)
          if (queries.length === 0) return NO_EVIDENCE
          searchable ??= vectorsOf(catalog, table, memoryFor(catalog, table))
          return rank(catalog, table, await searchable, plan, queries, limit)
        },
      } satisfies ChannelIndex
    },
  }
}

/** @returns where a list has other tools than another. */
function placesUnlike(tools: readonly CatalogTool[], others: readonly CatalogTool[]): number[] {
  const places: number[] = []
  for (let at = 0; at < tools.length; at++) if (tools[at] !== others[at]) places.push(at)
  return places
}

async function vectorsOf({ tools }: Catalog, table: WordTable, memory: Memory): Promise<SearchableVectors> {
  const { vectors, rows: known, latest } = memory
  const rows = new Int32Array(tools.length)
  // Most tools of a changed catalogue are where they were.
  const unlike = placesUnlike(tools, latest?.tools ?? [])
  rows.set(latest?.rows.subarray(0, rows.length) ?? [])
  const turn = createLoopTurns()
  for (const [done, at] of unlike.entries()) {
    if (done % TOOLS_A_TURN === 0) await turn()
    const tool = tools[at]!
    let row = known.get(tool.contentHash)
    if (row === undefined) {
      known.set(tool.contentHash, row = vectors.add(toolVector(table, tool)))
    }
    rows[at] = row
  }
  const { cosines, candidates } = latest?.rows.length === rows.length ? latest : createScratch(rows.length)
  return memory.latest = { tools, vectors, rows, cosines, candidates }
}

function createScratch(toolCount: number): Pick<SearchableVectors, 'cosines' | 'candidates'> {
  return { cosines: new Float32Array(toolCount), candidates: new Int32Array(toolCount) }
}

function rank(
  catalog: Catalog, table: WordTable, searched: SearchableVectors, plan: QueryPlan, queries: readonly Float32Array[], limit: number,
): ChannelRanking {
  const { cosines } = searched
  const likely = likelyTools(searched, queries, Math.max(LEAST_CANDIDATES, CANDIDATES_PER_RESULT * limit))
  let count = 0
  // In place, which is safe: no more are kept than were read.
  for (let at = 0; at < likely.length; at++) if (cosines[likely[at]!]! >= LEAST_COSINE) likely[count++] = likely[at]!
  const tools = topK(likely, count, cosines, limit)
  const scores = scoresOf(tools, cosines)
  return {
    tools,
    scores,
    strength: scores[0] ?? 0,
    matchedFields: tool => FIELDS_READ.filter(field => catalog.tools[tool]!.texts[field].length > 0),
    explain: tool => explain(table, catalog.tools[tool]!, plan),
  }
}

/**
 * The tools among which the best are, with their cosines. Of many tools, those that look best in the strongest directions of the table are
 * compared in all directions: that takes a third of the time, and the order is that of an exact search but for some of the last places of
 * a long list.
 */
function likelyTools(searched: SearchableVectors, queries: readonly Float32Array[], least: number): Int32Array {
  const { vectors, rows, cosines, candidates } = searched
  if (rows.length <= 2 * least) {
    vectors.cosines(rows, queries, cosines)
    for (let tool = 0; tool < rows.length; tool++) candidates[tool] = tool
    return candidates
  }
  const likely = roughlyBest(searched, queries, least)
  vectors.cosines(rows, queries, cosines, likely)
  return likely
}

/** The best by the strongest directions, at least so many. A query's sentences are compared with what the whole of it is near to. */
function roughlyBest({ vectors, rows }: SearchableVectors, queries: readonly Float32Array[], least: number): Int32Array {
  const near = NEAR_THE_WHOLE * least
  const inOne = queries.length === 1 || rows.length <= 2 * near
  const first = vectors.roughCosines(rows, inOne ? queries : queries.slice(0, 1))
  if (inOne) return atLeast(least, first.cosines, first.above)
  const places = atLeast(near, first.cosines, first.above).slice()
  const second = vectors.roughCosines(rows, queries, places)
  return atLeast(least, second.cosines, second.above).map(at => places[at]!)
}

/** A word as {@link explain} compares it. */
interface NamedVector {
  readonly word: string
  readonly vector: Float32Array
  /** Fields that have it. */
  readonly fields: readonly Field[]
}

/** For each word of the query the word of the tool that is nearest to it. */
function explain(table: WordTable, tool: CatalogTool, plan: QueryPlan): readonly TermContribution[] {
  const fields = new Map<string, Field[]>()
  for (const field of FIELDS_READ) for (const word of new Set(wordsOf(tool, [field]))) fields.set(word, [...fields.get(word) ?? [], field])
  const toolVectors = Array.from(fields).flatMap(([word, having]): NamedVector[] => {
    const vector = table.vectorOfText([word])
    return vector === undefined ? [] : [{ word, vector, fields: having }]
  })
  const vectorOfGloss = createGlossVectors(table)
  const chinese = plan.hasHan ? glossTokensOf(plan).map(({ surface, weight }) => ({ word: surface, weight })) : []
  return [...queryWords(plan.terms), ...chinese].flatMap(({ word, weight }): TermContribution[] => {
    const vector = table.vectorOfText([word]) ?? glossVector(glossTokens(word), vectorOfGloss, table.dimensions)
    const nearest = vector === undefined ? undefined : nearestTo(vector, toolVectors)
    if (nearest === undefined || nearest.cosine < LEAST_COSINE) return []
    const score = weight * (table.weightOf(word) || 1) * nearest.cosine
    return [{ term: word, ...nearest.word === word ? {} : { via: nearest.word }, fields: nearest.fields, score }]
  }).sort((a, b) => b.score - a.score)
}

function nearestTo(
  vector: Float32Array,
  candidates: readonly NamedVector[],
): NamedVector & { readonly cosine: number } | undefined {
  let nearest: NamedVector & { cosine: number } | undefined
  for (const candidate of candidates) {
    const cosine = dot(vector, candidate.vector)
    if (nearest === undefined || cosine > nearest.cosine) nearest = { ...candidate, cosine }
  }
  return nearest
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]!
  return sum
}
