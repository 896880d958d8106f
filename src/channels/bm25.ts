/**
 * The lexical channel: BM25F over a tool's fields, with synonyms, spelling, word order and sentences as evidence.
 * @module
 */

import type { QueryPlan } from '../query/plan.ts'
import { readEvidence } from './bm25-evidence.ts'
import {
  addGroup, addPairs, bestAlternative, bestOf, completed, idfOf, inverseDocumentFrequency, massOfAll, ROUNDING,
} from './bm25-score.ts'
import type { Evidence, Sums, TermGroup } from './bm25-score.ts'
import type { Channel, ChannelContext, ChannelRanking } from './channel.ts'
import type { LexicalIndex } from './lexical-index.ts'
import { headStart, toolsAbove } from './scratch.ts'
import { Best, scoresOf } from './top-k.ts'

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
  const evidence = readEvidence(index, plan.terms)
  const sentences = addAll(index, evidence, plan.clauses.map(({ terms }) => readEvidence(index, terms)))
  const { best, ranking } = takeRanking(index, evidence, sentences, limit)
  return { ...ranking, strength: best / greatest }
}

/**
 * Ranks the tools of a catalogue by groups of alternatives and nothing else.
 * @param evidence - term ids of this index.
 */
export function rankEvidence(index: LexicalIndex, evidence: Evidence, limit: number): ChannelRanking {
  addAll(index, evidence, [])
  return takeRanking(index, evidence, [], limit).ranking
}

/** A sentence of a query of several, with its sums. */
interface Sentence {
  readonly sums: Sums
  readonly mass: number
  /** The best score of any tool. */
  readonly best: number
}

/**
 * Leaves the sums of the whole query and those of its sentences. A group is added to its sentence and to the whole at once.
 * @returns the sentences that some tool has evidence of.
 */
function addAll({ postings }: LexicalIndex, { groups, pairs }: Evidence, sentences: readonly Evidence[]): Sentence[] {
  const { whole, sentences: sumsOf } = postings.scratch
  const missing = new Map(groups.map(group => [group.alternatives, group]))
  const said = sentences.slice(0, sumsOf.length).map((sentence, at): Sentence => {
    const sums = sumsOf[at]!
    for (const group of sentence.groups) {
      const ofWhole = missing.get(group.alternatives)
      missing.delete(group.alternatives)
      const { weight } = group
      addGroup(postings, group, { sums, weight }, ofWhole && { sums: whole, weight: ofWhole.weight })
    }
    addPairs(postings, sentence.pairs, sums)
    const mass = massOfAll(postings, sentence.groups)
    return { sums, mass, best: bestOf(postings, sums, mass) }
  })
  for (const group of missing.values()) addGroup(postings, group, { sums: whole, weight: group.weight })
  addPairs(postings, pairs, whole)
  return said.filter(sentence => sentence.best > 0)
}

/** The greatest score of a tool in any of the sentences, each sentence's best tool having 1. */
function bestSentence(sentences: readonly Sentence[], tool: number): number {
  let greatest = 0
  for (const { sums, mass, best } of sentences) {
    const sum = sums[2 * tool]!
    if (sum > greatest * best) greatest = Math.max(greatest, completed(sum, sums[2 * tool + 1]!, mass) / best)
  }
  return greatest
}

function termsOf(groups: readonly TermGroup[]): number[] {
  return groups.flatMap(({ alternatives }) => alternatives.map(({ term }) => term))
}

/** Leaves, for each tool, the idf mass of its name that the query asks for, by the weight it asks with. */
function addNames({ postings, names }: LexicalIndex, groups: readonly TermGroup[]): void {
  const { best: covered, asked } = postings.scratch
  const { offsets, tools } = names
  for (const { weight: importance, alternatives } of groups) {
    for (const { term, weight } of alternatives) asked[term] = Math.max(asked[term]!, importance * weight * idfOf(postings, term))
  }
  for (const term of termsOf(groups)) {
    const mass = asked[term]!
    // Two groups may have the same alternative.
    asked[term] = 0
    if (mass > 0) for (let at = offsets[term]!, end = offsets[term + 1]!; at < end; at++) covered[tools[at]!]! += mass
  }
}

/**
 * Takes the best by `(0.75 × whole query + 0.25 × best sentence) × (1 + boost × share of the name's idf mass that is asked for)`, and
 * leaves the scratch space clear.
 * @returns with the best score of the whole query alone.
 */
function takeRanking(
  index: LexicalIndex, evidence: Evidence, sentences: readonly Sentence[], limit: number,
): { readonly best: number; readonly ranking: ChannelRanking } {
  const { postings } = index
  const { scratch } = postings
  const { whole, best: named, final } = scratch
  const mass = massOfAll(postings, evidence.groups)
  const best = bestOf(postings, whole, mass)
  addNames(index, evidence.groups)
  const wholeShare = sentences.length > 0 ? 1 - SENTENCE_SHARE : 1
  const sentenceShare = sentences.length > 0 ? SENTENCE_SHARE * best : 0
  const kept = new Best(limit, final)
  const leastSum = leastSumFor(wholeShare, sentenceShare, Math.min(...sentences.map(sentence => sentence.best)))
  const first = headStart(scratch, whole, limit)
  let floor = first
  let plainFloor = 0
  for (let pass = 0; pass < 2 && (pass === 0 || floor < first); pass++) {
    const tools = toolsAbove(scratch, whole, floor)
    for (let at = 0; at < tools.length; at++) {
      const tool = tools[at]!
      const sum = whole[2 * tool]!
      if (sum <= floor) continue
      // A tool that comes again has been looked at.
      whole[2 * tool] = 0
      const boost = named[tool] === 0 ? 1 : 1 + NAME_BOOST * named[tool]! / index.nameMass(tool)
      if (sum <= (boost === 1 ? plainFloor : leastSum(kept.least / boost))) continue
      const score = wholeShare * completed(sum, whole[2 * tool + 1]!, mass) + sentenceShare * bestSentence(sentences, tool)
      final[tool] = score * boost
      if (final[tool] < kept.least) continue
      kept.offer(tool)
      plainFloor = leastSum(kept.least)
      floor = Math.max(floor, leastSum(kept.least / (1 + NAME_BOOST)))
    }
    floor = Math.max(0, leastSum(kept.least / (1 + NAME_BOOST)))
  }
  whole.fill(0)
  named.fill(0)
  for (const { sums } of sentences) sums.fill(0)
  return { best, ranking: rankingOf(index, evidence, kept.take()) }
}

/**
 * @param weakest - the best score of the weakest sentence. A sentence's sum of a tool is no greater than the whole's.
 * @returns the greatest sum with which no tool can have a score before its boost.
 */
function leastSumFor(wholeShare: number, sentenceShare: number, weakest: number): (score: number) => number {
  const allOfWeakest = wholeShare * weakest + sentenceShare
  return score => ROUNDING * (score > allOfWeakest ? (score - sentenceShare) / wholeShare : score / (wholeShare + sentenceShare / weakest))
}

function rankingOf(index: LexicalIndex, evidence: Evidence, tools: Int32Array): ChannelRanking {
  const { postings } = index
  const scores = scoresOf(tools, postings.scratch.final)
  let terms: Set<number> | undefined
  return {
    tools,
    scores,
    matchedFields: (tool) => {
      terms ??= new Set(termsOf(evidence.groups))
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
