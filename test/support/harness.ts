/**
 * The real DSH in process: model runtime, sessions, system prompt, tool registry, agents and agent loop, with a
 * scripted model. One call boots it, one disposes of it.
 * @module
 */

import { Context } from '@deepseek-ai/cordis'
import type { Plugin } from '@deepseek-ai/cordis'
import AgentRegistry from '@deepseek-ai/dsh-agent'
import type { Agent, AgentHandle, CreateAgentOptions } from '@deepseek-ai/dsh-agent'
import AgentLoop from '@deepseek-ai/dsh-agent-loop'
import { WorkerThreadCodeRuntime } from '@deepseek-ai/dsh-code-runtime-worker-thread'
import LlmRuntime, { createUserMessage } from '@deepseek-ai/dsh-llm'
import SessionStore, { SessionId } from '@deepseek-ai/dsh-session'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { JsonlSessionPersistence } from '@deepseek-ai/dsh-session-persistence-jsonl'
import SystemPrompt from '@deepseek-ai/dsh-system-prompt'
import type { Config as SystemPromptConfig } from '@deepseek-ai/dsh-system-prompt'
import * as timeoutPolicy from '@deepseek-ai/dsh-tool-call-timeout-policy'
import ToolRuntime from '@deepseek-ai/dsh-tools'
import type { ToolDefinition, ToolPresentationMode, ToolRunContext } from '@deepseek-ai/dsh-tools'
import ApprovalService from '@deepseek-ai/dsh-user-approval'
import type { ApprovalPolicy } from '@deepseek-ai/dsh-user-approval'
import { ScriptedAdapter } from './script.ts'
import type { ModelRequest, Script } from './script.ts'

export { call, calls, lastText, program, shownTool, text, toolBytes, toolNames } from './script.ts'
export type { ModelRequest, Script, ScriptedCall, Step } from './script.ts'

const ROUTE = { provider: 'scripted', model: 'scripted-1' } as const

/** How a test tool differs from the plain one. */
export interface ToolOptions {
  readonly description?: string
  /** JSON Schema of the arguments; `q: string`, required, when left out. */
  readonly parameters?: Record<string, unknown>
  /** The value the tool returns; its name and arguments as text when left out. */
  readonly run?: (args: unknown, exec: ToolRunContext) => string | Promise<string>
  readonly timeoutMs?: number
  /** Runs beside its siblings of the same step. */
  readonly parallel?: boolean
}

/** A tool that answers with text. */
export function tool(name: string, options: ToolOptions = {}): ToolDefinition {
  const run = options.run ?? (args => `${name}(${JSON.stringify(args)})`)
  return {
    name,
    description: options.description ?? `The ${name} tool.`,
    parameters: options.parameters ?? { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
    output: { schema: { type: 'string' }, render: (_args, value) => [{ type: 'text', text: value as string }] },
    execute: async (args, exec) => run(args, exec),
    ...options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs },
    ...options.parallel === true && { isConcurrencySafe: () => true },
  }
}

/** A plugin as a namespace, function or class, without regard to the type of its configuration. */
export type AnyPlugin = Plugin | { readonly name?: string; apply(ctx: Context, config: never): unknown }

/** What to boot. */
export interface BootOptions {
  /** The model's answers. */
  readonly script?: Script
  /** Registered globally before the plugin is loaded. */
  readonly tools?: readonly ToolDefinition[]
  /** The plugin under test, loaded last. */
  readonly plugin?: AnyPlugin
  readonly config?: unknown
  /** Plugins loaded after DSH and before the tools and the plugin under test. */
  readonly before?: readonly (readonly [AnyPlugin, unknown?])[]
  /** How tools reach the model; anything but `native` also loads the code runtime. */
  readonly mode?: ToolPresentationMode
  /** Folder for session logs; without it sessions live in memory only. */
  readonly persistence?: string
  readonly prompt?: SystemPromptConfig
  /** Loads DSH's approval service with this policy. */
  readonly approval?: ApprovalPolicy
  /** Loads DSH's timeout policy for tool calls. */
  readonly timeouts?: boolean
}

