/**
 * What a fresh process pays: loading the plugin, and the first search.
 *
 * Arguments: the folder of the built package as a URL, and for the first search a file with `{tools, queries}`. Prints milliseconds as
 * JSON.
 * @module
 */

import { readFileSync } from 'node:fs'
import type { CatalogStore } from '../../src/catalog/store.ts'
import type { ToolDeclaration } from '../../src/catalog/types.ts'
import type { createLazyRetriever } from '../../src/lazy-retriever.ts'
import type { RetrievalConfig } from '../../src/retriever.ts'
import type { BenchQuery } from './catalogs.ts'

/** The host's packages, with the parts of Node.js that they need, are there before any plugin. */
async function loadHost(): Promise<void> {
  await Promise.all([
    import('@deepseek-ai/cordis'), import('@deepseek-ai/schemastery'),
    import('@deepseek-ai/dsh-llm'), import('@deepseek-ai/dsh-scope'), import('@deepseek-ai/dsh-tools'),
  ])
}

/** The plugin's code. */
async function load(folder: string): Promise<number> {
  await loadHost()
  const startedAt = performance.now()
  await import(`${folder}index.js`)
  return performance.now() - startedAt
}

/** From declared tools to the first answer, as the plugin comes to it: the code of the search, catalogue, indexes, tables and all. */
async function firstSearch(folder: string, file: string): Promise<number> {
  await loadHost()
  const { tools, queries } = JSON.parse(readFileSync(file, 'utf8')) as { tools: ToolDeclaration[]; queries: BenchQuery[] }
  const { query } = queries.find(({ isEnglish }) => isEnglish)!
  const { createCatalogStore } = await import(`${folder}parts/store.js`) as { createCatalogStore: () => CatalogStore }
  const lazy = await import(`${folder}parts/lazy-retriever.js`) as { createLazyRetriever: typeof createLazyRetriever }
  const { DEFAULT_RETRIEVAL } = await import(`${folder}parts/defaults.js`) as { DEFAULT_RETRIEVAL: RetrievalConfig }
  const retriever = lazy.createLazyRetriever(DEFAULT_RETRIEVAL, [])
  const startedAt = performance.now()
  await retriever.search(createCatalogStore().snapshot(tools), { query, limit: 8 })
  return performance.now() - startedAt
}

const [folder, file] = process.argv.slice(2)
process.stdout.write(JSON.stringify(file === undefined ? await load(folder!) : await firstSearch(folder!, file)))
