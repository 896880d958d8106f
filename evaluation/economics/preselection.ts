/**
 * How often the tools that are chosen for a session's first message save its search.
 * @module
 */

import { createCatalogStore } from '../../src/catalog/store.ts'
import { DEFAULT_RETRIEVAL } from '../../src/retrieval-defaults.ts'
import { createRetriever } from '../../src/retriever.ts'
import { createRandom } from '../random.ts'
import type { JudgedQuery, QuerySet } from '../sets.ts'

/** Queries of a set that are taken as first messages. */
export const SAMPLE = 60

export interface Choice {
  readonly tools: number
  readonly confidence: number
}

/** What one choice does to sessions that begin with the queries of a set; shares and means over sessions. */
export interface Preselected {
  /** Sessions for which anything is loaded. */
  readonly acts: number
  /** Sessions that have all they need: no search. */
  readonly all: number
  /** Sessions that have a part of it. */
  readonly any: number
  /** Tools that are loaded and not needed, per session. */
  readonly needless: number
}

interface FirstMessage {
  readonly query: JudgedQuery
  readonly found: readonly string[]
  readonly confidence: number
}

function draw(queries: readonly JudgedQuery[], seed: number): readonly JudgedQuery[] {
  const random = createRandom(seed)
  const left = [...queries]
  return Array.from({ length: Math.min(SAMPLE, left.length) }, () => left.splice(Math.floor(random() * left.length), 1)[0]!)
}

/** @returns the mean over the sampled queries for each choice, in order. */
export async function measurePreselection(set: QuerySet, choices: readonly Choice[], seed: number): Promise<readonly Preselected[]> {
  const retriever = createRetriever(DEFAULT_RETRIEVAL)
  const catalog = createCatalogStore().snapshot(set.tools)
  const most = Math.max(...choices.map(({ tools }) => tools))
  const messages: FirstMessage[] = []
  for (const query of draw(set.queries, seed)) {
    const { results, confidence } = await retriever.search(catalog, { query: query.query, limit: most })
    messages.push({ query, found: results.map(({ name }) => name), confidence })
  }
  return choices.map((choice) => {
    const sessions = messages.map(message => judge(message, choice))
    const mean = (key: keyof Preselected): number => sessions.reduce((sum, session) => sum + session[key], 0) / sessions.length
    return { acts: mean('acts'), all: mean('all'), any: mean('any'), needless: mean('needless') }
  })
}

function judge({ query, found, confidence }: FirstMessage, choice: Choice): Preselected {
  const loaded = confidence < choice.confidence ? [] : found.slice(0, choice.tools)
  const hits = query.relevant.filter(name => loaded.includes(name)).length
  const needed = query.any === true ? 1 : query.relevant.length
  return {
    acts: loaded.length > 0 ? 1 : 0,
    all: hits >= needed ? 1 : 0,
    any: hits > 0 ? 1 : 0,
    needless: loaded.length - hits,
  }
}
