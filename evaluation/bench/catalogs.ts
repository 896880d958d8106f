/**
 * Catalogues of given sizes, made of real tools, and real queries to ask of them.
 * @module
 */

import type { ToolDeclaration } from '../../src/catalog/types.ts'
import { createRandom, drawInteger, sample, seedOf } from '../random.ts'
import type { Random } from '../random.ts'
import type { QuerySet } from '../sets.ts'

export interface BenchCatalog {
  readonly size: number
  /** `real`: tools as declared somewhere; `recombined`: name, description and parameters of different real tools. */
  readonly origin: 'real' | 'recombined'
  readonly tools: readonly ToolDeclaration[]
}

/** A query and whether it is English: the peers find nothing in most other languages, and do so in no time. */
export interface BenchQuery {
  readonly query: string
  readonly isEnglish: boolean
}

/** Distinct names, the first of each name. */
function distinct(tools: readonly ToolDeclaration[]): ToolDeclaration[] {
  return [...new Map(tools.toReversed().map(tool => [tool.name, tool])).values()].toReversed()
}

const firstSentence = (text = ''): string => /^.{1,200}?(?:[.。\n]|$)/su.exec(text)?.[0].trim() ?? text.slice(0, 200)

/** Tools that nobody has, with the words of real ones: name and description of two tools, parameters of a third. */
function recombine(pool: readonly ToolDeclaration[], size: number, random: Random): ToolDeclaration[] {
  const draw = () => pool[drawInteger(random, pool.length)]!
  const tools = new Map<string, ToolDeclaration>()
  while (tools.size < size) {
    const [first, second, third] = [draw(), draw(), draw()]
    const name = `${first.name}_${second.name.split(/[_.-]/).at(-1)}`
    tools.set(name, { name, description: `${firstSentence(first.description)} ${firstSentence(second.description)}`, parameters: third.parameters })
  }
  return [...tools.values()]
}

/**
 * @param sets - where the tools come from: a sample of the largest judged catalogue as long as it is large enough, then all of the
 *   largest ones together, then recombined ones.
 */
export function benchCatalog(sets: readonly QuerySet[], size: number): BenchCatalog {
  const random = createRandom(seedOf(`catalogue ${size}`))
  const bySize = sets.toSorted((a, b) => b.tools.length - a.tools.length)
  const judged = bySize.find(set => set.queries.length > 0)
  if (judged !== undefined && judged.tools.length >= size) return { size, origin: 'real', tools: sample(judged.tools, size, random) }
  const pool = distinct(bySize.flatMap(set => set.tools))
  if (pool.length >= size) return { size, origin: 'real', tools: pool.slice(0, size) }
  return { size, origin: 'recombined', tools: recombine(pool, size, random) }
}

/** The same number of queries from each set, mixed. */
export function benchQueries(sets: readonly QuerySet[], perSet: number): BenchQuery[] {
  const random = createRandom(seedOf('queries'))
  const queries = sets.flatMap(set => sample(set.queries, perSet, random)).map(({ query, lang }) => ({ query, isEnglish: lang === 'en' }))
  return sample(queries, queries.length, random)
}
