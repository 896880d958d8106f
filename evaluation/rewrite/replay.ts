/**
 * Replays recorded responses through the plugin's parser and ranker.
 * @module
 */

import { buildCatalog } from '../../src/catalog/store.ts'
import { DEFAULT_RETRIEVAL } from '../../src/retrieval-defaults.ts'
import { createRetriever } from '../../src/retriever.ts'
import { DEFAULT_REWRITE } from '../../src/rewrite/config.ts'
import type { RewritePolicy, RewriteRoute } from '../../src/rewrite/config.ts'
import { parseRewrite } from '../../src/rewrite/parse.ts'
import type { Rewriter } from '../../src/rewrite/types.ts'
import { scoreAnswer } from '../metrics.ts'
import type { Scores } from '../metrics.ts'
import { DEPTH } from '../run.ts'
import { languageOf, SetError } from '../sets.ts'
import type { QuerySet } from '../sets.ts'
import { requestsOf } from './requests.ts'
import type { PreparedQuery, RewriteResponse } from './requests.ts'

/** One query with and without its recorded rewrite. */
export interface ReplayedQuery {
  readonly set: string
  readonly language: string
  /** Whether a model was asked, and whether its answer could be used. */
  readonly rewrite: 'not asked' | 'applied' | 'invalid'
  readonly without: Scores
  readonly with: Scores
}

/** Ids that are named in a refusal. */
const MOST_NAMED = 3

/**
 * The response to every request.
 * @throws SetError when one is missing, answers another prompt or catalogue, or comes from another route.
 */
export function matchResponses(
  prepared: readonly PreparedQuery[], responses: readonly RewriteResponse[], { provider, model }: RewriteRoute,
): Map<string, RewriteResponse> {
  const byId = new Map(responses.map(response => [response.id, response]))
  const foreign = responses.find(response => response.provider !== provider || response.model !== model)
  if (foreign !== undefined) {
    throw new SetError(`response "${foreign.id}" is of ${foreign.provider}/${foreign.model}, not of ${provider}/${model}; `
      + 'score one route at a time, with --provider and --model to say which')
  }
  const missing = prepared.map(({ request: { id } }) => id).filter(id => !byId.has(id))
  if (missing.length > 0) {
    const unhashed = new Set(responses.map(({ id }) => withoutHash(id)))
    const [stale] = missing.filter(id => unhashed.has(withoutHash(id)))
    throw new SetError(`${missing.length} of ${prepared.length} responses are missing: ${missing.slice(0, MOST_NAMED).join(', ')}${missing.length > MOST_NAMED ? ', …' : ''}. `
      + (stale === undefined
        ? 'Record them, or choose the sets that were recorded with --set and --limit'
        : `"${withoutHash(stale)}" was answered for another prompt version or catalogue; prepare and record again`))
  }
  return byId
}

const withoutHash = (id: string): string => id.replace(/@[0-9a-f]*$/, '')

/** Asks every query of a set with and without the recorded rewrites. */
export async function replaySet(
  set: QuerySet, responses: readonly RewriteResponse[], route: RewriteRoute, when: RewritePolicy['when'],
): Promise<ReplayedQuery[]> {
  const prepared = await requestsOf(set, route, when)
  const own = responses.filter(({ id }) => id.startsWith(`${set.name}/`))
  const byId = matchResponses(prepared, own, route)
  const idOf = new Map(prepared.map(({ query, request }) => [query, request.id]))
  const catalog = buildCatalog(set.tools)
  const plain = createRetriever({ ...DEFAULT_RETRIEVAL, rewrite: false })
  const rewriting = createRetriever({ ...DEFAULT_RETRIEVAL, rewrite: { ...DEFAULT_REWRITE, when } })
  const replayed: ReplayedQuery[] = []
  for (const query of set.queries) {
    const id = idOf.get(query)
    const queries = id === undefined ? undefined : parseRewrite(byId.get(id)!.response)
    const rewriter: Rewriter = {
      rewrite: () => Promise.resolve(queries === undefined ? { status: 'failed', reason: 'invalid-response' } : { status: 'applied', queries }),
    }
    const before = await plain.search(catalog, { query: query.query, limit: DEPTH })
    const after = await rewriting.search(catalog, { query: query.query, limit: DEPTH, rewriter })
    replayed.push({
      set: set.name,
      language: languageOf(query, set),
      rewrite: id === undefined ? 'not asked' : queries === undefined ? 'invalid' : 'applied',
      without: scoreAnswer(before.results.map(({ name }) => name), query),
      with: scoreAnswer(after.results.map(({ name }) => name), query),
    })
  }
  return replayed
}
