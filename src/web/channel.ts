/**
 * Answers the browser half over DSH's connection, where this DSH has one.
 * @module
 */

import { createHash } from 'node:crypto'
import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import { serveBrowser } from '../host.ts'
import type { RpcReply } from '../host.ts'
import type { Inspector } from '../overview/inspector.ts'
import { CHANNEL } from './protocol.ts'
import type { AgentEntry, OverviewReply } from './protocol.ts'

interface WebChannelOptions {
  readonly inspector: Inspector
  /** Agents without a search of ours have nothing to show. */
  readonly isAttached: (agent: Agent) => boolean
}

/** A request that is wrong: said to the browser, not logged. */
class BadRequest extends Error {}

/** @param ctx - plugin context; the channel goes with it. */
export function openWebChannel(ctx: Context, { inspector, isAttached }: WebChannelOptions): void {
  function overview(payload: Record<string, unknown>): OverviewReply {
    const agents = ctx.agents.list().filter(isAttached).sort((a, b) => lastActive(b) - lastActive(a))
    const agent = agents.find(({ id }) => id === payload['agent']) ?? agents[0]
    const entries = agents.map(entryOf)
    if (agent === undefined) return { agents: entries, revision: '' }
    const current = inspector.overview(agent)
    const revision = createHash('sha256').update(JSON.stringify(current)).digest('hex')
    return { agents: entries, agent: agent.id, revision, ...revision !== payload['revision'] && { overview: current } }
  }

  async function answer(endpoint: string, payload: Record<string, unknown>, signal: AbortSignal): Promise<unknown> {
    switch (endpoint) {
      case 'overview':
        return overview(payload)
      case 'preview': {
        const { agent: id, query } = payload
        const agent = ctx.agents.list().find(live => live.id === id && isAttached(live))
        if (agent === undefined) throw new BadRequest('this agent is gone')
        if (typeof query !== 'string') throw new BadRequest('"query" must be a text')
        return inspector.preview(agent, query, signal)
      }
      default:
        throw new BadRequest(`there is no "${endpoint}" here`)
    }
  }

  serveBrowser(ctx, CHANNEL, async (endpoint, payload, signal): Promise<RpcReply> => {
    try {
      return { ok: true, value: await answer(endpoint, isRecord(payload) ? payload : {}, signal) }
    } catch (error: unknown) {
      const message = error instanceof Error ? error.message : String(error)
      return { ok: false, error: { code: error instanceof BadRequest ? 'bad-request' : 'internal', message, details: {} } }
    }
  })

  // When the first agent is there, the profile is composed: what is missing now will not come.
  const off = ctx.on('agent/created', () => {
    off()
    if (ctx.get('connection') === undefined) ctx.logger.info('dsh-tool-retriever: this profile has no web page, so there is no settings card')
  })
}

/** Unix epoch milliseconds; top-level agents before sub-agents, which come and go. */
function lastActive({ session }: Agent): number {
  const time = session.events.at(-1)?.time ?? session.header.createdAt
  return session.header.origin === 'subagent' ? time - Number.MAX_SAFE_INTEGER / 2 : time
}

function entryOf({ id, session }: Agent): AgentEntry {
  const titled = session.events.findLast(({ type }) => (type as string) === 'session/title')
  const { title } = (titled?.data ?? {}) as { title?: unknown }
  return {
    id,
    title: typeof title === 'string' ? title : '',
    cwd: session.header.cwd ?? '',
    isSubagent: session.header.origin === 'subagent',
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
