/**
 * Integrity of the frozen corpus: its files are byte for byte the ones that info.json names, its counts hold, and every label resolves.
 *
 * Reads the files strictly and apart from the tolerant reader of judged sets, so that a fault in that reader can't hide one here.
 * @module
 */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'

/** Labels of one query, as far as the summary needs them. */
export interface CorpusQuery {
  readonly id: string
  readonly query: string
  readonly relevant: readonly string[]
  readonly lang: string
  readonly kind: string
  readonly mode?: 'any'
}

interface CorpusTool { readonly name: string; readonly description: string; readonly parameters?: object }

interface LabelInfo { readonly queries: number }

interface CorpusInfo {
  readonly version: string
  readonly counts: Readonly<Record<'tools' | 'queries' | 'answerable' | 'noMatch' | 'any', number>>
  readonly kinds: Readonly<Record<string, LabelInfo>>
  readonly languages: Readonly<Record<string, LabelInfo>>
  readonly sha256: Readonly<Record<string, string>>
}

export interface CorpusReport {
  /** One sentence for each rule that is broken; empty when the corpus is the frozen one. */
  readonly problems: readonly string[]
  readonly version: string
  /** Number of tools. */
  readonly tools: number
  readonly queries: readonly CorpusQuery[]
}

const NO_MATCH = 'no-match'

const count = { type: 'integer', minimum: 0 }
const labels = { type: 'object', additionalProperties: { type: 'object', required: ['queries'], properties: { queries: count } } }
const sha256 = { type: 'string', pattern: '^[0-9a-f]{64}$' }
const nonEmpty = { type: 'string', pattern: '\\S' }

const ajv = new Ajv({ allErrors: true })

const isInfo = ajv.compile<CorpusInfo>({
  type: 'object',
  required: ['version', 'counts', 'kinds', 'languages', 'sha256'],
  properties: {
    version: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$' },
    counts: {
      type: 'object',
      required: ['tools', 'queries', 'answerable', 'noMatch', 'any'],
      properties: { tools: count, queries: count, answerable: count, noMatch: count, any: count },
    },
    kinds: labels,
    languages: labels,
    sha256: { type: 'object', required: ['tools.json', 'queries.jsonl'], properties: { 'tools.json': sha256, 'queries.jsonl': sha256 } },
  },
})

const isTools = ajv.compile<CorpusTool[]>({
  type: 'array',
  items: {
    type: 'object',
    required: ['name', 'description'],
    additionalProperties: false,
    properties: { name: nonEmpty, description: { type: 'string' }, parameters: { type: 'object' } },
  },
})

const isQuery = ajv.compile<CorpusQuery>({
  type: 'object',
  required: ['id', 'query', 'relevant', 'lang', 'kind'],
  additionalProperties: false,
  properties: {
    id: nonEmpty,
    query: nonEmpty,
    relevant: { type: 'array', items: nonEmpty, uniqueItems: true },
    lang: nonEmpty,
    kind: nonEmpty,
    mode: { const: 'any' },
  },
})

/** A file that can't be read as what it should be; the message names the file, the place and the rule. */
export class CorpusError extends Error {}

function parse<T>(json: string, valid: ValidateFunction<T>, where: string): T {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (error) {
    throw new CorpusError(`${where}: not JSON: ${(error as Error).message}`)
  }
  if (valid(value)) return value
  throw new CorpusError(`${where}: ${ajv.errorsText(valid.errors, { dataVar: '' })}`)
}

function read(folder: string, file: string): Buffer {
  try {
    return readFileSync(join(folder, file))
  } catch (error) {
    throw new CorpusError(`${file}: ${(error as NodeJS.ErrnoException).code ?? 'unreadable'} in ${folder}`)
  }
}

/** Values that occur more than once, each once. */
function repeated(values: readonly string[]): string[] {
  return [...new Set(values.filter((value, i) => values.indexOf(value) !== i))]
}

