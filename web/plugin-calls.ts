/**
 * Calls to the plugin's half on the host.
 * @module
 */

import { CHANNEL } from '../src/web/protocol.ts'
import type { OverviewReply, OverviewRequest, Preview, PreviewRequest } from '../src/web/protocol.ts'
import type { Connection } from './host.ts'

export interface PluginCalls {
  /** @throws Error with what the host said, or why it could not be reached. */
  overview(request: OverviewRequest, signal: AbortSignal): Promise<OverviewReply>
  /** @throws as {@link overview}; also for a query that `tool_search` would refuse. */
  preview(request: PreviewRequest, signal: AbortSignal): Promise<Preview>
}

export function createPluginCalls({ rpc }: Connection): PluginCalls {
  async function call<T>(endpoint: string, payload: unknown, signal: AbortSignal): Promise<T> {
    const result = await rpc.call(CHANNEL, endpoint, payload, signal)
    if (!result.ok) throw new Error(result.error.message)
    return result.value as T
  }
  return {
    overview: async (request, signal) => call('overview', request, signal),
    preview: async (request, signal) => call('preview', request, signal),
  }
}
