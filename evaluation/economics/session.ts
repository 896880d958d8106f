/**
 * Sessions of the real agent loop, with the plugin's own assemblies, as what their requests cost.
 * @module
 */

import type { Context } from '@deepseek-ai/cordis'
import { LlmAdapter } from '@deepseek-ai/dsh-llm'
import type { GenerateOptions, LlmResolvedModelInfo, StreamChunk } from '@deepseek-ai/dsh-llm'
import * as plugin from '../../src/index.ts'
import { boot } from '../../test/support/harness.ts'
import type { TestAgent } from '../../test/support/harness.ts'
import { coreTools } from './catalog.ts'
import type { CatalogTool } from './catalog.ts'
import { createModel } from './model.ts'
import type { ScriptedModel, SearchStatistics, Step } from './model.ts'
import { byName } from './policy.ts'
import type { Policy } from './policy.ts'
import { addUsage, createPrefixCache, NO_USAGE } from './prefix-cache.ts'
import type { PrefixCache, Usage } from './prefix-cache.ts'
import { proseOf } from './prose.ts'
import { shareSchemas } from './shared-schemas.ts'
import { requestSegments, segmentOf, writtenBy } from './tokens.ts'

const SYSTEM_TOKENS = 1_000

const ROUTE = { provider: 'metered', model: 'metered-1' } as const

/** One user message and the calls that answering it takes. */
export interface Turn {
  readonly message: string
  readonly steps: readonly Step[]
}

/** What a session has used. */
export interface Meter {
  readonly usage: Usage
  readonly requests: number
  /** Requests whose tools differ from those of the request before. */
  readonly changes: number
}

/** A session that goes on turn by turn. */
export interface MeteredSession {
  play(turn: Turn): Promise<void>
  /** From the first request on, also of the session that this one branched off. */
  meter(): Meter
  readonly statistics: SearchStatistics
  /** Another session that has the same past. */
  fork(): Promise<MeteredSession>
  dispose(): Promise<void>
}

/** A DSH with one policy. */
export interface MeteredHarness {
  start(): Promise<MeteredSession>
  dispose(): Promise<void>
}

interface Live {
  readonly model: ScriptedModel
  readonly cache: PrefixCache
  usage: Usage
  requests: number
  changes: number
  /** Of the latest request. */
  tools: string
  failure?: Error
}

/** Meters each request and lets the session's model answer. */
class MeteredAdapter extends LlmAdapter {
  readonly sessions = new Map<string, Live>()

  override resolveModel(provider: string, model: string): Promise<LlmResolvedModelInfo> {
    return Promise.resolve({ provider, id: model, name: model })
  }

  override async * stream(request: GenerateOptions): AsyncGenerator<StreamChunk> {
    const live = this.sessions.get(request.sessionId!)!
    let chunks: readonly StreamChunk[]
    try {
      chunks = await Promise.resolve(live.model.answer(request))
    } catch (error: unknown) {
      live.failure = error instanceof Error ? error : new Error(String(error))
      throw error
    }
    const segments = requestSegments(request)
    const { hit, miss } = live.cache.send(segments)
    const tools = segments.slice(0, request.tools?.length ?? 0).map(({ id }) => id).join()
    if (live.requests > 0 && tools !== live.tools) live.changes++
    live.tools = tools
    const output = segmentOf(writtenBy(chunks.flatMap(chunk => chunk.type === 'block-end' ? [chunk.block] : []))).tokens
    live.usage = addUsage(live.usage, { hit, miss, output })
    live.requests++
    // DSH counts uncached and cached input apart.
    const usage = { inputTokens: miss, cacheReadTokens: hit, outputTokens: output }
    yield* chunks.map((chunk): StreamChunk => chunk.type === 'usage' ? { type: 'usage', usage } : chunk)
  }
}

/** Boots DSH with its own tools, a catalogue and a policy. */
export async function bootMetered(policy: Policy, catalog: readonly CatalogTool[]): Promise<MeteredHarness> {
  const adapter = new MeteredAdapter()
  const route = { name: 'metered', inject: ['llm'], apply(ctx: Context) { ctx.llm.registerAdapter([ROUTE.provider], adapter) } }
  const tools = [...coreTools(), ...catalog.map(({ definition }) => definition)]
  const unshare = shareSchemas(tools.map(({ parameters }) => parameters))
  const harness = await boot({
    before: [[route]],
    tools,
    prompt: { persona: proseOf(SYSTEM_TOKENS, 1) },
    ...policy.config !== undefined && { plugin, config: policy.config },
  })
  if (policy.alphabetical === true) await harness.load(byName)

  function meter(handle: TestAgent, live: Live): MeteredSession {
    adapter.sessions.set(handle.agent.id, live)
    return {
      async play({ message, steps }) {
        live.model.begin(steps)
        await handle.say(message)
        if (live.failure !== undefined) throw live.failure
      },
      meter: () => ({ usage: live.usage, requests: live.requests, changes: live.changes }),
      statistics: live.model.statistics,
      fork: async () => meter(
        await harness.createAgent({
          agentOptions: ROUTE,
          seed: [...handle.events()],
          meta: { parentSession: handle.agent.id, seedLength: handle.events().length },
        }),
        { ...live, model: live.model.fork(), cache: createPrefixCache(live.cache) },
      ),
      async dispose() {
        adapter.sessions.delete(handle.agent.id)
        await handle.dispose()
      },
    }
  }

  return {
    start: async () => meter(
      await harness.createAgent({ agentOptions: ROUTE }),
      { model: createModel(), cache: createPrefixCache(), usage: NO_USAGE, requests: 0, changes: 0, tools: '' },
    ),
    async dispose() {
      await harness.dispose()
      unshare()
    },
  }
}
