import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildCatalog } from '../../src/catalog/store.ts'
import type { ToolDeclaration } from '../../src/catalog/types.ts'
import { DEFAULT_CONFIG } from '../../src/config.ts'
import { createRetriever } from '../../src/retriever.ts'
import { writeTinyE5 } from '../support/tiny-e5.ts'

const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url))

const TOOLS: readonly ToolDeclaration[] = [
  { name: 'mcp__github__create_issue', description: 'Open a new issue in a repository.', parameters: { type: 'object', properties: { title: { type: 'string' } } } },
  { name: 'mcp__github__list_issues', description: 'List the issues of a repository.', parameters: { type: 'object' } },
  { name: 'get_weather', description: 'Current weather of a city.', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
  { name: 'delete_file', description: 'Remove a file from disk.' },
]

interface Run {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

let folder: string

const path = (name: string): string => join(folder, name)

function write(name: string, content: unknown): string {
  writeFileSync(path(name), typeof content === 'string' ? content : JSON.stringify(content))
  return path(name)
}

function run(args: readonly string[], { script = CLI, input = '', cwd = folder, environment = {} } = {}): Promise<Run> {
  return new Promise((resolve) => {
    const env = { ...process.env, ...environment }
    const child = execFile(process.execPath, [script, ...args], { cwd, env, maxBuffer: 64_000_000 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr })
    })
    child.stdin!.end(input)
  })
}

const lines = (text: string): unknown[] => text.trimEnd().split('\n').map(line => JSON.parse(line) as unknown)

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dsh-tool-retriever-cli-'))
  write('tools.json', TOOLS)
})

afterAll(() => rmSync(folder, { recursive: true }))

