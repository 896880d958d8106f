/**
 * Rewrites queries with a model of DSH: the plugin's half that knows DSH. The service is looked up at each call, so that a DSH without one
 * works, and one that gets or loses a provider is seen.
 * @module
 */

import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { Catalog } from '../catalog/types.ts'
import type { Pending } from '../tools/pending.ts'
import { oneLine } from '../tools/rendering.ts'
import type { Llm } from './call.ts'
import { configuredRoute } from './config.ts'
import type { RewriteConfig, RewriteRoute } from './config.ts'
import { createPauses } from './pauses.ts'
import { PROMPT_VERSION } from './prompt.ts'
import { createSharedCalls } from './shared-calls.ts'
import type { RewriteOutcome, Rewriter } from './types.ts'

/** Longest reason in a log line, in UTF-16 code units. */
const REASON_CHARS = 300

/** Log lines that are remembered, so that each is written once. */
const MOST_WARNINGS = 100

/**
 * @param ctx - plugin context.
 * @param logQueries - whether the log may repeat what a model answered, which is what was searched for in other words.
 * @param pending - aborts calls when the plugin unloads, and has that wait for their end.
 * @returns the rewriter of an agent: all share what is known and what is being made, each uses its own model unless one is configured.
 */
export function createRewriters(
  ctx: Context, config: RewriteConfig, pending: Pending, logQueries: () => boolean,
): (agent: Agent) => Rewriter {
  const calls = createSharedCalls(config.cacheSize)
  const pauses = createPauses()
  const warned = new Set<string>()

  function warn(message: string): void {
    if (warned.has(message) || warned.size >= MOST_WARNINGS) return
    warned.add(message)
    ctx.logger.warn(`dsh-tool-retriever: rewrite: ${message}; searches go on without it`)
  }

  /** One call from prompt to queries; any failure is its outcome. */
  async function call(llm: Llm, route: RewriteRoute, query: string, catalog: Catalog, signal: AbortSignal): Promise<RewriteOutcome> {
    const name = nameOf(route)
    try {
      const { rewriteOnce } = await import('./one-rewrite.ts')
      const { text, queries } = await rewriteOnce(llm, { route, query, catalog, maxTokens: config.maxTokens }, signal)
      pauses.succeeded(name)
      if (queries !== undefined) return { status: 'applied', queries }
      warn(`${name} answered with no queries: ${logQueries() ? oneLine(JSON.stringify(text), REASON_CHARS) : `${text.length} characters, shown with logQueries`}`)
      return { status: 'failed', reason: 'invalid-response' }
    } catch (error: unknown) {
      // Aborted by its callers, by the clock or by the unload: said elsewhere or to nobody, and not the model's fault.
      if (!signal.aborted) {
        pauses.failed(name, 'llm-error')
        warn(`${name} failed: ${oneLine(error instanceof Error ? error.message : String(error), REASON_CHARS)}`)
      }
      return { status: 'failed', reason: 'llm-error' }
    }
  }

  /** A call that ends when its time is up, whether or not the provider heeds that. */
  async function callInTime(llm: Llm, route: RewriteRoute, query: string, catalog: Catalog, signal: AbortSignal): Promise<RewriteOutcome> {
    const late = new AbortController()
    const timeout = Promise.withResolvers<RewriteOutcome>()
    const timer = setTimeout(() => {
      pauses.failed(nameOf(route), 'timeout')
      warn(`${nameOf(route)} did not answer within ${config.timeoutMs} ms; raise rewrite.timeoutMs or set a faster model`)
      timeout.resolve({ status: 'failed', reason: 'timeout' })
      late.abort(new Error(`no answer within ${config.timeoutMs} ms`))
    }, config.timeoutMs)
    const called = pending.run(AbortSignal.any([signal, late.signal]), async running => call(llm, route, query, catalog, running))
    try {
      return await Promise.race([called, timeout.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  return agent => ({
    async rewrite(query, catalog, signal) {
      const llm = ctx.get('llm') as Llm | undefined
      if (llm === undefined) return { status: 'skipped', reason: 'llm-unavailable' }
      const route = configuredRoute(config) ?? routeOf(agent)
      if (route === undefined) return { status: 'skipped', reason: 'route-unavailable' }
      if (llm.listProviders?.().some(({ id }) => id === route.provider) === false) {
        warn(`there is no provider "${route.provider}" in this DSH`)
        return { status: 'skipped', reason: 'route-unavailable' }
      }
      const key = JSON.stringify([PROMPT_VERSION, route.provider, route.model, catalog.revision, query])
      return calls.get(key, signal, async (running) => {
        const paused = pauses.reasonFor(nameOf(route))
        return paused === undefined ? callInTime(llm, route, query, catalog, running) : { status: 'failed', reason: paused }
      })
    },
  })
}

function nameOf({ provider, model }: RewriteRoute): string {
  return `${provider}/${model}`
}

/** The model that an agent talks to: that of its latest request, else the one it was made with. */
function routeOf(agent: Agent): RewriteRoute | undefined {
  const { provider, model } = agent.session.requestHeader()?.config ?? agent.options ?? {}
  return provider === undefined || model === undefined || provider === '' || model === '' ? undefined : { provider, model }
}
