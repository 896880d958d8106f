/**
 * The real MCP servers of the demo: npm packages, spawned over stdio through DSH's own MCP client. All of them list their tools
 * without network; the credentials are made up.
 * @module
 */

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Context } from '@deepseek-ai/cordis'
import * as mcpClient from '@deepseek-ai/dsh-mcp-client'

/** A server of the demo. */
interface ServerSpec {
  /** Namespace of its tools: `mcp__<name>__<tool>`. */
  readonly name: string
  readonly package: string
  /** Which of the package's bins, when it has several. */
  readonly bin?: string
  readonly args?: (folder: string) => string[]
  readonly env?: (folder: string) => Record<string, string>
}

const SERVERS: readonly ServerSpec[] = [
  { name: 'everything', package: '@modelcontextprotocol/server-everything' },
  { name: 'filesystem', package: '@modelcontextprotocol/server-filesystem', args: folder => [folder] },
  { name: 'memory', package: '@modelcontextprotocol/server-memory', env: folder => ({ MEMORY_FILE_PATH: memoryFile(folder) }) },
  { name: 'thinking', package: '@modelcontextprotocol/server-sequential-thinking' },
  { name: 'github', package: '@modelcontextprotocol/server-github', env: () => ({ GITHUB_PERSONAL_ACCESS_TOKEN: 'none' }) },
  { name: 'slack', package: '@modelcontextprotocol/server-slack', env: () => ({ SLACK_BOT_TOKEN: 'none', SLACK_TEAM_ID: 'none' }) },
  { name: 'maps', package: '@modelcontextprotocol/server-google-maps', env: () => ({ GOOGLE_MAPS_API_KEY: 'none' }) },
  { name: 'playwright', package: '@playwright/mcp' },
  {
    name: 'devtools',
    package: 'chrome-devtools-mcp',
    bin: 'chrome-devtools-mcp',
    args: () => ['--no-usage-statistics'],
    env: () => ({ CHROME_DEVTOOLS_MCP_NO_UPDATE_CHECKS: '1' }),
  },
  { name: 'chart', package: '@antv/mcp-server-chart' },
  { name: 'notion', package: '@notionhq/notion-mcp-server', env: () => ({ NOTION_TOKEN: 'none' }) },
  { name: 'drawio', package: '@drawio/mcp' },
]

/** Longest time one server may take to start and list its tools. */
const START_TIMEOUT_MS = 30_000

/** How a server came up. */
export type ServerStart =
  | { readonly name: string; readonly package: string; readonly tools: number }
  | { readonly name: string; readonly package: string; readonly failure: string }

/** Where the memory server keeps its graph. */
export function memoryFile(folder: string): string {
  return join(folder, 'memory.jsonl')
}

/**
 * Starts every server and waits for its tools.
 * @param folder - the servers' working folder; absolute.
 * @returns one entry a server, in the order above; a server that did not start has left nothing behind.
 */
export async function startServers(ctx: Context, folder: string): Promise<ServerStart[]> {
  return Promise.all(SERVERS.map(async (spec): Promise<ServerStart> => {
    const { name, package: packageName } = spec
    const stderr = join(folder, `${name}.stderr.log`)
    try {
      await startServer(ctx, spec, folder, stderr)
      return { name, package: packageName, tools: toolsOf(ctx, name) }
    }
    catch (error) {
      const said = await readFile(stderr, 'utf8').catch(() => '')
      return { name, package: packageName, failure: [rootMessage(error), said.trim().split('\n')[0]].filter(Boolean).join(': ') }
    }
  }))
}

async function startServer(ctx: Context, spec: ServerSpec, folder: string, stderr: string): Promise<void> {
  const script = await binOf(spec)
  const fiber = ctx.plugin(mcpClient, {
    transport: 'stdio',
    serverName: spec.name,
    command: process.execPath,
    args: ['--import', import.meta.resolve('./stderr-to-file.ts'), script, ...spec.args?.(folder) ?? []],
    env: { ...spec.env?.(folder), MCP_STDERR_FILE: stderr },
    cwd: folder,
    toolCallTimeoutMs: 20_000,
    failOnStartupError: true,
    reconnect: { enabled: false },
  })
  try {
    await withinTime(fiber, `no tools within ${START_TIMEOUT_MS / 1_000} s`)
  }
  catch (error) {
    await fiber.dispose()
    throw error
  }
}

function toolsOf(ctx: Context, server: string): number {
  return ctx.tools.schemas().filter(schema => schema.name.startsWith(`mcp__${server}__`)).length
}

/** The script that a package's `bin` names; found through the folder that resolves imports, so that any linker works. */
async function binOf({ package: packageName, bin }: ServerSpec): Promise<string> {
  const folder = packageFolder(packageName)
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { bin: string | Record<string, string> }
  const script = typeof manifest.bin === 'string' ? manifest.bin : bin === undefined ? Object.values(manifest.bin)[0] : manifest.bin[bin]
  if (script === undefined) throw new Error(`${packageName} has no bin${bin === undefined ? '' : ` "${bin}"`}`)
  return join(folder, script)
}

function packageFolder(packageName: string): string {
  const here = fileURLToPath(import.meta.url)
  const folders = createRequire(here).resolve.paths(packageName) ?? [dirname(here)]
  for (const folder of folders) {
    try {
      return dirname(createRequire(here).resolve(join(folder, packageName, 'package.json')))
    }
    catch {
      // not in this node_modules: look further up
    }
  }
  throw new Error(`${packageName} is not installed; run \`npx --yes pnpm@12.4.2 install\``)
}

async function withinTime(start: PromiseLike<unknown>, failure: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const expiry = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => { reject(new Error(failure)) }, START_TIMEOUT_MS)
  })
  try {
    await Promise.race([start, expiry])
  }
  finally {
    clearTimeout(timer)
  }
}

function rootMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : rootMessage(error.cause)
}
