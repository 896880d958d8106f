/**
 * Gives every agent its own `tool_search`, and takes it back.
 * @module
 */

import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { ToolDefinition } from '@deepseek-ai/dsh-tools'

export interface Attachments {
  has(agent: Agent): boolean
}

/**
 * Registers a tool on the own scope of every agent, those that exist and those to come. On the own scope, because an allow list of a
 * sub-agent or a preset masks what is inherited, and an agent must not be left with hidden tools and no search.
 * @param ctx - plugin context; every registration goes with it.
 * @param definition - shared by all agents; it reads the agent from each call.
 */
export function attachToAgents(ctx: Context, definition: ToolDefinition): Attachments {
  const attached = new Map<Agent, () => void>()

  function attach(agent: Agent): void {
    if (attached.has(agent)) return
    const other = ctx.tools.get(definition.name, agent)
    if (other !== undefined) {
      // Two searches would show the model one name with two meanings. The other one was there first.
      ctx.logger.error(`dsh-tool-retriever: agent "${agent.id}" already has a tool named "${definition.name}" of another plugin; its tools stay `
        + 'as they are. Remove the other plugin or this one.')
      return
    }
    attached.set(agent, agent.ctx.tools.register(definition))
  }

  ctx.on('agent/created', ({ agent }) => { attach(agent) })
  ctx.on('agent/disposed', ({ agent }) => { attached.delete(agent) })
  ctx.effect(() => {
    ctx.agents.list().forEach(attach)
    return () => {
      attached.forEach((detach) => { detach() })
      attached.clear()
    }
  }, 'dsh-tool-retriever.agents')
  return { has: agent => attached.has(agent) }
}
