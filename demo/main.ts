/**
 * The demo: a real DSH agent with twelve MCP servers finds, loads and calls tools that it could not see.
 *
 * `npx --yes pnpm@12.4.2 demo` runs the built-in tasks with a scripted model; with `DEEPSEEK_API_KEY` set a real one runs them, or
 * what `--task` says. The exit code is 0 only if the tasks had their effect and the surface kept its promises.
 * @module
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { styleText } from 'node:util'
import type { Context } from '@deepseek-ai/cordis'
import { Command } from 'commander'
import * as toolRetriever from '../src/index.ts'
import { SEARCH_TOOL } from '../src/tools/contract.ts'
import type { SearchValue } from '../src/tools/contract.ts'
import { startServers } from './mcp-servers.ts'
import { explainRanking } from './ranking.ts'
import { builtInTasks } from './tasks.ts'
import type { DemoTask } from './tasks.ts'
import { TOKENIZER, wireTools } from './tool-tokens.ts'
import { amount, follow, print, readRequest } from './transcript.ts'
import type { SentRequest, Transcript } from './transcript.ts'
import { bootDsh, DEEPSEEK, say, SCRIPTED, SILENT, startAgent } from './world.ts'

const MIN_SERVERS = 8
const MIN_TOOLS = 150

/** Smallest share of the tool tokens of a first request that the plugin has to save. */
const MIN_SAVING = 0.7

const { task } = new Command('demo')
  .description('A DSH agent finds, loads and calls MCP tools that it could not see.')
  .option('--task <text>', 'what a real model is to do; needs DEEPSEEK_API_KEY')
  .parse()
  .opts<{ task?: string }>()
const hasKey = (process.env['DEEPSEEK_API_KEY'] ?? '') !== ''
if (task !== undefined && !hasKey) {
  console.error('demo: --task needs a real model. Set DEEPSEEK_API_KEY; without it a scripted model runs, which knows only the built-in tasks.')
  process.exit(2)
}

const folder = await mkdtemp(join(tmpdir(), 'dsh-tool-retriever-demo-'))
// DSH keeps what belongs to its user in its home; the demo leaves no trace in the real one.
process.env['DSH_HOME'] = join(folder, 'dsh-home')
const tasks = await builtInTasks(folder)
const ctx = await bootDsh(folder, tasks)
process.once('SIGINT', () => { void cleanUp().finally(() => process.exit(130)) })
try {
  const failures = await run(ctx)
  failures.forEach((failure) => { console.error(`demo: ${failure}`) })
  process.exitCode = failures.length === 0 ? 0 : 1
}
finally {
  await cleanUp()
}

/** Ends every server and removes what the demo wrote. */
async function cleanUp(): Promise<void> {
  await ctx.fiber.dispose()
  await rm(folder, { recursive: true, force: true })
}

