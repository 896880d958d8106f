/**
 * Requests and responses of recorded rewrites, as JSON lines.
 *
 * A request's id ends in a hash of everything a model reads: a response to another prompt version, another catalogue or another query has
 * another id, so it can't be taken for an answer to this one.
 * @module
 */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { buildCatalog } from '../../src/catalog/store.ts'
import { DEFAULT_RETRIEVAL } from '../../src/retrieval-defaults.ts'
import { createRetriever } from '../../src/retriever.ts'
import { DEFAULT_REWRITE } from '../../src/rewrite/config.ts'
import type { RewritePolicy, RewriteRoute } from '../../src/rewrite/config.ts'
import { PROMPT_VERSION, SYSTEM_PROMPT, userPrompt } from '../../src/rewrite/prompt.ts'
import { sketchOf } from '../../src/rewrite/sketch.ts'
import { SetError } from '../sets.ts'
import type { JudgedQuery, QuerySet } from '../sets.ts'

/** One line of the requests. */
export interface RewriteRequest extends RewriteRoute {
  /** `<set>/<query id>@<hash>`. */
  readonly id: string
  readonly promptVersion: string
  readonly system: string
  readonly prompt: string
  readonly maxTokens: number
}

/** One line of the responses. */
export interface RewriteResponse extends RewriteRoute {
  readonly id: string
  /** What the model wrote, whatever it is. */
  readonly response: string
  readonly ms?: number
  readonly inputTokens?: number
  readonly outputTokens?: number
}

/** Default place of the requests, and of the responses beside them. */
export const REQUESTS_FILE = 'rewrite-requests.jsonl'
export const RESPONSES_FILE = 'rewrite-responses.jsonl'

export interface PreparedQuery {
  readonly query: JudgedQuery
  /** The natural-language part, which is what a rewriter is asked for. */
  readonly text: string
  readonly request: RewriteRequest
}

/** The requests of a set: those that the plugin would make of its queries under a policy, in the order of the queries. */
export async function requestsOf(set: QuerySet, route: RewriteRoute, when: RewritePolicy['when']): Promise<PreparedQuery[]> {
  const catalog = buildCatalog(set.tools)
  const retriever = createRetriever({ ...DEFAULT_RETRIEVAL, rewrite: { ...DEFAULT_REWRITE, when } })
  const prepared: PreparedQuery[] = []
  for (const query of set.queries) {
    let asked: string | undefined
    await retriever.search(catalog, {
      query: query.query,
      limit: 1,
      rewriter: {
        rewrite(text) {
          asked = text
          return Promise.resolve({ status: 'skipped', reason: 'llm-unavailable' })
        },
      },
    })
    if (asked === undefined) continue
    const prompt = userPrompt(sketchOf(catalog), asked)
    const hash = createHash('sha256').update(PROMPT_VERSION).update('\0').update(SYSTEM_PROMPT).update('\0').update(prompt).digest('hex').slice(0, 16)
    prepared.push({
      query,
      text: asked,
      request: {
        id: `${set.name}/${query.id}@${hash}`,
        ...route,
        promptVersion: PROMPT_VERSION,
        system: SYSTEM_PROMPT,
        prompt,
        maxTokens: DEFAULT_REWRITE.maxTokens,
      },
    })
  }
  return prepared
}

/** @throws SetError naming file, line and rule. */
export function readRequests(file: string): RewriteRequest[] {
  return readLines(file, (line, at) => {
    const texts = ['id', 'provider', 'model', 'promptVersion', 'system', 'prompt'].filter(key => typeof line[key] !== 'string')
    if (texts.length > 0 || typeof line['maxTokens'] !== 'number') {
      throw new SetError(`${at}: no request; "${texts[0] ?? 'maxTokens'}" is missing. Make the file with eval:rewrite:prepare`)
    }
    return line as unknown as RewriteRequest
  })
}

/** @throws SetError naming file, line and rule. */
export function readResponses(file: string): RewriteResponse[] {
  return readLines(file, (line, at) => {
    const [missing] = ['id', 'provider', 'model', 'response'].filter(key => typeof line[key] !== 'string')
    if (missing !== undefined) throw new SetError(`${at}: no response; "${missing}" must be a string`)
    return line as unknown as RewriteResponse
  })
}

function readLines<T>(file: string, read: (line: Record<string, unknown>, at: string) => T): T[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    throw new SetError(`${file} can't be read; give the path of a JSON-lines file`)
  }
  const lines = text.split('\n')
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return []
    const at = `${file}:${index + 1}`
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      // A run that was killed while it wrote leaves half a line at the end; it is asked again.
      if (index === lines.length - 1) return []
      throw new SetError(`${at}: not JSON`)
    }
    if (typeof value !== 'object' || value === null) throw new SetError(`${at}: expected an object`)
    return [read(value as Record<string, unknown>, at)]
  })
}

/** Keeps the sets of these names; all of them when there are none. @throws SetError for a name that no set has. */
export function chosenSets(sets: readonly QuerySet[], names: readonly string[] | undefined): QuerySet[] {
  const judged = sets.filter(({ queries }) => queries.length > 0)
  const unknown = (names ?? []).filter(name => !judged.some(set => set.name === name))
  if (unknown.length > 0) throw new SetError(`no set "${unknown.join('", "')}"; there are: ${judged.map(({ name }) => name).join(', ')}`)
  return judged.filter(({ name }) => names?.includes(name) ?? true)
}

/** The first `limit` queries at even distances; all of them without a limit. */
export function thinned(set: QuerySet, limit: number | undefined): QuerySet {
  if (limit === undefined || set.queries.length <= limit) return set
  return { ...set, queries: Array.from({ length: limit }, (_, at) => set.queries[Math.floor(at * set.queries.length / limit)]!) }
}
