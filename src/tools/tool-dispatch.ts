/**
 * `tool_dispatch`: calls a tool that is not in the tool list, so that the list never has to change.
 *
 * The call runs as a nested execution through the whole pipeline of DSH, so policy, approval, guards, timeouts and the tool's own
 * checks see the real tool under its real name. What comes out is carried through whole: content of every kind, error code, contexts,
 * the end of the turn, and the card that the tool shows in a UI.
 * @module
 */

import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import { CallId, HarnessError } from '@deepseek-ai/dsh-llm'
import type { ContentBlock } from '@deepseek-ai/dsh-llm'
import type { JsonValue, ToolDefinition, ToolExecutionResult, ToolExecutionToken } from '@deepseek-ai/dsh-tools'
import { argumentProblems, denyNever } from '../surface/hidden-calls.ts'
import type { Surface } from '../surface/surface.ts'
import { isSurfaceTool } from '../surface/surface-tools.ts'
import { DISPATCH_TOOL, SEARCH_TOOL } from './contract.ts'
import { readDispatch } from './dispatch-arguments.ts'
import type { Dispatch } from './dispatch-arguments.ts'
import { renderMisfit } from './rendering.ts'

interface DispatchToolOptions {
  readonly surface: Surface
  /** Whether only tools that a search or a listing named may be called. */
  readonly requireDiscovery: boolean
}

export const DISPATCH_DESCRIPTION = `Call a tool that ${SEARCH_TOOL} found and that is not in your tool list. `
  + 'Give its exact name, and its arguments as its schema in the search result says.'

/** A failure of the dispatched tool under its own code. */
class DispatchedError extends HarnessError {
  constructor(message: string, info: { readonly name: string; readonly code: string }) {
    super(message, info.code)
    this.name = info.name
  }
}

/**
 * Builds one agent's dispatch.
 * @param ctx - plugin context.
 * @param agent - the agent it is registered on; classification and cards of a call depend on what this agent has.
 */
export function createDispatchTool(ctx: Context, agent: Agent, { surface, requireDiscovery }: DispatchToolOptions): ToolDefinition {
  /** Final content of a finished dispatch until it is rendered; the arguments object is the identity that both sides see. */
  const contents = new WeakMap<object, ContentBlock[]>()
  const failures = new WeakMap<object, Extract<ToolExecutionResult, { isError: true }>>()

  function targetOf(args: unknown): { readonly dispatch: Dispatch; readonly definition: ToolDefinition } | undefined {
    const dispatch = readDispatch(args)
    const definition = dispatch === undefined ? undefined : ctx.tools.get(dispatch.name, agent)
    return dispatch === undefined || definition === undefined ? undefined : { dispatch, definition }
  }

  /** Why a dispatch must not run. */
  function refusal({ name, arguments: inner }: Dispatch): string | undefined {
    if (isSurfaceTool(name)) return `"${name}" can't be dispatched: call it directly`
    const { registry, never, undiscovered } = surface.of(agent)
    if (!registry.names.has(name)) return `There is no tool "${name}". Find the right name with ${SEARCH_TOOL}.`
    if (never.has(name)) return denyNever(name)
    if (requireDiscovery && undiscovered.has(name)) return `Tool "${name}" was not searched for. Read its schema first: ${SEARCH_TOOL} {"query": "select:${name}"}`
    const { parameters } = ctx.tools.get(name, agent)!
    const problems = argumentProblems(parameters, inner)
    return problems.length === 0 ? undefined : renderMisfit(name, problems, parameters)
  }

  return {
    name: DISPATCH_TOOL,
    description: DISPATCH_DESCRIPTION,
    parameters: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'Exact tool name.' },
        arguments: { type: 'object', description: 'Arguments of that tool.' },
      },
      required: ['name', 'arguments'],
    },
    output: {
      schema: {},
      render(args, value) {
        const content = contents.get(args as object)
        // A value that policy put in the place of the tool's own is shown as it is.
        contents.delete(args as object)
        return content ?? [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }]
      },
      presentationMeta(args, value) {
        const target = targetOf(args)
        return target?.definition.output.presentationMeta?.(target.dispatch.arguments, value) ?? null
      },
    },
    async execute(args, execution) {
      const dispatch = readDispatch(args)
      if (dispatch === undefined) throw new Error(`${DISPATCH_TOOL} needs the "name" of a tool and its "arguments"`)
      const reason = refusal(dispatch)
      if (reason !== undefined) throw new Error(reason)
      const result = await ctx.tools.execute({
        callId: CallId(`${execution.callId}:dispatch`),
        rootCallId: execution.rootCallId,
        name: dispatch.name,
        arguments: dispatch.arguments,
        agent,
        parent: execution.token,
        signal: execution.signal,
      })
      for (const context of result.additionalContexts ?? []) execution.deferContext(context)
      if (result.isError) {
        failures.set(execution, result)
        const { message, info } = result.error
        throw info === undefined ? new Error(message) : new DispatchedError(message, info)
      }
      if (result.concludesTurn === true) execution.concludeTurn()
      contents.set(args as object, result.content)
      return result.value
    },
    finalizeContent(execution, result) {
      const failure = failures.get(execution)
      // Policy that changed the message speaks for itself.
      return failure !== undefined && result.isError && result.error.message === failure.error.message ? failure.content : undefined
    },
    isConcurrencySafe(args) {
      const target = targetOf(args)
      return target !== undefined && ctx.tools.executionMode({
        callId: CallId('classify'),
        name: target.dispatch.name,
        arguments: target.dispatch.arguments,
        agent,
        parent: CLASSIFYING,
        signal: NEVER_ABORTED,
      }).kind === 'parallel'
    },
    presentCall(args) {
      const target = targetOf(args)
      return target?.definition.presentCall?.(target.dispatch.arguments)
        ?? { card: 'generic', title: readDispatch(args)?.name ?? DISPATCH_TOOL, kind: 'other', rawInput: args as JsonValue }
    },
    presentResult(args, result) {
      const target = targetOf(args)
      return target?.definition.presentResult?.(target.dispatch.arguments, result)
    },
  }
}

/** Marks a classification as that of a nested call, which is what a dispatch will be. */
const CLASSIFYING = Symbol('dsh-tool-retriever.classify') as ToolExecutionToken

const NEVER_ABORTED = new AbortController().signal
