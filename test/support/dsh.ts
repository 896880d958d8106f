/**
 * Drives the real `dsh` binary in a home of its own.
 * @module
 */

import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { ROOT } from './pack.ts'

const BINARY = join(ROOT, 'node_modules/@deepseek-ai/dsh/lib/bin.js')

/** Longest run of one command. */
const TIMEOUT_MS = 60_000

export interface DshOptions {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

/** What a finished command left. */
export interface DshRun {
  readonly code: number | null
  /** Standard output and standard error in the order of arrival. */
  readonly output: string
}

/** Runs `dsh` to its end. */
export async function runDsh(args: readonly string[], options: DshOptions): Promise<DshRun> {
  const child = start(args, options)
  const read = collect(child)
  const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS)
  const [code] = await once(child, 'close') as [number | null]
  clearTimeout(timer)
  return { code, output: read() }
}

/** A running `dsh web`. */
export interface WebServer {
  readonly url: string
  /** Calls one method of the HTTP API that the browser uses. */
  call(method: string, payload: object): Promise<unknown>
  close(): Promise<void>
}

/**
 * Starts the web profile on a free port and waits until it listens.
 * @param patch - file with one more layer of configuration.
 * @throws when it ends before that, with what it said.
 */
export async function startWeb(patch: string, options: DshOptions): Promise<WebServer> {
  const child = start(['--profile', 'web', '--patch', patch, '--no-open', '--port', '0'], options)
  const read = collect(child)
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => { reject(new Error(`dsh web does not listen:\n${read()}`)) }, TIMEOUT_MS)
    const settle = (done: () => void) => {
      clearTimeout(timer)
      done()
    }
    child.stdout?.on('data', () => {
      const announced = /http:\/\/127\.0\.0\.1:\d+/.exec(read())
      if (announced !== null) settle(() => { resolve(announced[0]) })
    })
    child.once('exit', (code) => { settle(() => { reject(new Error(`dsh web ended with ${code}:\n${read()}`)) }) })
  })
  return {
    url,
    async call(method, payload) {
      const response = await fetch(`${url}/api/${method}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ type: 'client-request', rpcId: 'test', method, payload }),
      })
      if (!response.ok) throw new Error(`${method}: HTTP ${response.status} ${await response.text()}`)
      const { result } = await response.json() as { result: { ok: boolean; value?: unknown; error?: unknown } }
      if (!result.ok) throw new Error(`${method}: ${JSON.stringify(result.error)}`)
      return result.value
    },
    async close() {
      if (child.exitCode !== null) return
      const closed = once(child, 'close')
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await closed
      clearTimeout(timer)
    },
  }
}

/** A patch that adds a real MCP server; `script` is resolved like an import. */
export function mcpPatch(serverName: string, script: string, env: Readonly<Record<string, string>>): string {
  const config = {
    serverName,
    transport: 'stdio',
    command: process.execPath,
    args: [createRequire(import.meta.url).resolve(script)],
    env,
    failOnStartupError: true,
  }
  // JSON is YAML.
  return JSON.stringify([{ insert: [{ id: `mcp-${serverName}`, name: '@deepseek-ai/dsh-mcp-client', config }] }])
}

function start(args: readonly string[], { cwd, env }: DshOptions): ChildProcess {
  return spawn(process.execPath, [BINARY, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
}

function collect(child: ChildProcess): () => string {
  const chunks: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8')
    stream?.on('data', (chunk: string) => { chunks.push(chunk) })
  }
  return () => chunks.join('')
}
