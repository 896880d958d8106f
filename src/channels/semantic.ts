/**
 * The semantic channel: tools whose names and descriptions mean what the query means, whatever words they use.
 *
 * Meaning comes from the word table that ships with the package: a text's vector is a weighted sum of its words' vectors, and evidence is
 * the cosine. Parameters are left out: they blur what a tool does, and the lexical channel has them.
 * @module
 */

import type { Catalog, CatalogTool, Field } from '../catalog/types.ts'
import { createMatrix, storeVector } from '../vectors/vector-matrix.ts'
import type { StoredVector, VectorMatrix } from '../vectors/vector-matrix.ts'
import { glossTokens } from '../gloss/gloss-tokens.ts'
import type { QueryPlan, QueryTerm } from '../query/plan.ts'
import { loadWordTable, normalise } from '../semantic/word-table.ts'
import type { WeightedWord, WordTable } from '../semantic/word-table.ts'
import { semanticWords } from '../semantic/words.ts'
import type { Channel, ChannelIndex, ChannelRanking, TermContribution } from './channel.ts'
import { topK } from './top-k.ts'

/** Cosine under which a tool is no evidence: unrelated texts of this table are below it nine times in ten. */
const LEAST_COSINE = 0.15

/** Words that say something which a clause needs to be searched for on its own. */
const CLAUSE_WORDS = 2

const FIELDS_READ: readonly Field[] = ['name', 'description']

const NO_EVIDENCE: ChannelRanking = { tools: [], scores: [], strength: 0, matchedFields: () => [], explain: () => [] }

/** Words of a tool: its name counts as much as its description says. */
function toolWords({ texts }: CatalogTool): WeightedWord[] {
  return FIELDS_READ.flatMap(field => texts[field].flatMap(text => semanticWords(text))).map(word => ({ word, weight: 1 }))
}

/** Words of some terms with their weights, each surface once; repetition in a request is not emphasis. */
function queryWords(terms: readonly QueryTerm[]): WeightedWord[] {
  const weights = new Map<string, number>()
  for (const { surface, weight, kind } of terms) {
    if (kind === 'word' && weight > 0) weights.set(surface, Math.max(weight, weights.get(surface) ?? 0))
  }
  return [...weights].flatMap(([surface, weight]) => semanticWords(surface).map(word => ({ word, weight })))
}

/** The vector of a Chinese text: each word is the mean of its translations, which are short texts themselves. */
function glossVector(table: WordTable, text: string): Float32Array | undefined {
  const sum = new Float32Array(table.dimensions)
  for (const { weight, alternatives } of glossTokens(text)) {
    const vector = table.vectorOf(alternatives.flatMap(alternative => semanticWords(alternative)).map(word => ({ word, weight: 1 })))
    if (vector === undefined) continue
    for (let at = 0; at < sum.length; at++) sum[at]! += weight * vector[at]!
  }
  return normalise(sum)
}

/** One vector for the whole query and one for each clause that says enough. */
function queryVectors(table: WordTable, plan: QueryPlan): Float32Array[] {
  const clauses = plan.clauses.filter(({ terms }) => plan.hasHan || queryWords(terms).length >= CLAUSE_WORDS)
  const parts = [{ text: plan.text, terms: plan.terms }, ...clauses]
  return parts.flatMap(({ text, terms }) => {
    const latin = table.vectorOf(queryWords(terms))
    const han = plan.hasHan ? glossVector(table, text) : undefined
    if (latin === undefined || han === undefined) return latin ?? han ?? []
    return normalise(latin.map((value, at) => value + han[at]!)) ?? []
  })
}

/** Vectors of tools are cached by content across catalogues, until twice as many are kept as the latest catalogue has. */
export function createSemanticChannel(): Channel {
  const vectors = new Map<string, StoredVector>()

  function vectorOf(table: WordTable, tool: CatalogTool): StoredVector {
    let vector = vectors.get(tool.contentHash)
    if (vector === undefined) {
      const meant = table.vectorOf(toolWords(tool))
      // A tool that the table can't read at all is near nothing: its cosines are no numbers, and no number is below them.
      vector = meant === undefined ? new Int8Array(table.dimensions) : storeVector(meant)
      vectors.set(tool.contentHash, vector)
    }
    return vector
  }

  return {
    id: 'semantic',
    index(catalog) {
      if (vectors.size > 2 * catalog.tools.length + 1_000) vectors.clear()
      let matrix: Promise<VectorMatrix> | undefined
      return {
        async search(plan, limit) {
          const table = loadWordTable()
          const queries = queryVectors(table, plan)
          if (queries.length === 0) return NO_EVIDENCE
          matrix ??= createMatrix(catalog.tools.map(tool => vectorOf(table, tool)), table.dimensions)
          return rank(catalog, table, await matrix, plan, queries, limit)
        },
      } satisfies ChannelIndex
    },
  }
}

function rank(
  catalog: Catalog, table: WordTable, matrix: VectorMatrix, plan: QueryPlan, queries: readonly Float32Array[], limit: number,
): ChannelRanking {
  const best = new Float32Array(matrix.count)
  const cosines = new Float32Array(matrix.count)
  for (const query of queries) {
    matrix.cosines(query, cosines)
    for (let tool = 0; tool < best.length; tool++) if (cosines[tool]! > best[tool]!) best[tool] = cosines[tool]!
  }
  const candidates = new Int32Array(matrix.count)
  let count = 0
  for (let tool = 0; tool < best.length; tool++) if (best[tool]! >= LEAST_COSINE) candidates[count++] = tool
  const tools = topK(candidates, count, best, limit)
  return {
    tools,
    scores: Float32Array.from(tools, tool => best[tool]!),
    strength: tools.length === 0 ? 0 : best[tools[0]!]!,
    matchedFields: () => FIELDS_READ,
    explain: tool => explain(table, catalog.tools[tool]!, plan),
  }
}

/** A word as {@link explain} compares it. */
interface NamedVector {
  readonly word: string
  readonly vector: Float32Array
}

/** For each word of the query the word of the tool that is nearest to it. */
function explain(table: WordTable, tool: CatalogTool, plan: QueryPlan): readonly TermContribution[] {
  const toolVectors = [...new Set(toolWords(tool).map(({ word }) => word))].flatMap((word): NamedVector[] => {
    const vector = table.vectorOf([{ word, weight: 1 }])
    return vector === undefined ? [] : [{ word, vector }]
  })
  const chinese = plan.hasHan ? glossTokens(plan.text).map(({ surface, weight }) => ({ word: surface, weight })) : []
  return [...queryWords(plan.terms), ...chinese].flatMap(({ word, weight }): TermContribution[] => {
    const vector = table.vectorOf([{ word, weight: 1 }]) ?? glossVector(table, word)
    const nearest = vector === undefined ? undefined : nearestTo(vector, toolVectors)
    if (nearest === undefined || nearest.cosine < LEAST_COSINE) return []
    const score = weight * (table.weightOf(word) || 1) * nearest.cosine
    return [{ term: word, ...nearest.word === word ? {} : { via: nearest.word }, fields: FIELDS_READ, score }]
  }).sort((a, b) => b.score - a.score)
}

function nearestTo(
  vector: Float32Array,
  candidates: readonly NamedVector[],
): { readonly word: string; readonly cosine: number } | undefined {
  let nearest: { word: string; cosine: number } | undefined
  for (const candidate of candidates) {
    const cosine = dot(vector, candidate.vector)
    if (nearest === undefined || cosine > nearest.cosine) nearest = { word: candidate.word, cosine }
  }
  return nearest
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]!
  return sum
}
