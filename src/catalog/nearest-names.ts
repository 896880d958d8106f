/**
 * Names that look like what was asked for, for answers that have nothing else to offer.
 * @module
 */

import { nameForm, nameFormsOf } from './name-index.ts'
import type { Catalog } from './types.ts'

/** Characters of the query that are compared: no name is longer. */
const COMPARED_CHARACTERS = 64

/** Lower similarity is chance: two names of six letters that share two pairs have .29. */
const MIN_SIMILARITY = 0.3

/** The borders of a text as characters, so that a shared beginning or end counts. */
const BORDER = 0

/**
 * Pairs of neighbouring UTF-16 units are told apart by so many bits of a hash (Knuth, The Art of Computer Programming 3, 6.4): beside the
 * 65 that a query may have, one in a thousand others is taken for one of them.
 */
const HASH_BITS = 16

/** Adds the pairs of a text, borders included: one more than it has units. */
function addPairs(form: string, pairs: number[]): void {
  let previous = BORDER
  for (let at = 0; at <= form.length; at++) {
    const unit = at < form.length ? form.charCodeAt(at) : BORDER
    pairs.push(Math.imul(previous << 16 | unit, 0x9E3779B1) >>> (32 - HASH_BITS))
    previous = unit
  }
}

/** The pairs of every form of every name, one form's after the other's: two bytes each, read from end to end for every question. */
interface NamePairs {
  readonly pairs: Uint16Array
  /** By form: where its pairs end, and its tool; ascending. */
  readonly ends: Int32Array
  readonly tools: Int32Array
}

/** By `indexByName`, which catalogues share as long as their names are the same; made for the first answer that is empty. */
const known = new WeakMap<Catalog['indexByName'], NamePairs>()

function namePairsOf(catalog: Catalog): NamePairs {
  let ofNames = known.get(catalog.indexByName)
  if (ofNames === undefined) {
    const pairs: number[] = []
    const ends: number[] = []
    const tools: number[] = []
    for (let tool = 0; tool < catalog.tools.length; tool++) {
      for (const form of nameFormsOf(catalog, tool)) {
        addPairs(form, pairs)
        ends.push(pairs.length)
        tools.push(tool)
      }
    }
    known.set(catalog.indexByName, ofNames = { pairs: Uint16Array.from(pairs), ends: Int32Array.from(ends), tools: Int32Array.from(tools) })
  }
  return ofNames
}

/** How many pairs two texts share, a repeated one as often as both have it. @param left - how often the first has each; left so. */
function countShared(left: Uint8Array, pairs: Uint16Array): number {
  const taken: number[] = []
  for (const pair of pairs) {
    if (left[pair] === 0) continue
    left[pair]! -= 1
    taken.push(pair)
  }
  for (const pair of taken) left[pair]! += 1
  return taken.length
}

/**
 * The tools whose name is most like a name or a few words, best first; ties in name order. Likeness is the share of pairs that two texts
 * have in common, 0..1: Dice's coefficient on bigrams (Adamson and Boreham 1974); unlike edit distance it survives words in another order.
 * @param within - the only tools that count, when the query is restricted to some.
 */
export function nearestNames(catalog: Catalog, asked: string, limit: number, within?: ReadonlySet<number>): string[] {
  const form = nameForm(asked).slice(0, COMPARED_CHARACTERS)
  if (form === '') return []
  const { pairs, ends, tools } = namePairsOf(catalog)
  const own: number[] = []
  addPairs(form, own)
  const left = new Uint8Array(2 ** HASH_BITS)
  const isOwn = new Uint8Array(2 ** HASH_BITS)
  for (const pair of own) {
    left[pair]! += 1
    isOwn[pair] = 1
  }
  const best = new Map<number, number>()
  for (let other = 0, at = 0; other < ends.length; other++) {
    const start = at
    let atMost = 0
    for (const end = ends[other]!; at < end; at++) atMost += isOwn[pairs[at]!]!
    const half = (own.length + at - start) / 2
    const tool = tools[other]!
    if (atMost / half < MIN_SIMILARITY || (within !== undefined && !within.has(tool))) continue
    const similarity = countShared(left, pairs.subarray(start, at)) / half
    if (similarity >= MIN_SIMILARITY) best.set(tool, Math.max(similarity, best.get(tool) ?? 0))
  }
  return [...best]
    .sort(([left, similarity], [right, other]) => other - similarity || left - right)
    .slice(0, limit)
    .map(([tool]) => catalog.tools[tool]!.name)
}