/** @returns what went wrong, one line each. */
async function run(dsh: Context): Promise<string[]> {
  heading('1. Real MCP servers, over stdio, through DSH\'s own MCP client')
  const servers = await startServers(dsh, folder)
  const started = servers.filter(server => 'tools' in server)
  for (const server of servers) print(server.name, 'tools' in server ? `${server.tools} ${server.tools === 1 ? 'tool' : 'tools'} (${server.package})` : `skipped: ${server.failure}`)
  const mcpTools = started.reduce((sum, server) => sum + server.tools, 0)
  print('together', `${started.length} servers, ${mcpTools} tools`)
  if (started.length < MIN_SERVERS || mcpTools < MIN_TOOLS) {
    return [`only ${started.length} servers with ${mcpTools} tools came up; the demo needs ${MIN_SERVERS} and ${MIN_TOOLS}`]
  }

  heading('2. The agent without the plugin')
  const without = await firstRequestWithoutPlugin(dsh)
  print('request 1', `${without.tools.length} tools, ${amount(without.tokens)} tokens (${TOKENIZER}), in every request`)

  heading(`3. The same agent with dsh-tool-retriever, and ${hasKey ? `the real model ${DEEPSEEK.model}` : 'a scripted model that acts only on what it is shown'}`)
  // Loading is what there is to see; mode `auto` would dispatch under DeepSeek's prices.
  await dsh.plugin(toolRetriever, { disclosure: { mode: 'inject' } })
  const agent = await startAgent(dsh, 'with-plugin', folder, hasKey ? DEEPSEEK : SCRIPTED)
  const transcript = follow(dsh, agent, {
    onCall: async ({ name, isError, meta }) => {
      if (name !== SEARCH_TOOL || isError) return
      const value = meta as SearchValue
      if (value.results.length > 0) console.log(await explainRanking(without.tools, value))
    },
  })
  const failures: string[] = []
  for (const { prompt, effect } of task === undefined ? tasks : [customTask(task, transcript)]) {
    console.log(`\n${styleText(['bold', 'green'], 'user')}  ${prompt}`)
    await say(agent, prompt)
    const { happened, evidence } = await effect()
    print(happened ? 'effect' : 'NO EFFECT', evidence)
    if (!happened) failures.push(`the task "${prompt}" had no effect`)
  }

  heading('4. What it cost')
  return [...failures, ...summarize(without, transcript)]
}

/** What the agent really sends while the plugin is not loaded. */
async function firstRequestWithoutPlugin(dsh: Context): Promise<SentRequest> {
  const agent = await startAgent(dsh, 'without-plugin', folder, SILENT)
  await say(agent, tasks[0]!.prompt)
  return readRequest(agent)
}

/** A task of the user's own: nothing is known of its effect but the calls that were made. */
function customTask(prompt: string, transcript: Transcript): Pick<DemoTask, 'prompt' | 'effect'> {
  return {
    prompt,
    async effect() {
      const made = transcript.calls.filter(({ name, isError }) => name !== SEARCH_TOOL && !isError).map(({ name }) => name)
      return { happened: made.length > 0, evidence: made.length > 0 ? `successful calls: ${made.join(', ')}` : 'no tool but the search was called' }
    },
  }
}

/** Prints the costs and checks what the surface promises. */
function summarize(without: SentRequest, { requests, calls }: Transcript): string[] {
  const first = requests[0]
  if (first === undefined) return ['the agent made no request']
  const saving = 1 - first.tokens / without.tokens
  const searches = calls.filter(call => call.name === SEARCH_TOOL).length
  const spent = requests.reduce((sum, request) => sum + request.tokens, 0)
  // Without the plugin the model would not have had to search.
  const spentWithout = (requests.length - searches) * without.tokens
  print('request 1', `${amount(first.tokens)} instead of ${amount(without.tokens)} tool tokens: ${percent(saving)} smaller`)
  print('all', `${amount(spent)} tool tokens in ${requests.length} requests, ${searches} of them to search; `
  + `without the plugin ${amount(spentWithout)} in ${requests.length - searches}: ${percent(1 - spent / spentWithout)} saved`)
  const sent = requests.map(({ tools }) => wireTools(tools))
  const moved = sent.findIndex((tools, index) => index > 0 && !isPrefix(sent[index - 1]!, tools))
  print('prefix', moved < 0 ? 'every tool that was sent once stayed where it was, byte for byte' : `request ${moved + 1} changed tools already sent`)
  return [
    ...saving >= MIN_SAVING ? [] : [`the first request is only ${percent(saving)} smaller, not ${percent(MIN_SAVING)}`],
    ...moved < 0 ? [] : [`request ${moved + 1} changed tools that request ${moved} had sent`],
  ]
}

function isPrefix(before: readonly string[], after: readonly string[]): boolean {
  return before.every((tool, index) => tool === after[index])
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}

function heading(title: string): void {
  console.log(`\n${styleText('bold', title)}`)
}
