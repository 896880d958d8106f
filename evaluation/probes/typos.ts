/**
 * What one typing error costs.
 *
 * A word of five or more Latin letters that stands alone (no part of an identifier, path or address) gets one edit at a random place:
 * a letter changed, dropped, added, or two neighbours swapped.
 * @module
 */

import type { ToolDeclaration } from '../../src/catalog/types.ts'
import { baselineText, baselineTokens } from '../engines/baseline.ts'
import { createRandom, drawInteger, seedOf } from '../random.ts'
import type { Random } from '../random.ts'
import type { JudgedQuery, QuerySet } from '../sets.ts'

const TYPABLE_WORD = /(?<![\p{L}\p{N}_.@/#-])[A-Za-z]{5,}(?![\p{L}\p{N}_@/-])/gu

/** One random edit; never the word itself. */
export function misspell(word: string, random: Random): string {
  for (;;) {
    const at = drawInteger(random, word.length)
    const letter = String.fromCharCode(97 + drawInteger(random, 26))
    const edits = [
      word.slice(0, at) + letter + word.slice(at + 1),
      word.slice(0, at) + word.slice(at + 1),
      word.slice(0, at) + letter + word.slice(at),
      word.slice(0, at) + word.slice(at, at + 2).split('').reverse().join('') + word.slice(at + 2),
    ]
    const edited = edits[drawInteger(random, edits.length)]!
    if (edited.toLowerCase() !== word.toLowerCase()) return edited
  }
}

/** The query with one word misspelt, or undefined when it has no such word. */
export function withTypo(query: string, mayChange: (word: string) => boolean, random: Random): string | undefined {
  const places = [...query.matchAll(TYPABLE_WORD)].filter(([word]) => mayChange(word))
  const place = places[drawInteger(random, places.length)]
  if (place === undefined) return undefined
  return query.slice(0, place.index) + misspell(place[0], random) + query.slice(place.index + place[0].length)
}

/** A query and itself with a typo. */
export interface TypoPair {
  readonly clean: JudgedQuery
  readonly typo: JudgedQuery
}

/** Stems of a tool's definition with its identifiers split: what a query word can meet there. */
function vocabularyOf(tool: ToolDeclaration): Set<string> {
  const text = baselineText(tool)
  return new Set(baselineTokens(`${text} ${text.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replaceAll(/[_.-]/g, ' ')}`))
}

/**
 * The queries of a set that can have a typo.
 * @param target - `any`: the misspelt word is any but a stop word; `telling`: one that a relevant tool's definition has, where an error must hurt.
 */
export function typoPairs(set: QuerySet, target: 'any' | 'telling'): TypoPair[] {
  const tools = new Map(set.tools.map(tool => [tool.name, tool]))
  return set.queries.flatMap((clean) => {
    const told = clean.relevant.flatMap(name => tools.has(name) ? [vocabularyOf(tools.get(name)!)] : [])
    const mayChange = (word: string) =>
      baselineTokens(word).some(stem => target === 'any' || told.some(vocabulary => vocabulary.has(stem)))
    const query = withTypo(clean.query, mayChange, createRandom(seedOf(`${target} ${clean.id}`)))
    return query === undefined ? [] : [{ clean, typo: { ...clean, query } }]
  })
}
