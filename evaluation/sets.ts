/**
 * Judged query sets, read in place: `<set>/tools.json`, `<set>/queries.jsonl`, `<set>/info.json`.
 * @module
 */

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ToolDeclaration } from '../src/catalog/types.ts'
import type { Judgement } from './metrics.ts'

export const PROJECT_ROOT = fileURLToPath(new URL('../', import.meta.url))

/** Where the shared sets are, beside the repository; absent on most machines. */
export const SHARED_SETS = join(PROJECT_ROOT, '..', 'shared', 'bench')

export interface JudgedQuery extends Judgement {
  readonly id: string
  readonly query: string
  /** BCP 47 primary tag of the query, as labelled. */
  readonly lang: string
  /** Kind of query, where the set has such labels. */
  readonly kind?: string | undefined
}

export interface QuerySet {
  readonly name: string
  readonly tools: readonly ToolDeclaration[]
  /** Queries with at least one relevant tool. */
  readonly queries: readonly JudgedQuery[]
  /** Queries that have no relevant tool in this catalogue, by the set's own labels. */
  readonly unanswerable: readonly JudgedQuery[]
  /** Sets of one source share wording and domains, so that their queries are not foreign to each other. */
  readonly source: string
  /** Language of most tool definitions. */
  readonly catalogLang: 'en' | 'zh' | 'ko'
  /** First 12 hex digits of the SHA-256 over tools.json and queries.jsonl. */
  readonly hash: string
}

/** A set that can't be used: the message names the file, the line and the rule. */
export class SetError extends Error {}

const record = (value: unknown, where: string): Record<string, unknown> => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new SetError(`${where}: expected an object`)
  return value as Record<string, unknown>
}

const text = (value: unknown, where: string): string => {
  if (typeof value !== 'string') throw new SetError(`${where}: expected a string`)
  return value
}

function parse(json: string, where: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    throw new SetError(`${where}: ${(error as Error).message}`)
  }
}

/** @param where - the file, for messages. */
export function parseTools(json: string, where: string): ToolDeclaration[] {
  const tools = parse(json, where)
  if (!Array.isArray(tools)) throw new SetError(`${where}: expected an array of tools`)
  return tools.map((entry, i) => {
    const tool = record(entry, `${where}[${i}]`)
    return {
      name: text(tool['name'], `${where}[${i}].name`),
      description: typeof tool['description'] === 'string' ? tool['description'] : undefined,
      parameters: tool['parameters'],
    }
  })
}

/** @param where - the file, for messages. */
export function parseQueries(jsonl: string, where: string): JudgedQuery[] {
  return jsonl.split('\n').flatMap((line, i) => {
    if (line.trim() === '') return []
    const at = `${where}:${i + 1}`
    const entry = record(parse(line, at), at)
    const relevant = entry['relevant']
    if (!Array.isArray(relevant)) throw new SetError(`${at}: "relevant" must be an array of tool names`)
    return {
      id: text(entry['id'], `${at}: "id"`),
      query: text(entry['query'], `${at}: "query"`),
      relevant: [...new Set(relevant.map(name => text(name, `${at}: "relevant"`)))],
      any: entry['mode'] === 'any',
      lang: typeof entry['lang'] === 'string' ? entry['lang'] : 'en',
      kind: typeof entry['kind'] === 'string' ? entry['kind'] : undefined,
    }
  })
}

/** The language of most definitions, told by script: Hangul, else Han, else English. */
export function languageOfCatalog(tools: readonly ToolDeclaration[]): QuerySet['catalogLang'] {
  const share = (script: RegExp) => tools.filter(tool => script.test(tool.description ?? '')).length / tools.length
  if (share(/\p{Script=Hangul}/u) > 0.5) return 'ko'
  return share(/\p{Script=Han}/u) > 0.5 ? 'zh' : 'en'
}

/** `zh` for a Chinese query on Chinese definitions, `zh→en` for one on English definitions. */
export const languageOf = (query: { readonly lang: string }, set: { readonly catalogLang: string }): string =>
  query.lang === set.catalogLang ? query.lang : `${query.lang}→${set.catalogLang}`

function readIfPresent(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

/** Reads one set; a folder without queries is a catalogue only. */
export function loadSet(folder: string): QuerySet {
  const name = basename(folder)
  const toolsJson = readFileSync(join(folder, 'tools.json'), 'utf8')
  const queriesJsonl = readIfPresent(join(folder, 'queries.jsonl'))
  const info = readIfPresent(join(folder, 'info.json'))
  const source = info === '' ? undefined : record(parse(info, join(folder, 'info.json')), join(folder, 'info.json'))['repo']
  const tools = parseTools(toolsJson, join(folder, 'tools.json'))
  const queries = parseQueries(queriesJsonl, join(folder, 'queries.jsonl'))
  return {
    name,
    tools,
    queries: queries.filter(query => query.relevant.length > 0),
    unanswerable: queries.filter(query => query.relevant.length === 0),
    source: typeof source === 'string' ? source : name,
    catalogLang: languageOfCatalog(tools),
    hash: createHash('sha256').update(toolsJson).update('\0').update(queriesJsonl).digest('hex').slice(0, 12),
  }
}

/** Every set of a folder, by name; empty when the folder is not there. */
export function loadSets(folder: string): QuerySet[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).filter(name => existsSync(join(folder, name, 'tools.json'))).sort().map(name => loadSet(join(folder, name)))
}
