/**
 * The lexical channel: BM25F over a tool's fields, with synonyms, spelling, word order and sentences as evidence.
 * @module
 */

import type { QueryPlan } from '../query/plan.ts'
import { createEvidenceReader } from './bm25-evidence.ts'
import { addEvidence, addGroup, bestAlternative, clear, completeScores, idfOf, inverseDocumentFrequency } from './bm25-score.ts'
import type { Evidence } from './bm25-score.ts'
import type { Channel, ChannelContext, ChannelRanking } from './channel.ts'
import type { LexicalIndex } from './lexical-index.ts'
import { topK } from './top-k.ts'

/** Share of the best sentence in a query of several. */
const SENTENCE_SHARE = 0.25

/**
 * How much a name that is wholly asked for lifts a tool. BM25 asks how much of the query a tool has; this asks how much of the tool's
 * own name the query has, which tells `get_weather` from `get_weather_radar_tile`. Measured: +0.7 R@8, +1.2 R@1; 1 is as good.
 */
const NAME_BOOST = 0.5

export function createBm25Channel({ lexicalIndex, config }: ChannelContext): Channel {
  return {
    id: 'bm25',
    index: (catalog) => {
      const index = lexicalIndex(catalog)
      const greatest = inverseDocumentFrequency(catalog.tools.length, 1) * (config.bm25K1 + 1)
      return { search: (plan, limit) => rankPlan(index, plan, limit, greatest) }
    },
  }
}

function rankPlan(index: LexicalIndex, plan: QueryPlan, limit: number, greatest: number): ChannelRanking {
  const reader = createEvidenceReader(index)
  const evidence = reader.read(plan.terms)
  const best = plan.clauses.length > 1
    ? addWithSentences(index, evidence, plan.clauses.map(({ terms }) => reader.read(terms)))
    : addEvidence(index.postings, evidence, index.scratch.whole)
  boostNames(index, evidence)
  return { ...takeRanking(index, evidence, limit), strength: best / greatest }
}

/**
 * Ranks the tools of a catalogue by groups of alternatives and nothing else.
 * @param evidence - term ids of this index.
 */
export function rankEvidence(index: LexicalIndex, evidence: Evidence, limit: number): ChannelRanking {
  addEvidence(index.postings, evidence, index.scratch.whole)
  return takeRanking(index, evidence, limit)
}

/**
 * `0.75 × whole query + 0.25 × best sentence`, each sentence normalised to the best tool of the whole query. A group is added to its
 * sentence and to the whole at once.
 * @returns the best score of the whole query, before its sentences count.
 */
function addWithSentences(index: LexicalIndex, { groups, pairs }: Evidence, sentences: readonly Evidence[]): number {
  const { postings, scratch: { whole, sentence, bestSentence } } = index
  const missing = new Map(groups.map(group => [group.alternatives, group]))
  for (const said of sentences) {
    for (const group of said.groups) {
      const ofWhole = missing.get(group.alternatives)
      missing.delete(group.alternatives)
      const targets = [{ into: sentence, weight: group.weight }]
      if (ofWhole !== undefined) targets.push({ into: whole, weight: ofWhole.weight })
      addGroup(postings, group, targets)
    }
    const bestHere = completeScores(postings, said.groups, said.pairs, sentence)
    for (let at = 0; at < sentence.count; at++) {
      const tool = sentence.touched[at]!
      const share = sentence.scores[tool]! / bestHere
      if (share > bestSentence[tool]!) bestSentence[tool] = share
    }
    clear(sentence)
  }
  for (const group of missing.values()) addGroup(postings, group, [{ into: whole, weight: group.weight }])
  const best = completeScores(postings, groups, pairs, whole)
  for (let at = 0; at < whole.count; at++) {
    const tool = whole.touched[at]!
    whole.scores[tool] = (1 - SENTENCE_SHARE) * whole.scores[tool]! + SENTENCE_SHARE * best * bestSentence[tool]!
    bestSentence[tool] = 0
  }
  return best
}

/** Multiplies every score by `1 + boost × share of the name's idf mass that the query asks for`, by the weight it asks with. */
function boostNames(index: LexicalIndex, { groups }: Evidence): void {
  const { postings, names: { offsets, tools }, scratch: { whole, asked } } = index
  for (const { weight: importance, alternatives } of groups) {
    for (const { term, weight } of alternatives) asked[term] = Math.max(asked[term]!, importance * weight * idfOf(postings, term))
  }
  const { scores, best: covered, bestTouched } = whole
  let found = 0
  for (const { alternatives } of groups) {
    for (const { term } of alternatives) {
      const mass = asked[term]!
      asked[term] = 0
      // Two groups may have the same alternative.
      if (mass === 0) continue
      for (let at = offsets[term]!, end = offsets[term + 1]!; at < end; at++) {
        const tool = tools[at]!
        if (covered[tool] === 0) bestTouched[found++] = tool
        covered[tool]! += mass
      }
    }
  }
  for (let at = 0; at < found; at++) {
    const tool = bestTouched[at]!
    scores[tool]! *= 1 + NAME_BOOST * covered[tool]! / index.nameMass(tool)
    covered[tool] = 0
  }
}

/** Takes the best of the scratch space, and leaves it clear. */
function takeRanking(index: LexicalIndex, evidence: Evidence, limit: number): ChannelRanking {
  const { postings, scratch: { whole } } = index
  const tools = topK(whole.touched, whole.count, whole.scores, limit)
  const scores = Float32Array.from(tools, tool => whole.scores[tool]!)
  clear(whole)
  let terms: Set<number> | undefined
  return {
    tools,
    scores,
    matchedFields: (tool) => {
      terms ??= new Set(evidence.groups.flatMap(({ alternatives }) => alternatives.map(({ term }) => term)))
      return index.fieldsWith(tool, terms)
    },
    explain: tool => [...evidence.groups, ...evidence.pairs]
      .flatMap((group) => {
        const best = bestAlternative(postings, group, tool)
        if (best === undefined) return []
        const { alternative: { term, via }, score } = best
        return [{ term: group.surface, ...(via === undefined ? {} : { via }), fields: index.fieldsOf(tool, term), score }]
      })
      .sort((a, b) => b.score - a.score),
  }
}
