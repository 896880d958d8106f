/**
 * Scoring by groups of alternatives: what a query word and its synonyms, corrections or translations say together.
 * @module
 */

import type { Postings } from './bm25-index.ts'

/** One way to say what a group means. */
export interface Alternative {
  /** Id of a term that the catalogue has. */
  readonly term: number
  /** How much this way counts beside the others, 0..1. */
  readonly weight: number
  /** The word, where it is not the user's own. */
  readonly via?: string
}

/** One thing the query asks for. Of its alternatives the best-scoring one counts in each tool, never their sum. */
export interface TermGroup {
  /** As the user wrote it. */
  readonly surface: string
  /** Importance in the query, above 0. */
  readonly weight: number
  /** One or more. */
  readonly alternatives: readonly Alternative[]
  /** Upper bound of every alternative's inverse document frequency; `Infinity` for none. */
  readonly idfCap: number
}

/** What a query, or one sentence of it, asks for. */
export interface Evidence {
  readonly groups: readonly TermGroup[]
  /** Ordered pairs of neighbours: they lift tools that have a group's evidence and count for nothing else. */
  readonly pairs: readonly TermGroup[]
}

/** Scores by tool, reused from query to query: zero wherever they are not touched. */
export interface Accumulator {
  readonly scores: Float32Array
  /** Sum of the idf masses of the groups that a tool has evidence of. */
  readonly covered: Float32Array
  /** Tools with a score; the first `count` are valid. */
  readonly touched: Int32Array
  count: number
  /** Best alternative of the group that is being added, and the tools that have one. */
  readonly best: Float32Array
  readonly bestTouched: Int32Array
}

export function createAccumulator(toolCount: number): Accumulator {
  return {
    scores: new Float32Array(toolCount),
    covered: new Float32Array(toolCount),
    touched: new Int32Array(toolCount),
    count: 0,
    best: new Float32Array(toolCount),
    bestTouched: new Int32Array(toolCount),
  }
}

/** Makes an accumulator zero again, at the cost of what was touched. */
export function clear(accumulator: Accumulator): void {
  const { scores, covered, touched, count } = accumulator
  for (let at = 0; at < count; at++) scores[touched[at]!] = covered[touched[at]!] = 0
  accumulator.count = 0
}

/** Flattens the weight of rare terms a little; the optimum is wide. */
const IDF_EXPONENT = 0.8

/** Share of the score that depends on how much of what the query asks for a tool has. */
const COVERAGE_SHARE = 0.2

/** `ln(1 + (N − n + ½) / (n + ½)) ^ 0.8` (Robertson and Spärck Jones, bounded below by 0), above 0 for every n in 0..N. */
export function inverseDocumentFrequency(toolCount: number, frequency: number): number {
  return Math.log(1 + (toolCount - frequency + 0.5) / (frequency + 0.5)) ** IDF_EXPONENT
}

/** @returns the idf of a term of the vocabulary; 0 when no tool of this catalogue has it. */
export function idfOf({ toolCount, offsets, idfs }: Postings, term: number): number {
  // The vocabulary may have grown since this catalogue was indexed.
  if (term + 1 >= offsets.length) return 0
  const frequency = offsets[term + 1]! - offsets[term]!
  if (frequency > 0 && idfs[frequency] === 0) idfs[frequency] = inverseDocumentFrequency(toolCount, frequency)
  return idfs[frequency]!
}

/** A group's weight in one of the accumulators it is added to. */
export interface GroupTarget {
  readonly into: Accumulator
  /** In place of the group's own. */
  readonly weight: number
}

/**
 * Scores every tool that has evidence: per group its best alternative, plus ordered pairs, times
 * `0.8 + 0.2 × covered share of the known idf mass`.
 * @param into - clear.
 * @returns the best score, 0 when no tool has evidence.
 */
export function addEvidence(postings: Postings, { groups, pairs }: Evidence, into: Accumulator): number {
  for (const group of groups) addGroup(postings, group, [{ into, weight: group.weight }])
  return completeScores(postings, groups, pairs, into)
}

