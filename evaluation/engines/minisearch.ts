/**
 * MiniSearch with its defaults and the boosts of BRIEF.md.
 * @module
 */

import MiniSearch from 'minisearch'
import type { ToolDeclaration } from '../../src/catalog/types.ts'
import type { Engine } from './engine.ts'
import { schemaTexts } from './schema-text.ts'

export const PEER_BOOSTS = { name: 4, description: 2, parameters: 1 }

/** A tool as the peers store it. */
export function peerDocument(tool: ToolDeclaration): { id: string; name: string; description: string; parameters: string } {
  return { id: tool.name, name: tool.name, description: tool.description ?? '', parameters: schemaTexts(tool.parameters).join(' ') }
}

export const minisearch: Engine = {
  id: 'minisearch',
  label: 'MiniSearch',
  isSlow: true,
  build(tools) {
    const index = new MiniSearch({ fields: Object.keys(PEER_BOOSTS), searchOptions: { boost: PEER_BOOSTS } })
    index.addAll(tools.map(peerDocument))
    return {
      search: (query, limit) => ({ names: index.search(query).slice(0, limit).map(hit => hit.id as string) }),
      replace: tool => index.replace(peerDocument(tool)),
    }
  },
}
