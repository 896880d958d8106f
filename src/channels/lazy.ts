/**
 * A channel whose code is loaded when a catalogue is indexed for the first time.
 * @module
 */

import type { Channel, ChannelId } from './channel.ts'

/**
 * @param load - imports and makes the channel; called once. When it fails, the channel fails alone, with its reason.
 */
export function lazyChannel(id: ChannelId, load: () => Promise<Channel>): Channel {
  let loading: Promise<Channel> | undefined
  return {
    id,
    index(catalog) {
      loading ??= load()
      const index = loading.then(channel => channel.index(catalog))
      // The search that needs it says why; nobody may be searching yet.
      index.catch(() => {})
      return { search: async (plan, limit, signal) => (await index).search(plan, limit, signal) }
    },
  }
}
