/**
 * The corpus of responses: what the parser makes of each kind, beside what a program that expects JSON would.
 * @module
 */

import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { parseRewrite } from '../../src/rewrite/parse.ts'

/** One response of a model, written for this corpus. */
export interface Response {
  readonly kind: string
  readonly response: string
  /** What a person would take from it; null when they would take nothing. */
  readonly queries: readonly string[] | null
}

export interface ParserFigures {
  /** Kinds that hold queries, for a person. */
  readonly usable: number
  /** Of these, kinds from which just these queries are taken. */
  readonly taken: number
  readonly takenAsJson: number
  /** Kinds that hold none, and those from which something is taken all the same. */
  readonly unusable: number
  readonly wrong: number
}

/** What `JSON.parse` and a look at the shape take. */
function plainJson(text: string): unknown {
  try {
    return (JSON.parse(text) as { readonly queries?: unknown } | null)?.queries
  } catch {
    return undefined
  }
}

export function loadResponses(): Response[] {
  return readFileSync(new URL('../../fixtures/rewrite/responses.jsonl', import.meta.url), 'utf8')
    .trimEnd().split('\n').map(line => JSON.parse(line) as Response)
}

export function measureParser(): ParserFigures {
  const responses = loadResponses()
  const usable = responses.filter(({ queries }) => queries !== null)
  const unusable = responses.filter(({ queries }) => queries === null)
  const count = (parse: (text: string) => unknown): number =>
    usable.filter(({ response, queries }) => isDeepStrictEqual(parse(response), queries)).length
  return {
    usable: usable.length,
    taken: count(parseRewrite),
    takenAsJson: count(plainJson),
    unusable: unusable.length,
    wrong: unusable.filter(({ response }) => parseRewrite(response) !== undefined).length,
  }
}
