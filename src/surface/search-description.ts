/**
 * The description of `tool_search` as the model reads it.
 * @module
 */

import { familyIdOf } from '../catalog/families.ts'

/** What the tool does and when to use it; the same in every session. */
export const SEARCH_DESCRIPTION = 'Find and load tools that are not in your tool list. You see only a few of the tools you can use: before '
  + 'you say that something can\'t be done, search for it. Describe the task in a few words of any language, or give exact names as '
  + '"select:name1,name2". The best matches are loaded: from your next message on they are in your tool list, with their schemas, and '
  + 'you call them by name.'

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
