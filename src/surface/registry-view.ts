/**
 * What the registry holds for one agent, read once per change.
 * @module
 */

import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { ToolSchema } from '@deepseek-ai/dsh-llm'
import { scopeChain } from '../host.ts'
import { estimateTokens } from './economics.ts'

/** One agent's tools as the registry resolves them, after every restriction of other policies. */
export interface RegistryView {
  readonly schemas: readonly ToolSchema[]
  readonly names: ReadonlySet<string>
  /** Tokens of a tool's schema, estimated; 0 for a name that is not in the view. */
  tokensOf(name: string): number
}

export interface RegistryViews {
  /**
   * @param fallbackNames - names to try one by one when the registry can't project its whole view because one tool's schema is not JSON.
   */
  of(agent: Agent, fallbackNames?: Iterable<string>): RegistryView
}

interface CachedView {
  readonly version: number
  readonly chain: readonly object[]
  readonly view: RegistryView
}

/**
 * Caches each agent's view until a registration, a restriction or the agent's scope chain changes. The registry clones every schema on
 * each read, which is why nothing here is read per request: five hundred registrations in a row cost one read, when it is needed.
 * @param ctx - plugin context; the listener goes with it.
 */
export function createRegistryViews(ctx: Context): RegistryViews {
  const cache = new WeakMap<Agent, CachedView>()
  let version = 0
  ctx.on('tools/change', () => { version++ })
  return {
    of(agent, fallbackNames = []) {
      const chain = scopeChain(agent)
      const cached = cache.get(agent)
      if (cached?.version === version && sameChain(cached.chain, chain)) return cached.view
      const schemas = readSchemas(ctx, agent, fallbackNames)
      const view = { schemas, names: new Set(schemas.map(schema => schema.name)), tokensOf: tokenCounter(schemas) }
      cache.set(agent, { version, chain, view })
      return view
    },
  }
}

/** Counts on the first question, which modes that do not weigh schemas never ask. */
function tokenCounter(schemas: readonly ToolSchema[]): (name: string) => number {
  let tokens: ReadonlyMap<string, number> | undefined
  return (name) => {
    tokens ??= new Map(schemas.map(schema => [schema.name, estimateTokens(JSON.stringify(schema).length)]))
    return tokens.get(name) ?? 0
  }
}

function sameChain(a: readonly object[], b: readonly object[]): boolean {
  return a.length === b.length && a.every((scope, index) => scope === b[index])
}

function readSchemas(ctx: Context, agent: Agent, fallbackNames: Iterable<string>): readonly ToolSchema[] {
  try {
    return ctx.tools.schemas(agent)
  } catch (error: unknown) {
    // One tool whose parameters are not JSON fails the whole projection; the others must stay searchable.
    ctx.logger.warn(`dsh-tool-retriever: the tool registry can't be read at once (${String(error)}); reading tool by tool`)
    return [...fallbackNames].flatMap((name) => {
      const definition = ctx.tools.get(name, agent)
      return definition === undefined ? [] : [{ name, description: definition.description, parameters: definition.parameters }]
    })
  }
}
