/**
 * Gives every agent its own search, and takes it back.
 * @module
 */

import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { ToolDefinition } from '@deepseek-ai/dsh-tools'

export interface Attachments {
  has(agent: Agent): boolean
  /** Gives attached agents the tools that they have not got yet. What an agent got it keeps: the model may be calling it. */
  refresh(): void
}

/**
 * Registers tools on the own scope of every agent, those that exist and those to come. On the own scope, because an allow list of a
 * sub-agent or a preset masks what is inherited, and an agent must not be left with hidden tools and no search.
 * @param ctx - plugin context; every registration goes with it.
 * @param definitionsOf - the tools that one agent needs now.
 */
export function attachToAgents(ctx: Context, definitionsOf: (agent: Agent) => readonly ToolDefinition[]): Attachments {
  const attached = new Map<Agent, Map<string, () => void>>()

  function attach(agent: Agent): void {
    const own = attached.get(agent) ?? new Map<string, () => void>()
    const missing = definitionsOf(agent).filter(({ name }) => !own.has(name))
    const taken = missing.find(({ name }) => ctx.tools.get(name, agent) !== undefined)
    if (taken !== undefined) {
      // One name with two meanings would be shown to the model. The other plugin was there first.
      ctx.logger.error(`dsh-tool-retriever: agent "${agent.id}" already has a tool named "${taken.name}" of another plugin; its tools stay `
        + 'as they are. Remove the other plugin or this one.')
      attached.delete(agent)
      for (const detach of own.values()) detach()
      return
    }
    attached.set(agent, own)
    for (const definition of missing) own.set(definition.name, agent.ctx.tools.register(definition))
  }

  ctx.on('agent/created', ({ agent }) => { attach(agent) })
  ctx.on('agent/disposed', ({ agent }) => { attached.delete(agent) })
  ctx.effect(() => {
    ctx.agents.list().forEach(attach)
    return () => {
      for (const own of attached.values()) for (const detach of own.values()) detach()
      attached.clear()
    }
  }, 'dsh-tool-retriever.agents')
  return {
    has: agent => attached.has(agent),
    refresh() { for (const agent of [...attached.keys()]) attach(agent) },
  }
}
