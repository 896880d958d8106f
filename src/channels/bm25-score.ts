/**
 * Scoring by groups of alternatives: what a query word and its synonyms, corrections or translations say together.
 * @module
 */

import type { Postings } from './bm25-index.ts'
import { greatestOf, toolsAbove } from './scratch.ts'

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

/**
 * Sums by tool, two for each: its score at `2 tool` and beside it, in the same cache line, the idf mass of the groups that it has
 * evidence of. Zero between searches.
 */
export type Sums = Float32Array

/** Flattens the weight of rare terms a little; the optimum is wide. */
const IDF_EXPONENT = 0.8

/** Share of the score that depends on how much of what the query asks for a tool has. */
const COVERAGE_SHARE = 0.2

/** For what rounding makes of sums in another order. */
export const ROUNDING = 0.9999

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

/** What a query, or one sentence of it, could have at most: the idf mass of all its groups. */
export function massOfAll(postings: Postings, groups: readonly TermGroup[]): number {
  return groups.reduce((sum, group) => sum + group.weight * massOf(postings, group), 0)
}

/** A score of the sums of a tool: `Σ × (0.8 + 0.2 × covered share of the mass)`, never above Σ. */
export function completed(sum: number, covered: number, mass: number): number {
  return sum * (1 - COVERAGE_SHARE + COVERAGE_SHARE * covered / mass)
}

/** @returns the best score of any tool, 0 when there is none. */
export function bestOf({ scratch }: Postings, sums: Sums, mass: number): number {
  // With less a tool is below the one with the greatest sum, whatever they cover.
  const floor = (1 - COVERAGE_SHARE) * ROUNDING * greatestOf(scratch, sums)
  const tools = toolsAbove(scratch, sums, floor)
  let best = 0
  for (let at = 0; at < tools.length; at++) {
    const place = 2 * tools[at]!
    best = Math.max(best, completed(sums[place]!, sums[place + 1]!, mass))
  }
  return best
}

/** The idf mass of a group at weight 1: what its strongest alternative can add at an impact of 1. */
function massOf(postings: Postings, { alternatives, idfCap }: TermGroup): number {
  let mass = 0
  for (const { term, weight } of alternatives) mass = Math.max(mass, weight * Math.min(idfOf(postings, term), idfCap))
  return mass
}

/** Where a group is added, and its weight there. */
export interface GroupTarget {
  readonly sums: Sums
  readonly weight: number
}

/** Adds a group, its best alternative for each tool, to one place or two. */
export function addGroup(postings: Postings, group: TermGroup, target: GroupTarget, also?: GroupTarget): void {
  const units = group.alternatives.map(({ term, weight }) => ({ term, unit: weight * Math.min(idfOf(postings, term), group.idfCap) }))
  addBest(postings, units, [], massOf(postings, group), target, also)
}

/** What a term adds for an impact of 1. */
export interface TermUnit {
  readonly term: number
  readonly unit: number
}

/**
 * Adds the best of some terms for each tool, and a mass for each tool that has any. The longest list of postings is read once, the others
 * twice.
 * @param better - terms of tools that may have something in `scratch.best` already, which counts beside the others. It is left zero.
 */
export function addBest(
  { offsets, tools, values, scratch: { kernels, best } }: Postings, units: readonly TermUnit[], better: readonly number[], mass: number,
  { sums, weight }: GroupTarget, also?: GroupTarget,
): void {
  let longest: TermUnit | undefined
  let length = 0
  for (const unit of units) {
    const own = offsets[unit.term + 1]! - offsets[unit.term]!
    if (own <= length) continue
    longest = unit
    length = own
  }
  const toolsAt = tools.byteOffset
  const valuesAt = values.byteOffset
  const bestAt = best.byteOffset
  const isOnly = units.length === 1 && better.length === 0
  const otherSums = also?.sums.byteOffset ?? 0
  const otherWeight = also?.weight ?? 0
  function take(term: number, unit: number): void {
    const from = offsets[term]!
    const at = toolsAt + 4 * from
    const valueAt = valuesAt + 4 * from
    const count = offsets[term + 1]! - from
    if (isOnly) {
      kernels.takeOnly(at, valueAt, count, unit, sums.byteOffset, weight, weight * mass, otherSums, otherWeight, otherWeight * mass)
    } else {
      kernels.take(at, valueAt, count, unit, bestAt, sums.byteOffset, weight, weight * mass, otherSums, otherWeight, otherWeight * mass)
    }
  }
  for (const other of units) {
    if (other === longest) continue
    const from = offsets[other.term]!
    kernels.raise(toolsAt + 4 * from, valuesAt + 4 * from, offsets[other.term + 1]! - from, other.unit, bestAt)
  }
  if (longest !== undefined) take(longest.term, longest.unit)
  for (const other of units) if (other !== longest) take(other.term, 0)
  for (const term of better) take(term, 0)
}

/** Adds ordered pairs, for tools that have a sum already. */
export function addPairs(postings: Postings, pairs: readonly TermGroup[], sums: Sums): void {
  const { offsets, tools, values, scratch: { kernels } } = postings
  for (const pair of pairs) {
    for (const { term, weight } of pair.alternatives) {
      const unit = pair.weight * weight * Math.min(idfOf(postings, term), pair.idfCap)
      const from = offsets[term]!
      kernels.lift(tools.byteOffset + 4 * from, values.byteOffset + 4 * from, offsets[term + 1]! - from, unit, sums.byteOffset)
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
