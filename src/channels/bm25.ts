/**
 * The lexical channel: BM25F over a tool's fields, with synonyms, spelling, word order and sentences as evidence.
 * @module
 */

import { FIELDS } from '../catalog/types.ts'
import type { QueryPlan } from '../query/plan.ts'
import { evidenceOf } from './bm25-evidence.ts'
import { addEvidence, bestAlternative, clear, idfOf, inverseDocumentFrequency } from './bm25-score.ts'
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
  const { scratch: { whole }, postings } = index
  const evidence = evidenceOf(index, plan.terms)
  const best = addEvidence(postings, evidence, whole)
  if (best > 0 && plan.clauses.length > 1) addSentences(index, plan, best)
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

/** `0.75 × whole query + 0.25 × best sentence`, each sentence normalised to the best tool of the whole query. */
function addSentences(index: LexicalIndex, plan: QueryPlan, best: number): void {
  const { postings, scratch: { whole, sentence, bestSentence } } = index
  for (const { terms } of plan.clauses) {
    const bestHere = addEvidence(postings, evidenceOf(index, terms), sentence)
    for (let at = 0; at < sentence.count; at++) {
      const tool = sentence.touched[at]!
      const share = sentence.scores[tool]! / bestHere
      if (share > bestSentence[tool]!) bestSentence[tool] = share
    }
    clear(sentence)
  }
  for (let at = 0; at < whole.count; at++) {
    const tool = whole.touched[at]!
    whole.scores[tool] = (1 - SENTENCE_SHARE) * whole.scores[tool]! + SENTENCE_SHARE * best * bestSentence[tool]!
    bestSentence[tool] = 0
  }
}

/** Multiplies every score by `1 + boost × share of the name's idf mass that the query asks for`, by the weight it asks with. */
function boostNames({ postings, names: { offsets, terms, masses }, scratch: { whole, asked } }: LexicalIndex, { groups }: Evidence): void {
  for (const { weight: importance, alternatives } of groups) {
    for (const { term, weight } of alternatives) asked[term] = Math.max(asked[term]!, importance * weight * idfOf(postings, term))
  }
  const { scores, touched, count } = whole
  for (let at = 0; at < count; at++) {
    const tool = touched[at]!
    let covered = 0
    for (let word = offsets[tool]!, end = offsets[tool + 1]!; word < end; word++) covered += asked[terms[word]!]!
    if (covered > 0) scores[tool]! *= 1 + NAME_BOOST * covered / masses[tool]!
  }
  for (const { alternatives } of groups) for (const { term } of alternatives) asked[term] = 0
}

/** Takes the best of the scratch space, and leaves it clear. */
function takeRanking(index: LexicalIndex, evidence: Evidence, limit: number): ChannelRanking {
  const { postings, scratch: { whole } } = index
  const tools = topK(whole.touched, whole.count, whole.scores, limit)
  const scores = Float32Array.from(tools, tool => whole.scores[tool]!)
  clear(whole)
  return {
    tools,
    scores,
    matchedFields: (tool) => {
      const matched = new Set(evidence.groups.flatMap(({ alternatives }) => alternatives.flatMap(({ term }) => index.fieldsOf(tool, term))))
      return FIELDS.filter(field => matched.has(field))
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
