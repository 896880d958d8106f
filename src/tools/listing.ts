/**
 * The answer to `status:`: the families of an agent's tools, and the tools of one.
 * @module
 */

import { nameForm } from '../catalog/name-index.ts'
import type { Family } from '../catalog/types.ts'
import type { AgentTools } from './agent-search.ts'
import type { SearchResult, SearchValue } from './contract.ts'
import { DESCRIPTION_CHARS, oneLine } from './rendering.ts'
import { channelScores } from './search-value.ts'

/** Tools of one family, and families, that are listed; the rest is counted. */
const MAX_LISTED = 100

/** Lists the families of an agent's tools, or the tools of one family by name, without loading any. */
export function listFamilies(tools: AgentTools, query: string, id: string): SearchValue {
  const { surface, catalog } = tools
  const [family] = id === '' ? [] : catalog.families.filter(({ id: known, aliases = [] }) => [known, ...aliases].some(name => nameForm(name) === nameForm(id)))
  const results = family === undefined ? [] : family.tools.slice(0, MAX_LISTED).map((tool, index): SearchResult => {
    const { name, description } = catalog.tools[tool]!
    return { name, description, rank: index + 1, score: 0, rrf: 0, ...channelScores({}), matchedFields: [], status: statusOf(tools, name) }
  })
  const more = (family?.tools.length ?? 0) - results.length
  return {
    query,
    catalogSize: catalog.tools.length,
    catalogRevision: catalog.revision,
    rewrite: { status: 'skipped', reason: 'exact-match', query: '' },
    results,
    remainingDeferred: surface.undiscovered.size,
    unanswered: [],
    notes: [
      ...id !== '' && family === undefined ? [`There is no server or family "${id}".`] : [],
      ...more > 0 ? [`And ${more} more.`] : [],
      ...family === undefined ? familyLines(tools) : [],
    ],
  }
}

function statusOf({ surface }: AgentTools, name: string): SearchResult['status'] {
  return surface.deferred.has(name) ? 'listed' : 'already_loaded'
}

function familyLines({ surface, catalog }: AgentTools): readonly string[] {
  const lines = catalog.families.slice(0, MAX_LISTED).map(({ id, description, tools }: Family) => {
    const available = tools.filter(tool => !surface.deferred.has(catalog.tools[tool]!.name)).length
    return `${id}: ${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}${available > 0 ? `, ${available} in your tool list` : ''}`
      + (description === undefined ? '' : ` - ${oneLine(description, DESCRIPTION_CHARS)}`)
  })
  const more = catalog.families.length - lines.length
  return more > 0 ? [...lines, `And ${more} more.`] : lines
}
