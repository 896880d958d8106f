/**
 * This project's retriever, made exactly as the plugin makes it.
 * @module
 */

import { createCatalogStore } from '../../src/catalog/store.ts'
import type { ToolDeclaration } from '../../src/catalog/types.ts'
import { DEFAULT_RETRIEVAL } from '../../src/retrieval-defaults.ts'
import { createRetriever } from '../../src/retriever.ts'
import type { ChannelFactory, RetrievalConfig, Retriever } from '../../src/retriever.ts'
import type { Engine, EngineIndex } from './engine.ts'

/** A searchable catalogue of a retriever that may have indexed others before. */
export function indexWith(retriever: Retriever, declarations: readonly ToolDeclaration[], store = createCatalogStore()): EngineIndex {
  let current = declarations
  let catalog = store.snapshot(current)
  retriever.prepare(catalog)
  return {
    async search(query, limit) {
      const { results, match } = await retriever.search(catalog, { query, limit })
      return { names: results.map(result => result.name), match }
    },
    replace(tool) {
      current = current.map(other => other.name === tool.name ? tool : other)
      catalog = store.snapshot(current)
      retriever.prepare(catalog)
    },
  }
}

/** The retriever with its own settings, or with others for an ablation. */
export function createOurs(config: RetrievalConfig = DEFAULT_RETRIEVAL, channels?: readonly ChannelFactory[]): Engine {
  return {
    id: 'ours',
    label: 'dsh-tool-retriever',
    build: tools => indexWith(createRetriever(config, channels), tools),
  }
}

/** The same with one memory for all its catalogues: tools that they share are analysed once, so its build times mean nothing. */
export function createWarmOurs(): Engine {
  const retriever = createRetriever(DEFAULT_RETRIEVAL)
  const store = createCatalogStore()
  return { ...createOurs(), build: tools => indexWith(retriever, tools, store) }
}
