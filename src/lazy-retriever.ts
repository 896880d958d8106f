/**
 * The retriever of the plugin: its code, with the words of the languages it knows, is loaded with the first search.
 * @module
 */

import type { ChannelFactory } from './channels/channel.ts'
import type { RetrievalConfig, Retriever } from './retriever.ts'

/**
 * @param config - checked settings.
 * @param further - channels beside those that need no network.
 */
export function createLazyRetriever(config: RetrievalConfig, further: readonly ChannelFactory[]): Pick<Retriever, 'search' | 'explain'> {
  let loading: Promise<Retriever> | undefined
  const load = async (): Promise<Retriever> => loading ??= import('./retriever.ts')
    .then(({ createRetriever, DEFAULT_CHANNELS }) => createRetriever(config, [...DEFAULT_CHANNELS, ...further]))
  return {
    search: async (catalog, request) => (await load()).search(catalog, request),
    explain: async (catalog, request) => (await load()).explain(catalog, request),
  }
}