/** A live agent with what tests do to it. */
export interface TestAgent extends AgentHandle {
  readonly agent: Agent
  /** Sends a user message and waits until the agent is idle. */
  say(message: string): Promise<void>
  /** The session's log so far. */
  events(): readonly SessionEvent[]
}

type AgentCreation = Partial<Omit<CreateAgentOptions, 'sessionId'>> & { readonly id?: string }

/** A booted DSH. */
export interface Harness {
  readonly ctx: Context
  readonly adapter: ScriptedAdapter
  /** The model's requests so far, in order, of all agents. */
  readonly requests: readonly ModelRequest[]
  /** The plugin under test; `fiber.dispose()` unloads it. */
  readonly pluginFiber: { dispose(): Promise<void> } | undefined
  readonly load: (plugin: AnyPlugin, config?: unknown) => Promise<{ dispose(): Promise<void> }>
  readonly createAgent: (options?: AgentCreation) => Promise<TestAgent>
  /** A new agent whose history is a copy of these events. */
  readonly fork: (parent: TestAgent, events?: readonly SessionEvent[], id?: string) => Promise<TestAgent>
  /** Writes an agent's log to disk and closes the agent, so that it can be resumed. Needs `persistence`. */
  readonly park: (agent: TestAgent) => Promise<SessionId>
  /** Needs `persistence`. */
  readonly resume: (id: string) => Promise<TestAgent>
  readonly dispose: () => Promise<void>
}

/** Boots a fresh DSH; a test that boots one must dispose of it. */
export async function boot(options: BootOptions = {}): Promise<Harness> {
  const ctx = new Context()
  const adapter = new ScriptedAdapter(options.script ?? [])
  const load = async (plugin: AnyPlugin, config?: unknown) => await ctx.plugin(plugin as Plugin, config)
  const mode = options.mode ?? 'native'
  await load(LlmRuntime)
  await load(SessionStore)
  if (options.persistence !== undefined) await load(JsonlSessionPersistence, { root: options.persistence, compression: 'none' })
  await load(SystemPrompt, { persona: 'You are a test agent.', ...options.prompt })
  if (mode !== 'native') await load(WorkerThreadCodeRuntime, {})
  await load(ToolRuntime, { mode })
  await load(AgentRegistry)
  if (options.approval !== undefined) await load(ApprovalService, { policy: options.approval })
  if (options.timeouts === true) await load(timeoutPolicy)
  await load(AgentLoop, { agents: [] })
  ctx.llm.registerAdapter([ROUTE.provider], adapter)
  for (const [plugin, config] of options.before ?? []) await load(plugin, config)
  for (const definition of options.tools ?? []) ctx.tools.register(definition)
  const pluginFiber = options.plugin === undefined ? undefined : await load(options.plugin, options.config)

  let created = 0
  const live = new Set<TestAgent>()
  const adopt = (handle: AgentHandle): TestAgent => {
    const { agent } = handle
    const adopted: TestAgent = {
      agent,
      async say(message) {
        agent.followup(createUserMessage({ content: [{ type: 'text', text: message }], source: { kind: 'user' } }))
        await agent.whenIdle()
      },
      events: () => agent.session.events,
      async dispose() {
        live.delete(adopted)
        await handle.dispose()
      },
    }
    live.add(adopted)
    return adopted
  }
  const createAgent = async ({ id, ...creation }: AgentCreation = {}) => adopt(await ctx.agents.create({
    agentOptions: ROUTE,
    ...creation,
    meta: { cwd: process.cwd(), ...creation.meta },
    sessionId: SessionId(id ?? `agent-${++created}`),
  }))

  return {
    ctx,
    adapter,
    requests: adapter.requests,
    pluginFiber,
    load,
    createAgent,
    fork: async (parent, events = parent.events(), id) => createAgent({
      ...id !== undefined && { id },
      seed: [...events],
      meta: { parentSession: parent.agent.id, seedLength: events.length },
    }),
    async park(parked) {
      await ctx.sessions.flush(parked.agent.session)
      await parked.dispose()
      return parked.agent.id
    },
    resume: async id => adopt(await ctx.agents.resume({ resumeSessionId: SessionId(id), agentOptions: ROUTE })),
    async dispose() {
      for (const agent of live) await agent.dispose()
      await ctx.fiber.dispose()
    },
  }
}
