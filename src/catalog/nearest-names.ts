/**
 * Names that look like what was asked for, for answers that have nothing else to offer.
 * @module
 */

import { nameForm, nameFormsOf } from './name-index.ts'
import type { Catalog } from './types.ts'

/** Characters of the query that are compared: no name is longer, and the cost stays that of one look at each name. */
const COMPARED_CHARACTERS = 64

/** Lower similarity is chance: two names of six letters that share two pairs have .29. */
const MIN_SIMILARITY = 0.3

/** The borders of a text as characters, so that a shared beginning or end counts. */
const BORDER = 0

/** Calls back with a number for each pair of neighbouring UTF-16 units, borders included: one pair more than units. */
function forEachPair(form: string, visit: (pair: number) => void): void {
  let previous = BORDER
  for (let at = 0; at <= form.length; at += 1) {
    const unit = at < form.length ? form.charCodeAt(at) : BORDER
    visit(previous * 0x10000 + unit)
    previous = unit
  }
}

/**
 * Compares texts with one: the share of pairs that two have in common, 0..1, repeated pairs counted as often as both have them.
 * That is Dice's coefficient on bigrams (Adamson and Boreham 1974); unlike edit distance it survives words in another order.
 */
function similarityTo(asked: string): (form: string) => number {
  const counts = new Map<number, number>()
  forEachPair(asked, pair => counts.set(pair, (counts.get(pair) ?? 0) + 1))
  return (form) => {
    const shared: number[] = []
    forEachPair(form, (pair) => {
      const left = counts.get(pair)
      if (left === undefined || left === 0) return
      counts.set(pair, left - 1)
      shared.push(pair)
    })
    for (const pair of shared) counts.set(pair, counts.get(pair)! + 1)
    return 2 * shared.length / (asked.length + form.length + 2)
  }
}

/**
 * The tools whose name is most like a name or a few words, best first; ties in name order. One look at each name, which is why
 * it is for empty answers only.
 * @param within - the only tools that count, when the query is restricted to some.
 */
export function nearestNames(catalog: Catalog, asked: string, limit: number, within?: ReadonlySet<number>): string[] {
  const form = nameForm(asked).slice(0, COMPARED_CHARACTERS)
  if (form === '') return []
  const similarity = similarityTo(form)
  const near: { readonly name: string; readonly similarity: number }[] = []
  for (const [tool, { name }] of catalog.tools.entries()) {
    if (within !== undefined && !within.has(tool)) continue
    const best = Math.max(...nameFormsOf(catalog, tool).map(similarity))
    if (best >= MIN_SIMILARITY) near.push({ name, similarity: best })
  }
  return near.sort((left, right) => right.similarity - left.similarity).slice(0, limit).map(({ name }) => name)
}
