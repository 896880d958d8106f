/**
 * A catalogue file and the retriever that the plugin would search it with.
 * @module
 */

import { buildCatalog } from '../catalog/store.ts'
import type { Catalog } from '../catalog/types.ts'
import type { DenseChannel } from '../channels/dense.ts'
import { resolveConfig } from '../config.ts'
import type { Config, ResolvedConfig } from '../config.ts'
import { compilePatterns } from '../patterns.ts'
import { createRetriever, DEFAULT_CHANNELS } from '../retriever.ts'
import type { Retriever } from '../retriever.ts'
import { readToolDeclarations } from './catalog-file.ts'
import { parseJson, readText } from './json-file.ts'
import { UserError } from './user-error.ts'

export interface SearcherOptions {
  /** Path of the tools. */
  readonly catalog: string
  /** Path of a configuration in JSON, the plugin's own keys. */
  readonly config?: string
  /** Turns dense retrieval on, with its defaults where the configuration says nothing of it. */
  readonly dense?: true
}

export interface Searcher {
  readonly catalog: Catalog
  readonly retriever: Retriever
  readonly config: ResolvedConfig
  /** Frees the model, if there is one; vectors stay on disk. */
  close(): Promise<void>
}

/**
 * @param warn - told what the caller should know and can go on without.
 * @throws UserError when a file can't be used.
 */
export async function openSearcher(options: SearcherOptions, warn: (message: string) => void): Promise<Searcher> {
  const config = readConfig(options)
  const isExcluded = compilePatterns(config.disclosure.neverSearch)
  const declarations = readToolDeclarations(options.catalog).filter(({ name }) => !isExcluded(name))
  const catalog = buildCatalog(declarations, { families: config.families })
  const dense = config.dense === false ? undefined : await openDense(config.dense, warn)
  const retriever = createRetriever(config, dense === undefined ? DEFAULT_CHANNELS : [...DEFAULT_CHANNELS, () => dense])
  retriever.prepare(catalog)
  return { catalog, retriever, config, close: async () => dense?.dispose() }
}

async function openDense(config: Exclude<ResolvedConfig['dense'], false>, warn: (message: string) => void): Promise<DenseChannel> {
  return (await import('../channels/dense.ts')).createDenseChannel(config, { warn: message => warn(`dense: ${message}`) })
}

/** A command that ends with its answer has no later search to embed tools for: it waits for them, unless it is configured not to. */
function patient(dense: Config['dense']): Config['dense'] {
  return dense === undefined || dense === false ? dense : { wait: true, ...dense === true ? {} : dense }
}

function readConfig({ config: file, dense }: SearcherOptions): ResolvedConfig {
  const given = file === undefined ? {} : parseJson(readText(file, `--config ${file}`), `--config ${file}`)
  const checked = resolve(given, file)
  const own = (given as Config).dense
  if (dense === undefined && checked.dense === false) return checked
  return resolve({ ...given as Config, dense: patient(checked.dense === false ? true : own) }, file)
}

function resolve(given: unknown, file = ''): ResolvedConfig {
  try {
    return resolveConfig(given)
  } catch (error) {
    throw new UserError(`--config ${file}: ${(error as Error).message.replace(/^dsh-tool-retriever: /, '')}`)
  }
}
