/**
 * The host half of DSH's web connection as plugins see it: keeps the channel of the plugin under test and calls it as a page would.
 * @module
 */

import { Service } from '@deepseek-ai/cordis'
import type { Context } from '@deepseek-ai/cordis'
import type { RpcReply } from '../../src/host.ts'

type Handler = (endpoint: string, payload: unknown, signal: AbortSignal) => Promise<RpcReply>

export function webConnection() {
  let channel: { readonly handler: Handler; readonly options: object } | undefined

  class Connection extends Service {
    constructor(ctx: Context) {
      super(ctx, 'connection')
    }

    get rpc() {
      const owner = this.ctx
      return {
        handle: (_channel: string, handler: Handler, options: object) => owner.effect(() => {
          channel = { handler, options }
          return () => { channel = undefined }
        }),
      }
    }
  }

  class WebServer extends Service {
    constructor(ctx: Context) {
      super(ctx, 'webServer')
    }
  }

  return {
    plugin: {
      name: 'web',
      async apply(ctx: Context) {
        await ctx.plugin(Connection)
        await ctx.plugin(WebServer)
      },
    },
    isOpen: () => channel !== undefined,
    get options() { return channel?.options },
    /** @throws Error with the message of a refusal. */
    async call(endpoint: string, payload: unknown): Promise<unknown> {
      if (channel === undefined) throw new Error('no channel is open')
      const reply = await channel.handler(endpoint, payload, new AbortController().signal)
      if (!reply.ok) throw new Error(reply.error.message)
      // What crosses the wire is JSON.
      return JSON.parse(JSON.stringify(reply.value)) as unknown
    },
  }
}
