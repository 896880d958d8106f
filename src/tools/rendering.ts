/**
 * What the model reads of a search, and the way back: which tools a text says it has.
 *
 * Both directions live here because the reducer trusts the text. The log keeps the final text of every result, also of calls from inside a
 * `run_code` program, whose metadata DSH does not keep; and policy of other plugins may rewrite it. A tool is loaded when the
 * final text says so, so what the model was told and what it gets can't differ.
 * @module
 */

import { DISPATCH_TOOL } from './contract.ts'
import type { ResultStatus, SearchResult, SearchValue } from './contract.ts'
import { readListing } from './listing-query.ts'

/** Longest description line shown to the model, in UTF-16 code units: enough to tell siblings apart. */
export const DESCRIPTION_CHARS = 120

const STATUS_WORDS: Readonly<Record<ResultStatus, string>> = {
  loaded: 'loaded',
  ready: 'ready',
  already_loaded: 'already available',
  unavailable: 'not available here',
  listed: 'listed',
}

/** One result line of a tool that the agent has got or was told of; the name may contain anything but a line break. */
const RESULT_LINE = /^\d+\. (.+?) \((loaded|ready|listed)\)(?: - .*)?$/

/** The first line of the answer to a call of a tool that was not loaded and whose arguments did not fit. */
const GUIDANCE_LINE = /^(?:Error: )?Tool "(.+)" was not loaded; it is loaded now\. /

/** Cuts a text to one line of at most `limit` code units, never inside a surrogate pair. */
export function oneLine(text: string, limit: number): string {
  const line = text.slice(0, limit * 8).replace(/\s+/gu, ' ').trim()
  if (line.length <= limit) return line
  const cut = line.slice(0, limit - 1)
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}

function resultLine(result: SearchResult): string {
  const description = oneLine(result.description, DESCRIPTION_CHARS)
  const line = `${result.rank}. ${result.name} (${STATUS_WORDS[result.status]})${description === '' ? '' : ` - ${description}`}`
  return result.parameters === undefined ? line : `${line}\n   arguments: ${JSON.stringify(result.parameters)}`
}

/** How the answer of a search that found nothing begins. */
export const NO_MATCH_HEADLINE = 'No tool matches. Nothing was loaded.'

function headline({ query, results }: SearchValue): string {
  if (readListing(query) !== undefined) return results.length === 0 ? 'What can be searched:' : 'Load one with "select:" and its name, or search for what you need.'
  if (results.length === 0) return NO_MATCH_HEADLINE
  const count = (status: ResultStatus): number => results.filter(result => result.status === status).length
  const loaded = count('loaded')
  const ready = count('ready')
  if (loaded === 1) return 'Loaded 1 tool. Its schema is in your tool list from your next message on: call it by name.'
  if (loaded > 1) return `Loaded ${loaded} tools. Their schemas are in your tool list from your next message on: call them by name.`
  if (ready > 0) return `${ready} ${ready === 1 ? 'tool is' : 'tools are'} ready. Call with ${DISPATCH_TOOL} {"name": …, "arguments": {…}}.`
  if (count('already_loaded') > 0) return 'Nothing new to load. What matches is in your tool list already: call it by name.'
  return 'Nothing was loaded.'
}

/** Renders a search for the model: a headline, the results, a line for each note. */
export function renderSearch(value: SearchValue): string {
  return [headline(value), ...value.results.map(resultLine), ...value.notes].join('\n')
}

/** A tool that a text says the agent has got or was told of. */
export interface ListedTool {
  readonly name: string
  readonly status: 'loaded' | 'ready' | 'listed'
}

/** Tools that the final text of a search says the agent has got or was told of, in the order of the text. */
export function listedTools(text: string): readonly ListedTool[] {
  return text.split('\n').flatMap((line) => {
    const [, name, status] = RESULT_LINE.exec(line) ?? []
    return name === undefined ? [] : [{ name, status: status as ListedTool['status'] }]
  })
}

/** Longest schema that is repeated to the model in an error, in characters. */
export const ERROR_SCHEMA_CHARS = 8_000

function renderSchema(parameters: unknown, otherwise: string): string {
  const schema = JSON.stringify(parameters)
  return schema.length <= ERROR_SCHEMA_CHARS ? `Its arguments must fit this schema:\n${schema}` : otherwise
}

/**
 * The answer to a call of a deferred tool with arguments that don't fit: it loads the tool and says what to mend.
 * @param problems - one line for each violation.
 */
export function renderGuidance(name: string, problems: readonly string[], parameters: unknown): string {
  return `Tool "${name}" was not loaded; it is loaded now. The call did not run: ${problems.join('; ')}. Call it again. `
    + renderSchema(parameters, 'Its schema is in your tool list from your next message on.')
}

/** The answer to a dispatch, or to a direct call of a tool that only the dispatch calls, with arguments that don't fit. */
export function renderMisfit(name: string, problems: readonly string[], parameters: unknown): string {
  return `The arguments do not fit tool "${name}", so it did not run: ${problems.join('; ')}. Call it again with ${DISPATCH_TOOL}. `
    + renderSchema(parameters, 'Its schema is in the search result.')
}

/** The tool that a guidance text says it has loaded. */
export function guidedName(text: string): string | undefined {
  return GUIDANCE_LINE.exec(text)?.[1]
}