function hashProblems(files: Readonly<Record<string, Buffer>>, info: CorpusInfo): string[] {
  return Object.entries(files).flatMap(([file, bytes]) => {
    const found = createHash('sha256').update(bytes).digest('hex')
    const named = info.sha256[file]
    return found === named ? [] : [`${file}: SHA-256 is ${found}, info.json names ${named}; a changed corpus needs a new version`]
  })
}

function countProblems(tools: readonly CorpusTool[], queries: readonly CorpusQuery[], info: CorpusInfo): string[] {
  const noMatch = queries.filter(query => query.relevant.length === 0).length
  const found: CorpusInfo['counts'] = {
    tools: tools.length,
    queries: queries.length,
    answerable: queries.length - noMatch,
    noMatch,
    any: queries.filter(query => query.mode === 'any').length,
  }
  const totals = (Object.keys(found) as (keyof typeof found)[])
    .filter(key => found[key] !== info.counts[key])
    .map(key => `counts.${key}: found ${found[key]}, info.json says ${info.counts[key]}`)
  return [
    ...totals,
    ...labelProblems('kinds', queries.map(query => query.kind), info.kinds),
    ...labelProblems('languages', queries.map(query => query.lang), info.languages),
  ]
}

function labelProblems(key: 'kinds' | 'languages', used: readonly string[], known: Readonly<Record<string, LabelInfo>>): string[] {
  const unknown = [...new Set(used)].filter(label => !Object.hasOwn(known, label)).map(label => `${key}: "${label}" is not in info.json`)
  const miscounted = Object.entries(known).flatMap(([label, { queries }]) => {
    const found = used.filter(other => other === label).length
    return found === queries ? [] : [`${key}.${label}: found ${found} queries, info.json says ${queries}`]
  })
  return [...unknown, ...miscounted]
}

function queryProblems(queries: readonly CorpusQuery[], names: ReadonlySet<string>): string[] {
  return queries.flatMap(({ id, relevant, kind, mode }) => [
    ...relevant.filter(name => !names.has(name)).map(name => `${id}: relevant tool "${name}" is not in tools.json`),
    ...(relevant.length === 0) === (kind === NO_MATCH) ? [] : [`${id}: exactly the ${NO_MATCH} queries have no relevant tool`],
    ...mode === 'any' && relevant.length < 2 ? [`${id}: mode "any" needs at least two relevant tools`] : [],
  ])
}

/** Queries that differ only in case, width or spacing ask the same. */
const sameQuestion = (query: string) => query.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()

/**
 * Checks a corpus folder (`tools.json`, `queries.jsonl`, `info.json`).
 * @throws {CorpusError} when a file is missing or not of its shape, so that nothing further can be checked.
 */
export function verifyCorpus(folder: string): CorpusReport {
  const info = parse(read(folder, 'info.json').toString(), isInfo, 'info.json')
  const files = { 'tools.json': read(folder, 'tools.json'), 'queries.jsonl': read(folder, 'queries.jsonl') }
  const tools = parse(files['tools.json'].toString(), isTools, 'tools.json')
  const lines = files['queries.jsonl'].toString().split('\n')
  if (lines.pop() !== '') throw new CorpusError('queries.jsonl: the last line must end with a newline')
  const queries = lines.map((line, i) => parse(line, isQuery, `queries.jsonl:${i + 1}`))
  const names = tools.map(tool => tool.name)
  return {
    problems: [
      ...hashProblems(files, info),
      ...countProblems(tools, queries, info),
      ...repeated(names).map(name => `tools.json: more than one tool is named "${name}"`),
      ...repeated(queries.map(query => query.id)).map(id => `queries.jsonl: more than one query has the id "${id}"`),
      ...repeated(queries.map(query => sameQuestion(query.query))).map(query => `queries.jsonl: asked more than once: "${query}"`),
      ...queryProblems(queries, new Set(names)),
    ],
    version: info.version,
    tools: tools.length,
    queries,
  }
}
