/**
 * The seams of DSH that differ by version, feature-detected. Nothing else in the plugin asks which DSH it runs in.
 * @module
 */

import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import * as scopes from '@deepseek-ai/dsh-scope'
import type { PromptAssembly } from '@deepseek-ai/dsh-system-prompt'
import * as dshTools from '@deepseek-ai/dsh-tools'
import type { JsonSchemaNode } from '@deepseek-ai/dsh-tools'

/** The tool that carries programs in Code Mode; every version reserves the name. */
export const PROGRAM_TOOL: string = (dshTools as { RUN_CODE_NAME?: string }).RUN_CODE_NAME ?? 'run_code'

/** The prompt section that declares the callable tools to a program. */
const SDK_SECTION = 'tools:sdk'

/** A tool as the SDK section declares it. */
export interface SdkTool {
  readonly name: string
  readonly description: string
  readonly parameters: Record<string, unknown>
  readonly output: JsonSchemaNode
}

type SdkRenderer = (tools: SdkTool[]) => string

/** Renderers of the SDK text by the language of the code runtime, as far as this DSH exports them. */
const SDK_RENDERERS: Readonly<Record<string, SdkRenderer | undefined>> = {
  typescript: (dshTools as { renderToolsSdk?: SdkRenderer }).renderToolsSdk,
  python: (dshTools as { renderToolsSdkPy?: SdkRenderer }).renderToolsSdkPy,
}

/** The SDK section of an assembly; undefined when this agent presents its tools natively. */
export function sdkSection(assembly: PromptAssembly): PromptAssembly['sections'][number] | undefined {
  return assembly.sections.find(section => section.name === SDK_SECTION && section.text !== '')
}

/** The renderer that DSH itself would use for the SDK text; undefined when this DSH exports none for the language. */
export function sdkRenderer(ctx: Context): SdkRenderer | undefined {
  const runtime = ctx.get('codeRuntime') as { language?: string } | undefined
  const language = runtime?.language ?? 'typescript'
  return Object.hasOwn(SDK_RENDERERS, language) ? SDK_RENDERERS[language] : undefined
}

/**
 * What decides an agent's view of the registry besides its registrations: the chain of its scopes, which a preset switch moves
 * without a `tools/change`. Compared by identity; a DSH without scope chains has one that never moves.
 */
export function scopeChain(agent: Agent): readonly object[] {
  const { scopeChainOf } = scopes as { scopeChainOf?: (key: object) => object[] }
  return scopeChainOf?.(agent) ?? [agent]
}

/** The answer to a call of the browser, as DSH carries it. */
export type RpcReply =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: { readonly code: 'bad-request' | 'internal'; readonly message: string; readonly details: object } }

type RpcHandler = (endpoint: string, payload: unknown, signal: AbortSignal) => Promise<RpcReply>

/** The part of DSH's web connection that carries a plugin's own calls. */
interface HostConnection {
  readonly rpc?: { handle?(channel: string, handler: RpcHandler, options: { readonly authority: 'loopback' }): unknown }
}

/**
 * Answers calls of the browser on a channel of our own, for pages on this machine alone. Waits for a web connection; in a profile without
 * one nothing happens.
 * @param ctx - plugin context; the channel goes with it.
 */
export function serveBrowser(ctx: Context, channel: string, handler: RpcHandler): void {
  // The connection mounts the channel as a route of the caller, who therefore needs the web server too.
  ctx.inject(['connection', 'webServer'], (web) => {
    const { rpc } = web.get('connection') as HostConnection
    if (rpc?.handle === undefined) ctx.logger.info('dsh-tool-retriever: this DSH carries no calls of plugins, so the settings card has no data')
    else rpc.handle(channel, handler, { authority: 'loopback' })
  })
}

/** `FiberState.UNLOADING` and `FiberState.DISPOSED`: a const enum, of which nothing is there at run time. */
const GOING_STATES: ReadonlySet<number> = new Set([4, 5])

/** Whether a plugin's own context is going away, and not only a service that it uses. */
export function isUnloading(ctx: Context): boolean {
  return GOING_STATES.has(ctx.fiber.state)
}
