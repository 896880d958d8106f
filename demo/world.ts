/**
 * The real DSH in process: registry, prompt, sessions and agent loop, with tools of its own that work on one folder.
 * @module
 */

import { Context } from '@deepseek-ai/cordis'
import AgentRegistry from '@deepseek-ai/dsh-agent'
import type { Agent } from '@deepseek-ai/dsh-agent'
import AgentLoop from '@deepseek-ai/dsh-agent-loop'
import LocalBashExecutor from '@deepseek-ai/dsh-bash-local'
import LocalFileSystem from '@deepseek-ai/dsh-fs-local'
import LlmRuntime, { createUserMessage } from '@deepseek-ai/dsh-llm'
import * as deepseek from '@deepseek-ai/dsh-llm-deepseek'
import SessionStore, { SessionId } from '@deepseek-ai/dsh-session'
import * as shellEnv from '@deepseek-ai/dsh-shell-env'
import LocalSubprocessRuntime from '@deepseek-ai/dsh-subprocess-local'
import SystemPrompt from '@deepseek-ai/dsh-system-prompt'
import * as toolBash from '@deepseek-ai/dsh-tool-bash'
import * as toolFs from '@deepseek-ai/dsh-tool-fs'
import * as toolFsSearch from '@deepseek-ai/dsh-tool-fs-search'
import * as toolTodo from '@deepseek-ai/dsh-tool-todo'
import ToolRuntime from '@deepseek-ai/dsh-tools'
import { text } from '../test/support/script.ts'
import { ScriptedModel } from './scripted-model.ts'
import type { DemoTask } from './tasks.ts'

/** A model that DSH can route to. */
export interface Route {
  readonly provider: string
  readonly model: string
}

/** The scripted stand-in. */
export const SCRIPTED: Route = { provider: 'scripted', model: 'scripted-demo' }

/** DeepSeek's own API, with the key of `DEEPSEEK_API_KEY`; the model that DSH's profiles ship with. */
export const DEEPSEEK: Route = { provider: 'deepseek-official', model: 'deepseek-v4-flash' }

/** Ends each turn at once: what an agent would have sent can be read from its log at no cost. */
export const SILENT: Route = { provider: 'silent', model: 'silent' }

/**
 * Boots DSH.
 * @param folder - absolute; working folder of every tool.
 * @param tasks - what the scripted model knows.
 */
export async function bootDsh(folder: string, tasks: readonly DemoTask[]): Promise<Context> {
  const ctx = new Context()
  await ctx.plugin(LlmRuntime)
  await ctx.plugin(SessionStore)
  await ctx.plugin(SystemPrompt, { persona: 'You are an agent that does what the user asks. Your working directory is {{cwd}}.' })
  await ctx.plugin(ToolRuntime)
  await ctx.plugin(AgentRegistry)
  await ctx.plugin(AgentLoop, { agents: [] })
  await ctx.plugin(LocalSubprocessRuntime)
  await ctx.plugin(shellEnv, { dshHome: folder })
  await ctx.plugin(LocalBashExecutor, { cwd: folder })
  await ctx.plugin(LocalFileSystem, { cwd: folder })
  await ctx.plugin(toolBash, {})
  await ctx.plugin(toolFs, {})
  await ctx.plugin(toolFsSearch, { sampleOverCapGlobResults: false })
  await ctx.plugin(toolTodo, { allowParallelInProgress: true })
  await ctx.plugin(deepseek, {})
  ctx.llm.registerAdapter([SCRIPTED.provider], new ScriptedModel(tasks))
  ctx.llm.registerAdapter([SILENT.provider], new SilentModel())
  return ctx
}

class SilentModel extends ScriptedModel {
  constructor() {
    super([])
  }

  override async * stream() {
    yield* text('.')
  }
}

/** Starts an agent in the folder. */
export async function startAgent(ctx: Context, id: string, folder: string, route: Route): Promise<Agent> {
  const { agent } = await ctx.agents.create({ sessionId: SessionId(id), meta: { cwd: folder }, agentOptions: route })
  return agent
}

/** Sends a message and waits until the agent has nothing more to do. */
export async function say(agent: Agent, message: string): Promise<void> {
  agent.followup(createUserMessage({ content: [{ type: 'text', text: message }], source: { kind: 'user' } }))
  await agent.whenIdle()
}
