/**
 * A model's answer to rewritten queries: lenient in finding them, strict in accepting them.
 *
 * Accepted is what a person would accept without asking back: the queries that were asked for, in whatever wrapping. Not accepted is what
 * would have to be guessed: prose, refusals, the example of the prompt, values that are no text, more queries than allowed.
 * @module
 */

import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import { answerText, candidates } from './find.ts'

export const MOST_QUERIES = 4

/** Longest query, in Unicode code points, as of a user. */
export const LONGEST_QUERY = 512

/** What is read of an answer, in UTF-16 code units: four of the longest queries and all that models write around them. */
export const MOST_ANSWER_CHARS = 32_768

const SCHEMA = {
  type: 'array',
  minItems: 1,
  maxItems: MOST_QUERIES,
  // A letter or a digit: `…` and `<query>` stand for a query that nobody wrote.
  items: { type: 'string', minLength: 1, maxLength: LONGEST_QUERY, pattern: String.raw`^(?!<[^<>]*>$).*[\p{L}\p{N}]` },
} as const

let validate: ValidateFunction<string[]> | undefined

/**
 * @param text - the model's answer, also one that was cut off; only its first {@link MOST_ANSWER_CHARS} are read.
 * @returns the queries, trimmed, each once; undefined when there are none that can be accepted.
 */
export function parseRewrite(text: string): readonly string[] | undefined {
  const answer = answerText(text.slice(0, MOST_ANSWER_CHARS))
  for (const { value, standsAlone } of candidates(answer)) {
    const queries = accept(queriesIn(value, standsAlone))
    if (queries !== undefined) return queries
  }
  return accept(taggedQueries(answer)) ?? accept(listedQueries(answer))
}

function accept(found: unknown): readonly string[] | undefined {
  if (!Array.isArray(found)) return undefined
  const texts: unknown[] = found.map((item: unknown) => typeof item === 'string' ? trimmed(item) : item).filter(item => item !== '')
  const queries = [...new Set(texts)]
  validate ??= new Ajv2020().compile<string[]>(SCHEMA)
  return validate(queries) && !queries.some(query => REFUSAL.test(query)) ? queries : undefined
}

/** How a refusal begins, also one in the right wrapping. */
const REFUSAL = /^(?:i['’]?m |i am |i can(?:no|['’])t|i (?:do not|don['’]t|won['’]t)|sorry\b|unfortunately\b|as an? (?:ai|assistant|language)|抱歉|对不起|很抱歉|我无法|我不能)/iu

/** White space as single spaces, without control characters; a quote inside a word is an apostrophe that a repair took for one. */
function trimmed(query: string): string {
  return query.toWellFormed().replace(/[\s\p{Cc}]+/gu, ' ').replace(/(\p{L})"(?=\p{L})/gu, "$1'").trim()
}

/** Names under which models give the queries, in any case and separation: `search_queries`, `rewrittenQuery`, `query_1`. */
const QUERY_KEY = /^(?:rewritten|search|tool|expanded|english|final)*(?:quer(?:y|ies)|search(?:es)?|searchterms?|rewrites?)\d*$/

/** Wrappings around an object that has them. */
const CONTAINER_KEY = /^(?:result|results|output|outputs|answer|response|data|json|final|arguments|args|parameters|input|content)$/

const MOST_DEPTH = 4

/** @returns what stands where queries stand, whatever it is; undefined when nothing does. */
function queriesIn(value: unknown, standsAlone: boolean, depth = 0): unknown {
  if (depth > MOST_DEPTH) return undefined
  if (typeof value === 'string') return fromString(value, standsAlone, depth)
  if (Array.isArray(value)) return fromList(value, standsAlone)
  if (typeof value !== 'object' || value === null) return undefined
  const entries = Object.entries(value).map(([key, content]: [string, unknown]) => [key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''), content] as const)
  const named = entries.filter(([key]) => QUERY_KEY.test(key))
  // An object that repeats the request as "query" has the answer in a list.
  const list = named.find(([, content]) => Array.isArray(content) && content.length > 0)
  if (list !== undefined) return (list[1] as unknown[]).map(textOf)
  const numbered = named.filter(([key]) => /\d$/.test(key))
  if (numbered.length > 0) return numbered.map(([, content]) => textOf(content))
  const [single] = named
  if (single !== undefined) return isRecord(single[1]) ? Object.values(single[1]).map(textOf) : [textOf(single[1])]
  for (const [key, content] of entries) {
    const inner = CONTAINER_KEY.test(key) ? queriesIn(content, true, depth + 1) : undefined
    if (inner !== undefined) return inner
  }
  return undefined
}

