/**
 * Orama with the boosts of BRIEF.md, its English stemmer and stop words.
 * @module
 */

import { create, insertMultiple, search, update } from '@orama/orama'
import { stemmer } from '@orama/stemmers/english'
import { stopwords } from '@orama/stopwords/english'
import type { Engine } from './engine.ts'
import { peerDocument, PEER_BOOSTS } from './minisearch.ts'

export const orama: Engine = {
  id: 'orama',
  label: 'Orama',
  isSlow: true,
  async build(tools) {
    const index = create({
      schema: { name: 'string', description: 'string', parameters: 'string' } as const,
      components: { tokenizer: { language: 'english', stemming: true, stemmer, stopWords: stopwords } },
    })
    await insertMultiple(index, tools.map(peerDocument), tools.length)
    return {
      async search(query, limit) {
        const { hits } = await search(index, { term: query, limit, boost: PEER_BOOSTS })
        return { names: hits.map(hit => hit.id) }
      },
      async replace(tool) {
        await update(index, tool.name, peerDocument(tool))
      },
    }
  },
}
