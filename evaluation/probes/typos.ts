/**
 * What one typing error costs.
 *
 * A word of five or more Latin letters that stands alone (no part of an identifier, path or address) gets one edit at a random place:
 * a letter changed, dropped, added, or two neighbours swapped.
 * @module
 */

import type { ToolDeclaration } from '../../src/catalog/types.ts'
import { baselineText, baselineTokens } from '../engines/baseline.ts'
import type { Engine, Searchable } from '../engines/engine.ts'
import { mean } from '../metrics.ts'
import { createRandom, drawInteger, seedOf } from '../random.ts'
import type { Random } from '../random.ts'
import type { Progress } from '../report/progress.ts'
import { askAll, sampledSet, scoresOf } from '../run.ts'
import type { RunsOfSet } from '../run.ts'
import type { JudgedQuery, QuerySet } from '../sets.ts'

const TYPABLE_WORD = /(?<![\p{L}\p{N}_.@/#-])[A-Za-z]{5,}(?![\p{L}\p{N}_@/-]|:\/|\.\p{L})/gu

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
 * @param target - `any`: the misspelt word is any but a stop word; `telling`: one that a relevant tool's definition has, where an
 *   error must hurt.
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

export interface TypoReport {
  readonly target: 'any' | 'telling'
  readonly sets: number
  readonly pairs: number
  /** Macro Recall@8 of the same queries, by engine label. */
  readonly engines: readonly { readonly engine: string; readonly clean: number; readonly typo: number }[]
}

/** Queries of a set that get a typo, at most. */
const TYPO_QUERIES = 150

/** A mean over fewer queries than this says nothing about a set. */
const FEWEST_TYPOS = 20

/** Typing errors, on the indexes of earlier runs. */
export async function measureTypos(runs: readonly RunsOfSet[], engines: readonly Engine[], progress: Progress): Promise<TypoReport[]> {
  progress.stage('typing errors', 2 * runs.length)
  const reports: TypoReport[] = []
  for (const target of ['any', 'telling'] as const) {
    const used: { readonly pairs: number; readonly values: { readonly clean: number; readonly typo: number }[] }[] = []
    for (const ofSet of runs) {
      const pairs = typoPairs(sampledSet(ofSet[engines[0]!.id]!.set, TYPO_QUERIES), target)
      progress.step()
      if (pairs.length < FEWEST_TYPOS) continue
      const recall = async (index: Searchable, version: 'clean' | 'typo') =>
        scoresOf(await askAll(index, pairs.map(pair => pair[version]))).recall8
      const values: (typeof used)[number]['values'] = []
      for (const { id } of engines) {
        values.push({ clean: await recall(ofSet[id]!.index, 'clean'), typo: await recall(ofSet[id]!.index, 'typo') })
      }
      used.push({ pairs: pairs.length, values })
    }
    if (used.length === 0) continue
    reports.push({
      target,
      sets: used.length,
      pairs: used.reduce((sum, { pairs }) => sum + pairs, 0),
      engines: engines.map(({ label }, i) => ({
        engine: label,
        clean: mean(used.map(({ values }) => values[i]!.clean)),
        typo: mean(used.map(({ values }) => values[i]!.typo)),
      })),
    })
  }
  return reports
}
