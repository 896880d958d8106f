import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { pictureLines } from '../../scripts/session-picture.ts'
import { startModelServer, wireToolNames } from '../support/model-server.ts'
import { ROOT } from '../support/pack.ts'

/** All of the demo, servers and all, ends within this. */
const TIMEOUT_MS = 60_000

interface DemoRun {
  readonly code: number | null
  readonly output: string
  /** Whether any process of the demo outlived it. */
  readonly leftProcesses: boolean
}

async function runDemo(args: readonly string[], env: NodeJS.ProcessEnv): Promise<DemoRun> {
  // In a process group of its own, so that whatever it leaves behind can be seen.
  const child = spawn(process.execPath, [join(ROOT, 'demo/main.ts'), ...args], { cwd: ROOT, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const chunks: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk: string) => { chunks.push(chunk) })
  const timer = setTimeout(() => { if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL') }, TIMEOUT_MS)
  const [code] = await once(child, 'exit') as [number | null]
  clearTimeout(timer)
  return { code, output: chunks.join(''), leftProcesses: groupLives(child.pid!) }
}

function groupLives(group: number): boolean {
  try {
    process.kill(-group, 0)
    return true
  }
  catch {
    return false
  }
}

describe('demo', () => {
  const { DEEPSEEK_API_KEY: _key, DEEPSEEK_BASE_URL: _url, ...env } = process.env

  describe('with the scripted model', () => {
    let run: DemoRun
    beforeAll(async () => {
      run = await runDemo([], env)
    }, TIMEOUT_MS + 10_000)

    it('ends well and leaves no process behind', () => {
      expect(run.code, run.output).toBe(0)
      expect(run.leftProcesses).toBe(false)
    })

    it('is what the picture in the READMEs shows', () => {
      const picture = readFileSync(join(ROOT, 'docs/session.svg'), 'utf8').replace(/<[^>]+>/g, '')
      const lines = pictureLines(run.output)
      const told = lines.filter(line => /^(?:user|request 1) |^ {2}(?:together|request 1|tools|model calls) /.test(line))
      expect(told.length).toBeGreaterThan(8)
      for (const line of told) expect(picture, 'run `npx --yes pnpm@12.4.2 run docs:update`').toContain(line.replaceAll('>', '&gt;'))
    })

    it('shows what the model saw, what was searched, why, what was loaded, called and saved', () => {
      expect(run.output).toMatch(/together +\d+ servers, \d+ tools/)
      expect(run.output).toMatch(/request 1 +\d+ tools, [\d,]+ tokens\n +tools .*tool_search/)
      expect(run.output).toContain('tool_search {"query":"add a new person to the knowledge graph"}')
      expect(run.output).toMatch(/│ 1 .*mcp__/)
      expect(run.output).toMatch(/request 2 .*\n +new tools +.*mcp__/)
      expect(run.output).toMatch(/effect +memory\.jsonl: \{"type":"entity","name":"Ada/)
      expect(run.output).toMatch(/effect +archive\/2026-draft\.txt: .*inbox\/draft\.txt: gone/s)
      expect(run.output).toMatch(/% smaller/)
      expect(run.output).toContain('stayed where it was, byte for byte')
    })
  })

  it('gives a task of the user\'s own to a real model', async () => {
    const server = await startModelServer((request, index) => {
      if (index === 0) return [{ name: 'tool_search', args: { query: 'select:mcp__memory__read_graph' } }]
      return wireToolNames(request).includes('mcp__memory__read_graph') && index === 1 ? [{ name: 'mcp__memory__read_graph', args: {} }] : 'Nothing yet.'
    })
    const { code, output } = await runDemo(['--task', 'What do you remember?'], { ...env, DEEPSEEK_API_KEY: 'none', DEEPSEEK_BASE_URL: server.url })
    await server.close()
    expect(code, output).toBe(0)
    expect(output).toContain('What do you remember?')
    expect(output).toMatch(/model says +Nothing yet\./)
    expect(server.requests).toHaveLength(3)
  }, TIMEOUT_MS + 10_000)

  it('fails when the model does nothing', async () => {
    const server = await startModelServer(() => 'I would rather not.')
    const { code, output } = await runDemo(['--task', 'What do you remember?'], { ...env, DEEPSEEK_API_KEY: 'none', DEEPSEEK_BASE_URL: server.url })
    await server.close()
    expect(output).toContain('had no effect')
    expect(code).toBe(1)
  }, TIMEOUT_MS + 10_000)

  it('says that a task of one\'s own needs a key', async () => {
    const { code, output } = await runDemo(['--task', 'Anything.'], env)
    expect(code).toBe(2)
    expect(output).toContain('Set DEEPSEEK_API_KEY')
  })
})
