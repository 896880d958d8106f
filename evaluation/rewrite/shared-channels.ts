/**
 * Channels for several retrievers over the same catalogues.
 * @module
 */

import type { Catalog } from '../../src/catalog/types.ts'
import type { Channel, ChannelFactory, ChannelIndex } from '../../src/channels/channel.ts'
import { DEFAULT_CHANNELS } from '../../src/retriever.ts'

/** The default channels, made once and indexed once a catalogue for all retrievers that differ in nothing but the rewrite. */
export function sharedChannels(): ChannelFactory[] {
  return DEFAULT_CHANNELS.map((create): ChannelFactory => {
    let channel: Channel | undefined
    const indexes = new WeakMap<Catalog, ChannelIndex>()
    return context => ({
      id: (channel ??= create(context)).id,
      index(catalog) {
        let index = indexes.get(catalog)
        if (index === undefined) indexes.set(catalog, index = channel!.index(catalog))
        return index
      },
    })
  })
}
