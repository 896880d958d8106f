/**
 * What a fresh process pays: loading the plugin, and the first search.
 *
 * Arguments: `load`, or `search` and a file with `{tools, queries}`. Prints milliseconds as JSON.
 * @module
 */

import { readFileSync } from 'node:fs'
import type { ToolDeclaration } from '../../src/catalog/types.ts'
import type { BenchQuery } from './catalogs.ts'

/** The plugin's code on top of the host's, which is there before any plugin. */
async function load(): Promise<number> {
  await Promise.all([import('@deepseek-ai/cordis'), import('@deepseek-ai/dsh-tools'), import('@deepseek-ai/schemastery')])
  const startedAt = performance.now()
  await import('../../src/index.ts')
  return performance.now() - startedAt
}

/** From declared tools to the first answer: catalogue, indexes, tables and all, after the code is loaded. */
async function firstSearch(file: string): Promise<number> {
  const { tools, queries } = JSON.parse(readFileSync(file, 'utf8')) as { tools: ToolDeclaration[]; queries: BenchQuery[] }
  const { indexWith } = await import('../engines/ours.ts')
  const { createRetriever } = await import('../../src/retriever.ts')
  const { DEFAULT_RETRIEVAL } = await import('../../src/retrieval-defaults.ts')
  const startedAt = performance.now()
  await indexWith(createRetriever(DEFAULT_RETRIEVAL), tools).search(queries.find(({ isEnglish }) => isEnglish)!.query, 8)
  return performance.now() - startedAt
}

const [what, file] = process.argv.slice(2)
process.stdout.write(JSON.stringify(what === 'load' ? await load() : await firstSearch(file!)))
