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
 * Every pair of neighbouring UTF-16 units of a text, borders included: one pair more than units. A pair's second occurrence is a key of
 * its own, so that texts share a repeated pair as often as both have it.
 */
function pairsOf(form: string): Set<number> {
  const pairs = new Set<number>()
  let previous = BORDER
  for (let at = 0; at <= form.length; at += 1) {
    const unit = at < form.length ? form.charCodeAt(at) : BORDER
    let key = previous * 0x10000 + unit
    while (pairs.has(key)) key += 0x100000000
    pairs.add(key)
    previous = unit
  }
  return pairs
}

/** The forms of every name by their pairs. */
interface PairIndex {
  /** Numbers of forms, ascending. */
  readonly byPair: ReadonlyMap<number, readonly number[]>
  /** By number of a form. */
  readonly tools: readonly number[]
  readonly lengths: readonly number[]
}

/** By `indexByName`, which catalogues share as long as their names are the same; made for the first answer that is empty. */
const indexes = new WeakMap<Catalog['indexByName'], PairIndex>()

function pairIndexOf(catalog: Catalog): PairIndex {
  const known = indexes.get(catalog.indexByName)
  if (known !== undefined) return known
  const byPair = new Map<number, number[]>()
  const tools: number[] = []
  const lengths: number[] = []
  for (let tool = 0; tool < catalog.tools.length; tool += 1) {
    for (const form of nameFormsOf(catalog, tool)) {
      for (const pair of pairsOf(form)) {
        const forms = byPair.get(pair)
        if (forms === undefined) byPair.set(pair, [tools.length])
        else forms.push(tools.length)
      }
      tools.push(tool)
      lengths.push(form.length)
    }
  }
  const index: PairIndex = { byPair, tools, lengths }
  indexes.set(catalog.indexByName, index)
  return index
}

/**
 * The tools whose name is most like a name or a few words, best first; ties in name order. Likeness is the share of pairs that two texts
 * have in common, 0..1: Dice's coefficient on bigrams (Adamson and Boreham 1974); unlike edit distance it survives words in another order.
 * @param within - the only tools that count, when the query is restricted to some.
 */
export function nearestNames(catalog: Catalog, asked: string, limit: number, within?: ReadonlySet<number>): string[] {
  const form = nameForm(asked).slice(0, COMPARED_CHARACTERS)
  if (form === '') return []
  const { byPair, tools, lengths } = pairIndexOf(catalog)
  const shared = new Uint16Array(tools.length)
  for (const pair of pairsOf(form)) for (const other of byPair.get(pair) ?? []) shared[other]! += 1
  const best = new Map<number, number>()
  for (const [other, count] of shared.entries()) {
    const similarity = 2 * count / (form.length + lengths[other]! + 2)
    const tool = tools[other]!
    if (similarity < MIN_SIMILARITY || (within !== undefined && !within.has(tool))) continue
    best.set(tool, Math.max(similarity, best.get(tool) ?? 0))
  }
  return [...best]
    .sort(([left, similarity], [right, other]) => other - similarity || left - right)
    .slice(0, limit)
    .map(([tool]) => catalog.tools[tool]!.name)
}
