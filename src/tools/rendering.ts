/**
 * What the model reads of a search, and the way back: which tools a text says are loaded.
 *
 * Both directions live here because the reducer trusts the text. The log keeps the final text of every result, also of calls from inside a
 * `run_code` program, whose metadata DSH does not keep; and policy of other plugins may rewrite it. A tool is loaded when the
 * final text says so, so what the model was told and what it gets can't differ.
 * @module
 */

import type { ResultStatus, SearchResult, SearchValue } from './contract.ts'

/** Longest description line shown to the model, in UTF-16 code units: enough to tell siblings apart. */
export const DESCRIPTION_CHARS = 120

const STATUS_WORDS: Readonly<Record<ResultStatus, string>> = {
  loaded: 'loaded',
  already_loaded: 'already available',
  unavailable: 'not available here',
}

/** One result line; the name may contain anything but a line break. */
const LOADED_LINE = /^\d+\. (.+?) \(loaded\)(?: - .*)?$/

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
  return `${result.rank}. ${result.name} (${STATUS_WORDS[result.status]})${description === '' ? '' : ` - ${description}`}`
}

function headline(results: readonly SearchResult[]): string {
  const loaded = results.filter(result => result.status === 'loaded').length
  if (loaded === 1) return 'Loaded 1 tool. Its schema is in your tool list from your next message on: call it by name.'
  if (loaded > 1) return `Loaded ${loaded} tools. Their schemas are in your tool list from your next message on: call them by name.`
  if (results.some(result => result.status === 'already_loaded')) return 'Nothing new to load. What matches is in your tool list already: call it by name.'
  return 'Nothing was loaded.'
}

/** Renders a search for the model: a headline, a line for each result, a line for each note. */
export function renderSearch(value: SearchValue): string {
  if (value.results.length === 0) return ['No tool matches. Nothing was loaded.', ...value.notes].join('\n')
  return [headline(value.results), ...value.results.map(resultLine), ...value.notes].join('\n')
}

/** Names that the final text of a search says are loaded, in the order of the text. */
export function loadedNames(text: string): readonly string[] {
  return text.split('\n').flatMap(line => LOADED_LINE.exec(line)?.[1] ?? [])
}

/** Longest schema that is repeated to the model in guidance, in characters; a longer one is in the next request anyway. */
export const GUIDANCE_SCHEMA_CHARS = 8_000

/**
 * The answer to a call of a deferred tool with arguments that don't fit: it loads the tool and says what to mend.
 * @param problems - one line for each violation.
 */
export function renderGuidance(name: string, problems: readonly string[], parameters: unknown): string {
  const schema = JSON.stringify(parameters)
  const shown = schema.length <= GUIDANCE_SCHEMA_CHARS
    ? `Its arguments must fit this schema:\n${schema}`
    : 'Its schema is in your tool list from your next message on.'
  return `Tool "${name}" was not loaded; it is loaded now. The call did not run: ${problems.join('; ')}. Call it again. ${shown}`
}

/** The tool that a guidance text says it has loaded. */
export function guidedName(text: string): string | undefined {
  return GUIDANCE_LINE.exec(text)?.[1]
}
