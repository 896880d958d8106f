/**
 * The lexical channel: BM25F over a tool's fields, with synonyms, spelling, word order and sentences as evidence.
 * @module
 */

import { FIELDS } from '../catalog/types.ts'
import type { Catalog, CatalogTool, Field } from '../catalog/types.ts'
import type { QueryPlan, QueryTerm } from '../query/plan.ts'
import { buildPostings } from './bm25-index.ts'
import type { Bm25Parameters, Postings } from './bm25-index.ts'
import { addGroup, bestAlternative, clear, createAccumulator, idfOf, inverseDocumentFrequency } from './bm25-score.ts'
import type { Accumulator, TermGroup } from './bm25-score.ts'
import { Vocabulary } from './bm25-vocabulary.ts'
import type { ToolTerms } from './bm25-vocabulary.ts'
import type { Channel, ChannelIndex, ChannelRanking, TermContribution } from './channel.ts'
import { topK } from './top-k.ts'

export interface Bm25Index extends ChannelIndex {
  search(plan: QueryPlan, limit: number): ChannelRanking
}

/** Weight of an ordered pair of words beside the words themselves. */
const PAIR_WEIGHT = 0.2

/** Share of the score that depends on how much of what the query asks for a tool has. */
const COVERAGE_SHARE = 0.2

/** Share of the best sentence in a query of several, each normalised by its best tool. */
const SENTENCE_SHARE = 0.25

interface Snapshot {
  readonly catalog: Catalog
  readonly postings: Postings
  readonly analyses: readonly ToolTerms[]
  readonly vocabulary: Vocabulary
  readonly scratch: { readonly whole: Accumulator; readonly sentence: Accumulator; readonly bestSentence: Float32Array }
}

/** A lexical channel; analyses of tools are shared by every catalogue it indexes. */
export function createBm25Channel(parameters: Bm25Parameters): Channel & { index(catalog: Catalog): Bm25Index } {
  let vocabulary = new Vocabulary()
  let analyses = new Map<string, ToolTerms>()

  function analyse(tool: CatalogTool): ToolTerms {
    let terms = analyses.get(tool.contentHash)
    if (terms === undefined) analyses.set(tool.contentHash, terms = vocabulary.analyse(tool))
    return terms
  }

  function index(catalog: Catalog): Bm25Index {
    if (analyses.size > 2 * catalog.tools.length + 1_000) {
      vocabulary = new Vocabulary()
      analyses = new Map()
    }
    const tools = catalog.tools.map(analyse)
    const size = catalog.tools.length
    const snapshot: Snapshot = {
      catalog,
      postings: buildPostings(tools, vocabulary.size, parameters),
      analyses: tools,
      vocabulary,
      scratch: { whole: createAccumulator(size), sentence: createAccumulator(size), bestSentence: new Float32Array(size) },
    }
    return { search: (plan, limit) => search(snapshot, plan, limit, parameters) }
  }

  return { id: 'bm25', index }
}

/** The evidence that some terms ask for: groups, and ordered pairs of neighbours. */
interface Evidence {
  readonly surfaces: readonly string[]
  readonly groups: readonly TermGroup[]
  readonly pairs: readonly TermGroup[]
}

function evidenceOf({ vocabulary, postings }: Snapshot, terms: readonly QueryTerm[]): Evidence {
  const byTerm = new Map<string, QueryTerm>()
  for (const term of terms) if (term.weight > (byTerm.get(term.term)?.weight ?? 0)) byTerm.set(term.term, term)
  const surfaces: string[] = []
  const groups: TermGroup[] = []
  for (const { term, surface, weight } of byTerm.values()) {
    const id = vocabulary.id(term)
    if (id === undefined || idfOf(postings, id) === 0) continue
    surfaces.push(surface)
    groups.push({ weight, alternatives: [{ term: id, weight: 1 }], idfCap: Infinity })
  }
  return { surfaces, groups, pairs: pairsOf(vocabulary, terms) }
}

