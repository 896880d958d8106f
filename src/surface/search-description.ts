/**
 * The description of `tool_search` as the model reads it.
 * @module
 */

import { familyIdOf } from '../catalog/families.ts'

/**
 * What the tool does and when to use it; the same in every session. It is part of every request, so it says only what a model gets wrong
 * without it; how to call what was found is said by the result.
 */
export const SEARCH_DESCRIPTION = 'Find tools beyond your tool list, which shows only a few. Search before you say that something can\'t be done.'

/** Longest list of servers in the description, in characters: a hint of what there is, not a catalogue. */
const SERVERS_CHARS = 400

/**
 * Names the servers that can be searched, largest first, so that the model knows what is worth a search.
 * @param deferred - names of the tools that a search can load.
 */
export function describeServers(deferred: Iterable<string>): string {
  const counts = new Map<string, number>()
  for (const name of deferred) {
    const server = familyIdOf(name)
    if (server !== undefined) counts.set(server, (counts.get(server) ?? 0) + 1)
  }
  const entries = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([server, count]) => `${server} (${count})`)
  let shown = 0
  for (let length = 0; shown < entries.length; shown++) {
    length += entries[shown]!.length + 2
    if (length > SERVERS_CHARS) break
  }
  const more = entries.length - shown
  return `${entries.slice(0, shown).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** The complete description for an agent that can search the given tools. */
export function searchDescription(deferred: Iterable<string>): string {
  const servers = describeServers(deferred)
  return servers === '' ? SEARCH_DESCRIPTION : `${SEARCH_DESCRIPTION} Servers to search: ${servers}.`
}
