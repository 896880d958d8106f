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

/**
 * @param ctx - plugin context; what runs is stopped and awaited, and the model freed, when it goes.
 * @param catalogOf - what a search of this agent searches.
 */
export function setUpDense(ctx: Context, config: DenseConfig, catalogOf: (agent: Agent) => Catalog): ChannelFactory {
  const warned = new Set<string>()
  let isUnloaded = false
  let loading: Promise<DenseChannel> | undefined

  function warn(message: string): void {
    if (warned.has(message)) return
    warned.add(message)
    ctx.logger.warn(`dsh-tool-retriever: dense: ${message}`)
  }

  function load(): Promise<DenseChannel> {
    return loading ??= import('./channels/dense.ts').then(({ createDenseChannel }) => createDenseChannel(config, { warn }))
  }

  async function warm(agent: Agent): Promise<void> {
    const channel = await load()
    if (!isUnloaded) channel.warm(catalogOf(agent))
  }

  ctx.on('system-prompt/assemble', async (_assembly, { agent }, next) => {
    const full = await next()
    // After the request is on its way: what is embedded now is for a later search.
    if (agent !== undefined) setImmediate(() => { warm(agent).catch((error: unknown) => warn(String(error))) })
    return full
  })

  ctx.effect(() => async () => {
    isUnloaded = true
    await (await loading)?.dispose()
  }, 'dsh-tool-retriever.dense')

  return () => lazyChannel('dense', load)
}