function pairsOf(vocabulary: Vocabulary, terms: readonly QueryTerm[]): TermGroup[] {
  const words = terms.filter(term => term.kind === 'word' && term.weight > 0)
  const pairs = new Map<number, TermGroup>()
  for (let at = 0; at < words.length; at++) {
    for (let after = at + 1; after <= at + 2 && after < words.length; after++) {
      const first = vocabulary.id(words[at]!.term)
      const second = vocabulary.id(words[after]!.term)
      const pair = first === undefined || second === undefined ? undefined : vocabulary.pair(first, second)
      if (pair === undefined || pairs.has(pair)) continue
      const weight = PAIR_WEIGHT * Math.min(words[at]!.weight, words[after]!.weight)
      pairs.set(pair, { weight, alternatives: [{ term: pair, weight: 1 }], idfCap: Infinity })
    }
  }
  return [...pairs.values()]
}

/** @returns the best score. */
function score(postings: Postings, { groups, pairs }: Evidence, into: Accumulator): number {
  let known = 0
  for (const group of groups) known += addGroup(postings, group, into)
  for (const { weight, alternatives: [pair] } of pairs) {
    const unit = weight * idfOf(postings, pair!.term)
    for (let at = postings.offsets[pair!.term]!, end = postings.offsets[pair!.term + 1] ?? at; at < end; at++) {
      const tool = postings.tools[at]!
      if (into.scores[tool]! > 0) into.scores[tool]! += unit * postings.impacts[at]!
    }
  }
  let best = 0
  for (let at = 0; at < into.count; at++) {
    const tool = into.touched[at]!
    into.scores[tool]! *= 1 - COVERAGE_SHARE + COVERAGE_SHARE * into.covered[tool]! / known
    if (into.scores[tool]! > best) best = into.scores[tool]!
  }
  return best
}

function search(snapshot: Snapshot, plan: QueryPlan, limit: number, parameters: Bm25Parameters): ChannelRanking {
  const { postings, scratch: { whole, sentence, bestSentence } } = snapshot
  const evidence = evidenceOf(snapshot, plan.terms)
  const best = score(postings, evidence, whole)
  if (plan.clauses.length > 1 && best > 0) {
    for (const clause of plan.clauses) {
      const bestInClause = score(postings, evidenceOf(snapshot, clause.terms), sentence)
      for (let at = 0; at < sentence.count; at++) {
        const tool = sentence.touched[at]!
        bestSentence[tool] = Math.max(bestSentence[tool]!, sentence.scores[tool]! / bestInClause)
      }
      clear(sentence)
    }
    for (let at = 0; at < whole.count; at++) {
      const tool = whole.touched[at]!
      whole.scores[tool] = (1 - SENTENCE_SHARE) * whole.scores[tool]! + SENTENCE_SHARE * best * bestSentence[tool]!
      bestSentence[tool] = 0
    }
  }
  const tools = topK(whole.touched, whole.count, whole.scores, limit)
  const scores = Float32Array.from(tools, tool => whole.scores[tool]!)
  clear(whole)
  const strength = best / (inverseDocumentFrequency(postings.toolCount, 1) * (parameters.bm25K1 + 1))
  return {
    tools,
    scores,
    strength,
    matchedFields: tool => matchedFields(snapshot, evidence, tool),
    explain: tool => explain(snapshot, evidence, tool),
  }
}

function fieldsOf({ ids, frequencies }: ToolTerms, term: number): readonly Field[] {
  const at = ids.indexOf(term)
  return at < 0 ? [] : FIELDS.filter((_, field) => frequencies[at * FIELDS.length + field]! > 0)
}

function matchedFields({ analyses }: Snapshot, { groups }: Evidence, tool: number): readonly Field[] {
  const matched = new Set(groups.flatMap(group => group.alternatives.flatMap(({ term }) => fieldsOf(analyses[tool]!, term))))
  return FIELDS.filter(field => matched.has(field))
}

function explain({ postings, analyses }: Snapshot, { surfaces, groups }: Evidence, tool: number): readonly TermContribution[] {
  return groups.flatMap((group, at) => {
    const best = bestAlternative(postings, group, tool)
    return best === undefined ? [] : [{ term: surfaces[at]!, fields: fieldsOf(analyses[tool]!, best.term), score: best.score }]
  }).sort((a, b) => b.score - a.score)
}
