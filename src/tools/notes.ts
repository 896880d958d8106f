/**
 * The lines that follow the results: what the model should try when a search did not find what it named or wanted.
 * @module
 */

import type { Catalog } from '../catalog/types.ts'
import type { SearchOutcome } from '../retriever.ts'
import { describeServers } from '../surface/search-description.ts'
import { oneLine } from './rendering.ts'

/** Candidates of an ambiguous name that are listed; the rest is counted. */
const MAX_CANDIDATES = 8

/** Longest name or word of the model that is quoted back to it. */
const QUOTED_CHARS = 80

/** Notes for the model, one line each, in the order of their use. */
export function searchNotes(outcome: SearchOutcome, catalog: Catalog): string[] {
  const notes: string[] = []
  for (const { name, candidates } of outcome.ambiguous) {
    const more = candidates.length - MAX_CANDIDATES
    notes.push(`"${oneLine(name, QUOTED_CHARS)}" is the short name of ${candidates.length} tools: ${candidates.slice(0, MAX_CANDIDATES).join(', ')}`
      + `${more > 0 ? ` and ${more} more` : ''}. Load one with "select:" and its full name.`)
  }
  if (outcome.nearest.length > 0) {
    notes.push(outcome.match === 'weak'
      ? `Nothing fits well. Nearest: ${outcome.nearest.join(', ')}. If one is right, load it with "select:" and its name; else say it in other words.`
      : `Nearest names: ${outcome.nearest.join(', ')}.`)
  }
  if (outcome.results.length === 0 && outcome.ambiguous.length === 0) {
    const servers = describeServers(catalog.tools.map(tool => tool.name))
    if (servers !== '') notes.push(`Servers that can be searched: ${servers}.`)
    if (outcome.catalogSize === 0) notes.push('There are no tools to search.')
  }
  for (const { channel, reason } of outcome.failures) notes.push(`The ${channel} channel did not answer: ${oneLine(reason, 200)}`)
  return notes
}
