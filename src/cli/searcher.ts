/**
 * A catalogue file and the retriever that the plugin would search it with.
 * @module
 */

import { buildCatalog } from '../catalog/store.ts'
import type { Catalog } from '../catalog/types.ts'
import { DEFAULT_CONFIG, resolveConfig } from '../config.ts'
import type { ResolvedConfig } from '../config.ts'
import { compilePatterns } from '../patterns.ts'
import { createRetriever } from '../retriever.ts'
import type { Retriever } from '../retriever.ts'
import { readToolDeclarations } from './catalog-file.ts'
import { parseJson, readText } from './json-file.ts'
import { UserError } from './user-error.ts'

export interface SearcherOptions {
  /** Path of the tools. */
  readonly catalog: string
  /** Path of a configuration in JSON, the plugin's own keys. */
  readonly config?: string
}

export interface Searcher {
  readonly catalog: Catalog
  readonly retriever: Retriever
  readonly config: ResolvedConfig
}

/** @throws UserError when a file can't be used. */
export function openSearcher(options: SearcherOptions): Searcher {
  const config = options.config === undefined ? DEFAULT_CONFIG : readConfig(options.config)
  const isExcluded = compilePatterns(config.disclosure.neverSearch)
  const declarations = readToolDeclarations(options.catalog).filter(({ name }) => !isExcluded(name))
  const catalog = buildCatalog(declarations, { families: config.families })
  const retriever = createRetriever(config)
  retriever.prepare(catalog)
  return { catalog, retriever, config }
}

function readConfig(file: string): ResolvedConfig {
  const config = resolve(parseJson(readText(file, `--config ${file}`), `--config ${file}`), file)
  if (config.dense !== false) throw new UserError(`--config ${file}: "dense" works inside DSH only; take it out for the command line`)
  return config
}

function resolve(given: unknown, file: string): ResolvedConfig {
  try {
    return resolveConfig(given)
  } catch (error) {
    throw new UserError(`--config ${file}: ${(error as Error).message.replace(/^dsh-tool-retriever: /, '')}`)
  }
}
