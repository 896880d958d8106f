/**
 * Loads the best tools for a session's first message before the first request, when the prefix costs nothing yet.
 *
 * What it loads becomes part of the first request, and the reducer reads it back from there: nothing else has to be remembered.
 * @module
 */

import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { UserMessage } from '@deepseek-ai/dsh-session'
import type { SearchLog } from '../telemetry.ts'
import type { AgentSearch } from '../tools/agent-search.ts'
import type { Pending } from '../tools/pending.ts'

export interface PreselectConfig {
  /** Tools to load at most; 0 turns it off. */
  readonly tools: number
  /** Evidence that the best tool must have, 0 to 1. */
  readonly confidence: number
}

export interface Preselection {
  /** Names for the agent's first request; none once it has made one. */
  of(agent: Agent, signal: AbortSignal): Promise<readonly string[]>
}

const NONE: readonly string[] = []

interface PreselectOptions {
  readonly config: () => PreselectConfig
  readonly pending: Pending
  readonly log: SearchLog
  /** Read when it is needed: the search is made of the surface, which asks for the preselection. */
  readonly search: () => AgentSearch
}

/** @param ctx - plugin context; the listeners go with it. */
export function createPreselection(ctx: Context, { config, pending, log, search }: PreselectOptions): Preselection {
  const messages = new WeakMap<Agent, string>()
  const chosen = new WeakMap<Agent, Promise<readonly string[]>>()

  ctx.on('agent/inbox/claimed', ({ agent, message }) => {
    if (config().tools === 0) return
    const text = textOf(message)
    if (text !== '' && !messages.has(agent) && isFresh(agent)) messages.set(agent, text)
  })

  async function choose(agent: Agent, text: string, signal: AbortSignal): Promise<readonly string[]> {
    const { tools: limit, confidence } = config()
    try {
      const tools = search().toolsOf(agent)
      const outcome = await pending.run(signal, running =>
        log.run(agent, 'preselect', text, () => search().search(tools, text, limit, running)))
      const found = outcome.confidence < confidence ? [] : outcome.results.map(({ name }) => name)
      const names = found.filter(name => tools.surface.deferred.has(name))
      if (names.length > 0) ctx.logger.info(`dsh-tool-retriever: agent "${agent.id}" starts with ${names.join(', ')}`)
      return names
    } catch (error: unknown) {
      // The search is there for what was not loaded beforehand.
      ctx.logger.warn(`dsh-tool-retriever: no tools were chosen for the first message of agent "${agent.id}": ${String(error)}`)
      return NONE
    }
  }

  return {
    async of(agent, signal) {
      const text = messages.get(agent)
      if (text === undefined || config().tools === 0 || !isFresh(agent)) return NONE
      let names = chosen.get(agent)
      if (names === undefined) chosen.set(agent, names = choose(agent, text, signal))
      return names
    },
  }
}

/** Whether an agent has made no request, also not in the history that it was forked or resumed from. */
function isFresh(agent: Agent): boolean {
  return agent.session.requestHeader() === undefined
}

function textOf({ content }: UserMessage): string {
  return content.flatMap(block => block.type === 'text' ? [block.text] : []).join('\n').trim()
}