/** A string is a query where it stands alone, or JSON that was written twice. */
function fromString(value: string, standsAlone: boolean, depth: number): unknown {
  for (const candidate of /^\s*[[{"]/.test(value) ? candidates(value.trim()) : []) {
    const inner = queriesIn(candidate.value, true, depth + 1)
    if (inner !== undefined) return inner
  }
  return standsAlone && isQueryLine(value) ? [value] : undefined
}

function fromList(value: readonly unknown[], standsAlone: boolean): unknown {
  if (value.length === 0) return undefined
  const isOfObjects = value.every(isRecord)
  if (!isOfObjects) return standsAlone ? value : undefined
  const each = value.map(item => queriesIn(item, false, MOST_DEPTH))
  return each.some(queries => queries === undefined) ? undefined : each.flat()
}

/** An item is text, or an object that says it is a query. */
function textOf(item: unknown): unknown {
  if (!isRecord(item)) return item
  const texts = Object.entries(item).filter(([key, content]) => typeof content === 'string' && /quer|text|search|content|value/i.test(key))
  return texts[0]?.[1]
}

/** `<query>…</query>`. */
function taggedQueries(answer: string): string[] {
  return [...answer.matchAll(/<((?:search_?|rewritten_?)?query)>([^<>]*)<\/\1>/gi)].map(([, , query]) => query!)
}

const LIST_MARK = /^\s*(?:[-*•–]|\d{1,2}[.)、:])\s+/

/** Lines of a Markdown list, or one line that is a query and nothing else; a line that announces them may go before. */
function listedQueries(answer: string): string[] | undefined {
  const lines = answer.split('\n').map(line => line.trim()).filter(line => line !== '' && !/^(?:```|~~~|---)/.test(line))
  const [first, ...rest] = lines
  const announced = first !== undefined && rest.length > 0 && /[:：]\**$/.test(first) ? rest : lines
  const isList = announced.length > 0 && announced.every(line => LIST_MARK.test(line))
  if (announced.length > MOST_QUERIES || (!isList && announced.length !== 1)) return undefined
  const queries = announced.map(line => bare(line.replace(LIST_MARK, '')))
  return queries.every(isQueryLine) ? queries : undefined
}

/** A line without emphasis, quotes and a label such as `Query:`. */
function bare(line: string): string {
  return line.replace(/[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}/g, '').replace(/^(?:(?:search|rewritten)[ _]?)?quer(?:y|ies)(?: ?\d+)?\s*[:：]\s*/i, '')
    .replace(/^["'“”]+|["'“”,;]+$/g, '').trim()
}

/** How sentences of a model begin that say something to somebody, and queries never do. */
const SPEAKS = new RegExp(String.raw`^(?:i|i['’]\w+|we|you|your|it|its|this|that|there|the (?:user|query|request)|as an?|sorry|unfortunately|apologies|sure|okay|ok|yes|no|not|none|null`
  + String.raw`|nothing|undefined|unknown|error|n/a|here|please|cannot|can['’]?t|could|would|unable|hello|hi|thanks?|queries|query|json|string)(?![\p{L}\p{N}_-])`, 'iu')
const SPEAKS_CHINESE = /抱歉|对不起|對不起|无法|無法|不能|我|您|请提供/

/** Words of a line that is a query at most; a sentence of a model is longer. */
const MOST_LINE_WORDS = 16

/** Whether a line that stands for itself is a query and no remark. */
function isQueryLine(line: string): boolean {
  const words = line.trim().split(/\s+/)
  return words.length <= MOST_LINE_WORDS && /\p{L}/u.test(line) && !/[{}[\]<>]|[.!?。！？…:：]$/.test(line.trim()) && !SPEAKS.test(line.trim()) && !SPEAKS_CHINESE.test(line)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