describe('search with one query', () => {
  it('lists tools for people, best first', async () => {
    const { code, stdout, stderr } = await run(['search', '--catalog', 'tools.json', '--top', '1', 'what is the weather'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^ +tool +score +by +description\n1 +get_weather /)
  })

  it('prints the whole outcome as JSON', async () => {
    const { code, stdout, stderr } = await run(['search', '--catalog', 'tools.json', '--json', 'select:create_issue'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({ match: 'exact', catalogSize: 4, results: [{ name: 'mcp__github__create_issue', rank: 1 }], warnings: [] })
  })

  it('says what to do when nothing matches', async () => {
    const { code, stdout, stderr } = await run(['search', '--catalog', 'tools.json', 'select:creat_issue'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('There is no tool "creat_issue".')
    expect(stdout).toContain('mcp__github__create_issue')
  })

  it('tells people of tools that the catalogue could not take, on standard output', async () => {
    const twice = write('twice.json', [TOOLS[2], TOOLS[2]])
    const { code, stdout, stderr } = await run(['search', '--catalog', twice, 'weather'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/Catalogue: tool "get_weather": /)
  })

  it('runs from any folder and through a symbolic link, as an installed bin does', async () => {
    symlinkSync(CLI, path('linked.ts'))
    const { code, stdout, stderr } = await run(['search', '--catalog', path('tools.json'), '--json', 'weather'], { script: path('linked.ts'), cwd: tmpdir() })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({ results: [{ name: 'get_weather' }] })
  })
})

describe('catalogue shapes', () => {
  const renamed = TOOLS.map(({ parameters, ...tool }) => ({ ...tool, inputSchema: parameters }))
  it.each([
    ['an MCP result', { tools: renamed }],
    ['a JSON-RPC response', { jsonrpc: '2.0', id: 1, result: { tools: renamed } }],
    ['OpenAI entries', TOOLS.map(tool => ({ type: 'function', function: tool }))],
    ['a file with a byte order mark', `\uFEFF${JSON.stringify(TOOLS)}`],
  ])('reads %s as the same catalogue', async (_, document) => {
    const plain = await run(['search', '--catalog', 'tools.json', '--json', 'title of an issue'])
    const { code, stdout, stderr } = await run(['search', '--catalog', write('other.json', document), '--json', 'title of an issue'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual(JSON.parse(plain.stdout))
  })
})

describe('search with a file of queries', { timeout: 60_000 }, () => {
  const queries = [
    { id: 'a', query: 'list issues', relevant: ['ignored'] },
    { id: 7, query: 'qqqqq' },
    { id: 'c', query: '天气 weather' },
  ]
  const jsonl = `\n${queries.map(query => JSON.stringify(query)).join('\r\n\n')}`

  it('answers each in order with the names of the plugin\'s own retriever', async () => {
    const { code, stdout, stderr } = await run(['search', '--catalog', 'tools.json', '--queries', write('q.jsonl', jsonl)])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const catalog = buildCatalog(TOOLS)
    const retriever = createRetriever(DEFAULT_CONFIG)
    const expected = []
    for (const { id, query } of queries) {
      const { results } = await retriever.search(catalog, { query, limit: 10 })
      expected.push({ id, results: results.map(({ name }) => name), ms: expect.any(Number) as number })
    }
    expect(lines(stdout)).toEqual(expected)
    expect(expected[0]!.results[0]).toBe('mcp__github__list_issues')
  })

  it('keeps to --top', async () => {
    const { stdout } = await run(['search', '--catalog', 'tools.json', '--queries', write('q.jsonl', jsonl), '--top', '1'])
    expect(lines(stdout).map(line => (line as { results: string[] }).results.length)).toEqual([1, 0, 1])
  })

  it('reads standard input', async () => {
    const { code, stdout, stderr } = await run(['search', '--catalog', 'tools.json', '--queries', '-'], { input: jsonl })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(lines(stdout)).toHaveLength(3)
  })

  it('answers 10,000 queries, and stops quietly when the reader leaves', async () => {
    const many = write('many.jsonl', Array.from({ length: 10_000 }, (_, id) => JSON.stringify({ id, query: `list issues ${id}` })).join('\n'))
    const args = ['search', '--catalog', 'tools.json', '--queries', many]
    const { code, stdout, stderr } = await run(args)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(lines(stdout).map(line => (line as { id: number }).id)).toEqual(Array.from({ length: 10_000 }, (_, id) => id))

    const child = spawn(process.execPath, [CLI, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
    let complaint = ''
    child.stderr.on('data', (chunk: Buffer) => complaint += chunk.toString())
    child.stdout.once('data', () => child.stdout.destroy())
    expect(await new Promise(resolve => child.once('close', resolve))).toBe(0)
    expect(complaint).toBe('')
  })

  it('names the line of a bad query after it answered the lines before', async () => {
    const bad = write('bad.jsonl', '{"id":1,"query":"weather"}\n\n{"id":2}\n')
    const { code, stdout, stderr } = await run(['search', '--catalog', 'tools.json', '--queries', bad])
    expect(code).toBe(2)
    expect(lines(stdout)).toMatchObject([{ id: 1, results: ['get_weather'] }])
    expect(stderr).toBe(`dsh-tool-retriever: --queries ${bad}, line 3, has no "query" that is a string; each line is {"id": …, "query": "…"}\n`)
  })
})

describe('explain', () => {
  it('shows channel, term and fields of each result', async () => {
    const { code, stdout, stderr } = await run(['explain', '--catalog', 'tools.json', 'wether city'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^1\. get_weather /)
    expect(stdout).toMatch(/bm25 +wether +weather +name, description +\d/)
  })

  it('gives shares that add up to 1 as JSON', async () => {
    const { code, stdout, stderr } = await run(['explain', '--catalog', 'tools.json', '--json', 'the `get_weather` tool'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const { explanations } = JSON.parse(stdout) as { explanations: { result: { name: string }; shares: Record<string, number> }[] }
    expect(explanations[0]!.result.name).toBe('get_weather')
    expect(Object.values(explanations[0]!.shares).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 10)
  })
})

describe('configuration', () => {
  it('uses the keys of the plugin', async () => {
    const config = write('config.json', { topK: 1, disclosure: { neverSearch: ['*weather*'] } })
    const { stdout } = await run(['search', '--catalog', 'tools.json', '--config', config, '--json', 'weather or list issues'])
    expect(JSON.parse(stdout)).toMatchObject({ catalogSize: 3, results: [{ name: 'mcp__github__list_issues' }] })
  })

  it('passes on what is wrong with it', async () => {
    const { code, stdout, stderr } = await run(['search', '--catalog', 'tools.json', '--config', write('config.json', { topk: 3 }), 'x'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^dsh-tool-retriever: --config \S+: config key "topk" is unknown; .*\n$/)
  })
})

describe('dense retrieval', { timeout: 60_000 }, () => {
  const dense = () => ({ offline: true, cacheDir: path('cache'), timeoutMs: 30_000 })
  const channelsOf = (stdout: string) => {
    const { results } = JSON.parse(stdout) as { results: { channels: object }[] }
    return results.map(({ channels }) => Object.keys(channels))
  }

  beforeAll(() => writeTinyE5(path('cache')))

  it('takes part as configured for the plugin, waits for the vectors, and finds them on disk the next time', async () => {
    const config = write('dense.json', { dense: dense() })
    for (const command of ['search', 'explain', 'search']) {
      const { code, stdout, stderr } = await run([command, '--catalog', 'tools.json', '--config', config, '--json', 'weather forecast'])
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(channelsOf(stdout)[0]).toContain('dense')
    }
    const plain = await run(['search', '--catalog', 'tools.json', '--json', 'weather forecast'])
    expect(channelsOf(plain.stdout)[0]).not.toContain('dense')
  })

  it('is turned on by --dense, with every default of its own; a failure is said and the other channels answer', async () => {
    const environment = { DSH_HOME: path('home') }
    const off = write('off.json', { dense: false, topK: 2 })
    const failed = await run(['search', '--dense', '--catalog', 'tools.json', '--config', off, '--json', 'weather'], { environment })
    expect(failed.code).toBe(0)
    expect(JSON.parse(failed.stdout)).toMatchObject({ results: [{ name: 'get_weather' }], failures: [{ channel: 'dense', state: 'failed' }] })
    writeTinyE5(path('home/cache/dsh-tool-retriever'))
    const found = await run(['search', '--dense', '--catalog', 'tools.json', '--config', off, '--json', 'weather'], { environment })
    expect(channelsOf(found.stdout)[0]).toContain('dense')
  })

  it('is waited for as long as configured, and a file of queries is told once what is missing', async () => {
    const missing = write('missing.json', { dense: { ...dense(), model: 'nobody/nothing' } })
    const queries = write('dense.jsonl', ['weather', 'issues'].map((query, id) => JSON.stringify({ id, query })).join('\n'))
    const { code, stdout, stderr } = await run(['search', '--catalog', 'tools.json', '--config', missing, '--queries', queries])
    expect(code).toBe(0)
    expect(lines(stdout)).toMatchObject([{ id: 0, results: ['get_weather'] }, { id: 1 }])
    expect(stderr).toMatch(/^dsh-tool-retriever: dense, from query 0 on: model "nobody\/nothing" .*is not in .*\n$/)
    const hurried = write('hurried.json', { dense: { ...dense(), cacheDir: path('cache2'), wait: 0 } })
    const early = await run(['search', '--catalog', 'tools.json', '--config', hurried, '--json', 'weather'])
    expect(JSON.parse(early.stdout)).toMatchObject({ failures: [{ channel: 'dense', state: 'warming' }] })
  })
})

describe('mistakes end with one line and code 2', () => {
  it.each([
    ['no such catalogue', ['search', '--catalog', 'none.json', 'x'], /--catalog none\.json can't be read: there is no such file; give the path/],
    ['a folder', ['search', '--catalog', '.', 'x'], /can't be read: it is a folder/],
    ['no JSON', ['search', '--catalog', 'broken.json', 'x'], /--catalog broken\.json is not JSON: .*; correct the file/],
    ['no list', ['search', '--catalog', 'object.json', 'x'], /holds no list of tools; give an array of/],
    ['a tool without name', ['search', '--catalog', 'nameless.json', 'x'], /tool 2 has no "name"/],
    ['a description that is no text', ['search', '--catalog', 'number.json', 'x'], /tool 1 \("a"\) has a "description" that is not a string/],
    ['no such queries', ['search', '--catalog', 'tools.json', '--queries', 'none.jsonl'], /--queries none\.jsonl can't be read: there is no such file/],
    ['a line that is no JSON', ['search', '--catalog', 'tools.json', '--queries', 'broken.json'], /--queries broken\.json, line 1, is not JSON/],
    ['neither query nor file', ['search', '--catalog', 'tools.json'], /there is no query; give one/],
    ['both', ['search', '--catalog', 'tools.json', '--queries', 'tools.json', 'x'], /exclude each other/],
    ['an unknown option', ['search', '--catalog', 'tools.json', '--tpo', '3', 'x'], /unknown option '--tpo'.*--help/],
    ['a bad number', ['search', '--catalog', 'tools.json', '--top', '1.5', 'x'], /'1\.5' is invalid\. Give a whole number from 1\./],
    ['no catalogue', ['search', 'x'], /required option '--catalog <file>' not specified/],
    ['an unknown command', ['find', 'x'], /unknown command 'find'/],
  ])('%s', async (_, args, message) => {
    write('broken.json', '{"a":\n1')
    write('object.json', { a: 1 })
    write('nameless.json', [TOOLS[0], { description: 'x' }])
    write('number.json', [{ name: 'a', description: 3 }])
    const { code, stdout, stderr } = await run(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(message)
    expect(stderr).toMatch(/^dsh-tool-retriever: [^\n]+\n$/)
  })

  it('shows help and version without being a mistake', async () => {
    const help = await run(['search', '--help'])
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toContain('--catalog <file>')
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
    expect(await run(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })
})
