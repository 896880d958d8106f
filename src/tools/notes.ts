/**
 * The lines that follow the results: what the model should try when a search did not find what it named or wanted.
 * @module
 */

import type { Catalog } from '../catalog/types.ts'
import type { SearchOutcome } from '../retriever.ts'
import type { Selection } from '../selection/reducer.ts'
import { describeServers } from '../surface/search-description.ts'
import type { SearchValue } from './contract.ts'
import { oneLine } from './rendering.ts'

/** Candidates of an ambiguous name that are listed; the rest is counted. */
const MAX_CANDIDATES = 8

/** Weak matches that are named. */
const MAX_CLOSEST = 5

/** Longest reason of a channel that is told to the model, in UTF-16 code units. */
const REASON_CHARS = 200

/** Longest name or word of the model that is quoted back to it. */
const QUOTED_CHARS = 80

/** Letters and digits of a query: what stays the same when only case, spacing or punctuation changes. */
function queryForm(query: string): string {
  return query.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
}

/** Notes on what this agent did before: tools that it lost, and a search that it repeats. */
export function historyNotes(query: string, value: SearchValue, { evicted, fruitless }: Selection): readonly string[] {
  const isNew = value.results.some(({ status }) => status === 'loaded')
  const lost = evicted.filter(name => !value.results.some(result => result.name === name && result.status === 'loaded'))
  return [
    ...lost.length > 0 ? [`No longer loaded, search again when needed: ${lost.slice(0, MAX_CANDIDATES).join(', ')}${lost.length > MAX_CANDIDATES ? ', …' : ''}.`] : [],
    ...isNew ? [] : repeatedSearchAdvice(query, fruitless),
  ]
}

/**
 * What to do instead of searching once more in the same words; it changes with each repetition, because the same answer again would
 * be taken for the same question again.
 * @param fruitless - searches of this turn that brought nothing new.
 */
function repeatedSearchAdvice(query: string, fruitless: readonly string[]): readonly string[] {
  const repeats = fruitless.filter(earlier => queryForm(earlier) === queryForm(query)).length
  if (repeats === 0) return []
  return [repeats === 1
    ? 'You searched for this before in this turn and the answer is the same. Use other words, or the name of the service.'
    : `You searched for this ${repeats} times before in this turn. No tool does it: go on with the tools that you have, or tell the user what is missing.`]
}

/** Notes for the model, one line each, in the order of their use. */
export function searchNotes(outcome: SearchOutcome, catalog: Catalog): string[] {
  const notes: string[] = []
  for (const { name, candidates } of outcome.ambiguous) {
    const more = candidates.length - MAX_CANDIDATES
    notes.push(`"${oneLine(name, QUOTED_CHARS)}" is the short name of ${candidates.length} tools: ${candidates.slice(0, MAX_CANDIDATES).join(', ')}`
      + `${more > 0 ? ` and ${more} more` : ''}. Load one with "select:" and its full name.`)
  }
  const isWeak = outcome.match === 'weak'
  if (isWeak) {
    const closest = outcome.results.slice(0, MAX_CLOSEST).map(({ name }) => name).join(', ')
    notes.push(`Nothing fits well. Closest: ${closest}. If one is right, load it with "select:" and its name; else say it in other words.`)
  }
  if (outcome.nearest.length > 0) notes.push(`Nearest names: ${outcome.nearest.join(', ')}.`)
  if ((outcome.results.length === 0 || isWeak) && outcome.ambiguous.length === 0) {
    const servers = describeServers(catalog.tools.map(tool => tool.name))
    if (servers !== '') notes.push(`Servers that can be searched: ${servers}.`)
    if (outcome.catalogSize === 0) notes.push('There are no tools to search.')
  }
  for (const { channel, state, reason } of outcome.failures) {
    if (state === 'failed') notes.push(`The ${channel} channel did not answer: ${oneLine(reason, REASON_CHARS)}`)
    // When something good was found, that more will be found later is of no use.
    else if (outcome.results.length === 0 || isWeak) notes.push(`${channel}: ${oneLine(reason, REASON_CHARS)}; the same search may find more in a moment.`)
  }
  return notes
}