/** Makes scores of the sums that {@link addGroup} left for these groups. @returns the best. */
export function completeScores(
  postings: Postings, groups: readonly TermGroup[], pairs: readonly TermGroup[], into: Accumulator,
): number {
  let known = 0
  for (const group of groups) known += group.weight * massOf(postings, group)
  for (const pair of pairs) addPair(postings, pair, into)
  const { scores, covered, touched, count } = into
  let best = 0
  for (let at = 0; at < count; at++) {
    const tool = touched[at]!
    const score = scores[tool]! * (1 - COVERAGE_SHARE + COVERAGE_SHARE * covered[tool]! / known)
    scores[tool] = score
    if (score > best) best = score
  }
  return best
}

/** The idf mass of a group at weight 1: what its strongest alternative can add at an impact of 1. */
function massOf(postings: Postings, { alternatives, idfCap }: TermGroup): number {
  let mass = 0
  for (const { term, weight } of alternatives) mass = Math.max(mass, weight * Math.min(idfOf(postings, term), idfCap))
  return mass
}

/**
 * Raises each tool's best score of the group that is being added to that of one term.
 * @param unit - what the term adds for an impact of 1.
 * @param found - how many tools have a best score already.
 * @returns how many have one now.
 */
export function raiseBest(
  { offsets, tools, values: impacts }: Postings, term: number, unit: number, { best, bestTouched }: Accumulator, found: number,
): number {
  for (let at = offsets[term]!, end = offsets[term + 1]!; at < end; at++) {
    const tool = tools[at]!
    const score = unit * impacts[at]!
    const before = best[tool]!
    if (before === 0) bestTouched[found++] = tool
    if (score > before) best[tool] = score
  }
  return found
}

/** Adds a group to one or more accumulators; its postings are read once for all. */
export function addGroup(postings: Postings, group: TermGroup, targets: readonly GroupTarget[]): void {
  const scratch = targets[0]!.into
  const { best, bestTouched } = scratch
  let found = 0
  for (const { term, weight } of group.alternatives) {
    found = raiseBest(postings, term, weight * Math.min(idfOf(postings, term), group.idfCap), scratch, found)
  }
  const mass = massOf(postings, group)
  for (const { into, weight } of targets) {
    const { scores, covered, touched } = into
    const share = weight * mass
    let { count } = into
    for (let at = 0; at < found; at++) {
      const tool = bestTouched[at]!
      const score = scores[tool]!
      if (score === 0) touched[count++] = tool
      scores[tool] = score + weight * best[tool]!
      covered[tool]! += share
    }
    into.count = count
  }
  for (let at = 0; at < found; at++) best[bestTouched[at]!] = 0
}

function addPair(postings: Postings, pair: TermGroup, { scores }: Accumulator): void {
  const { offsets, tools, values: impacts } = postings
  for (const { term, weight } of pair.alternatives) {
    const unit = pair.weight * weight * Math.min(idfOf(postings, term), pair.idfCap)
    for (let at = offsets[term]!, end = offsets[term + 1]!; at < end; at++) {
      const tool = tools[at]!
      if (scores[tool]! > 0) scores[tool]! += unit * impacts[at]!
    }
  }
}

/** What one group gives one tool: the best alternative and its score; `undefined` when the tool has none of them. */
export function bestAlternative(
  postings: Postings,
  group: TermGroup,
  tool: number,
): { readonly alternative: Alternative; readonly score: number } | undefined {
  let best: { alternative: Alternative; score: number } | undefined
  for (const alternative of group.alternatives) {
    const unit = group.weight * alternative.weight * Math.min(idfOf(postings, alternative.term), group.idfCap)
    const score = unit * impactOf(postings, alternative.term, tool)
    if (score > (best?.score ?? 0)) best = { alternative, score }
  }
  return best
}

/** @returns 0 when the tool does not have the term. */
export function impactOf({ offsets, tools, values: impacts }: Postings, term: number, tool: number): number {
  let low = offsets[term]!
  let high = offsets[term + 1]!
  while (low < high) {
    const middle = (low + high) >> 1
    if (tools[middle]! < tool) low = middle + 1
    else high = middle
  }
  return low < offsets[term + 1]! && tools[low] === tool ? impacts[low]! : 0
}
