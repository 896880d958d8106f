/**
 * Gives the plugin its dense channel when it is asked for: the code is loaded with the first catalogue, and tools are embedded in the
 * background as soon as an agent has them.
 * @module
 */

import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type {} from '@deepseek-ai/dsh-system-prompt'
import type { Catalog } from './catalog/types.ts'
import type { ChannelFactory } from './channels/channel.ts'
import type { DenseChannel } from './channels/dense.ts'
import { lazyChannel } from './channels/lazy.ts'
import type { DenseConfig } from './dense-config.ts'

/** Gives the channels that a configuration asks for; what an earlier one asked for is stopped and freed. */
export type DenseChannels = (config: false | DenseConfig) => readonly ChannelFactory[]

/**
 * @param ctx - plugin context; what runs is stopped and awaited, and the model freed, when it goes.
 * @param catalogOf - what a search of this agent searches.
 */
export function createDense(ctx: Context, catalogOf: (agent: Agent) => Catalog): DenseChannels {
  let current: { readonly config: DenseConfig; readonly factories: readonly ChannelFactory[]; stop(): void } | undefined
  return (config) => {
    if (config === false || config !== current?.config) {
      current?.stop()
      current = config === false ? undefined : { config, ...setUpDense(ctx, config, catalogOf) }
    }
    return current?.factories ?? []
  }
}

function setUpDense(
  ctx: Context, config: DenseConfig, catalogOf: (agent: Agent) => Catalog,
): { readonly factories: readonly ChannelFactory[]; stop(): void } {
  const warned = new Set<string>()
  let isStopped = false
  let loading: Promise<DenseChannel> | undefined

  function warn(message: string): void {
    if (warned.has(message)) return
    warned.add(message)
    ctx.logger.warn(`dsh-tool-retriever: dense: ${message}`)
  }

  function load(): Promise<DenseChannel> {
    // A search that began before it was turned off would load the model for nobody.
    if (isStopped) return Promise.reject(new Error('it was turned off'))
    return loading ??= import('./channels/dense.ts').then(({ createDenseChannel }) => createDenseChannel(config, { warn }))
  }

  async function warm(agent: Agent): Promise<void> {
    if (isStopped) return
    const channel = await load()
    if (!isStopped) channel.warm(catalogOf(agent))
  }

  const unlisten = ctx.on('system-prompt/assemble', async (_assembly, { agent }, next) => {
    const full = await next()
    // After the request is on its way: what is embedded now is for a later search.
    if (agent !== undefined) setImmediate(() => { warm(agent).catch((error: unknown) => warn(String(error))) })
    return full
  })

  const release = ctx.effect(() => async () => {
    isStopped = true
    await (await loading)?.dispose()
  }, 'dsh-tool-retriever.dense')

  return {
    factories: [() => lazyChannel('dense', load)],
    stop() {
      unlisten()
      release().catch((error: unknown) => warn(String(error)))
    },
  }
}
