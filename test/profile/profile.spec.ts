/**
 * The packed plugin in real profiles: installed by `dsh plugin add` into an empty home, driven through the real `dsh` binary, judged by
 * what reaches the model's server and the disk.
 */

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mcpPatch, runDsh, startWeb } from '../support/dsh.ts'
import type { DshOptions } from '../support/dsh.ts'
import { lastWireText, startModelServer, systemText, wireToolNames } from '../support/model-server.ts'
import type { WireRequest, WireScript, WireTool } from '../support/model-server.ts'
import { packPlugin, toolEnvironment } from '../support/pack.ts'

const MEMORY_SERVER = '@modelcontextprotocol/server-memory/dist/index.js'
const TARGET = 'mcp__memory__create_entities'
const TASK = 'Remember Ada Lovelace.'
const QUERY = 'add a new person to the knowledge graph'
const ENTITIES = { entities: [{ name: 'Ada Lovelace', entityType: 'mathematician', observations: ['wrote the first program'] }] }

/** Searches, then calls the tool if its schema is shown, then answers with what the tool said. */
const findAndCall: WireScript = (request, index) => {
  if (index === 0) return [{ name: 'tool_search', args: { query: QUERY } }]
  if (index > 1) return `The tool said: ${lastWireText(request)}`
  return wireToolNames(request).includes(TARGET) ? [{ name: TARGET, args: ENTITIES }] : `${TARGET} is not shown`
}

/** The same in programs: the tool is called if the SDK in the prompt declares it. */
const findAndCallInPrograms: WireScript = (request, index) => {
  const program = (code: string) => [{ name: 'run_code', args: { description: 'Step of a test.', code } }]
  if (index === 0) return program(`return await tools.tool_search(${JSON.stringify({ query: QUERY })})`)
  if (index > 1) return `The tool said: ${lastWireText(request)}`
  return systemText(request).includes(TARGET) ? program(`return await tools.${TARGET}(${JSON.stringify(ENTITIES)})`) : `${TARGET} is not declared`
}

let folder: string
let tarball: string
let env: NodeJS.ProcessEnv

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'profile-'))
  env = await toolEnvironment(folder)
  tarball = await packPlugin(join(folder, 'tarball'))
}, 120_000)

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

describe.each(['headless', 'web'] as const)('%s profile', (profile) => {
  let options: DshOptions

  beforeAll(async () => {
    const cwd = join(folder, profile)
    await mkdir(cwd)
    options = { cwd, env: { ...env, DEEPSEEK_API_KEY: 'none' } }
    const { code, output } = await runDsh(['plugin', '--profile', profile, 'add', tarball], options)
    expect(code, output).toBe(0)
  }, 60_000)

  it('has the plugin as one row of its own', async () => {
    const { output } = await runDsh(['--profile', profile, '--dump-config'], options)
    expect(output).toContain('# == dsh-tool-retriever\n- id: tool-retriever\n  name: dsh-tool-retriever\n')
  })

  it('finds, shows and calls a tool that it did not show at first', async () => {
    const { requests, graph } = await rememberAda(profile, findAndCall, options)
    const [first, second, third] = requests
    expect(requests).toHaveLength(3)
    expect(wireToolNames(first!)).toEqual(expect.arrayContaining(['bash', 'edit', 'read', 'todo_write', 'tool_search']))
    expect(wireToolNames(first!).filter(name => name.startsWith('mcp__'))).toEqual([])
    expect(lastWireText(second!)).toContain(`${TARGET} (loaded)`)
    expect(bytes(second!.tools).slice(0, first!.tools!.length)).toEqual(bytes(first!.tools))
    expect(second!.tools!.find(tool => tool.function.name === TARGET)!.function.parameters).toMatchObject({ required: ['entities'] })
    expect(bytes(third!.tools)).toEqual(bytes(second!.tools))
    expect(lastWireText(third!)).toContain('Ada Lovelace')
    expect(graph).toContain('"name":"Ada Lovelace"')
  }, 60_000)

  if (profile === 'headless') {
    it('finds, declares and calls a tool in Code Mode', async () => {
      const inPrograms = { ...options, env: { ...options.env, DSH_TOOLS_MODE: 'code' } }
      const { requests, graph } = await rememberAda(profile, findAndCallInPrograms, inPrograms)
      expect(requests.map(wireToolNames)).toEqual([['run_code'], ['run_code'], ['run_code']])
      expect(requests.map(request => systemText(request).includes(TARGET))).toEqual([false, true, true])
      expect(graph).toContain('"name":"Ada Lovelace"')
    }, 60_000)
  }

  it('heeds the user\'s settings above its configuration', async () => {
    const settings = join(options.env['DSH_HOME']!, 'settings.yaml')
    await writeFile(settings, `tool-retriever:\n  alwaysVisible: [${TARGET}]\n`)
    const { requests } = await rememberAda(profile, request => `The tool said: ${lastWireText(request)}`, options)
    await rm(settings)
    expect(wireToolNames(requests[0]!).filter(name => name.startsWith('mcp__'))).toEqual([TARGET])
  }, 60_000)

  if (profile === 'web') {
    it('takes settings and commands from the browser, and refuses what is wrong', async () => {
      const patch = join(options.cwd, 'inject.patch.yml')
      await writeFile(patch, JSON.stringify([{ id: 'tool-retriever', config: { disclosure: { mode: 'inject' } } }]))
      const web = await startWeb(patch, options)
      try {
        const write = async (change: object) => web.call('settings.update', { ns: 'tool-retriever', patch: change })
        await expect(write({ topK: 0 })).rejects.toThrow('setting \\"topK\\" is 0; it must be from 1 to 50.')
        await write({ mode: 'dispatch' })
        const { sessionId: agentId } = await web.call('session.create', { cwd: options.cwd }) as { sessionId: string }
        const answer = await web.call('commands/execute', { args: { agentId, line: '/tool-search status', images: [] } })
        expect(answer).toMatchObject({ result: { kind: 'success', text: expect.stringMatching(/^Mode dispatch\. \d\d tools: /) as string } })
      }
      finally {
        await web.close()
        await rm(join(options.env['DSH_HOME']!, 'settings.yaml'), { force: true })
      }
    }, 60_000)
  }

  it('says which key of the configuration is wrong', async () => {
    const patch = join(options.cwd, 'wrong.patch.yml')
    await writeFile(patch, JSON.stringify([{ id: 'tool-retriever', config: { topK: 0 } }]))
    const failure = profile === 'headless'
      ? (await runDsh(['--profile', 'headless', '--patch', patch, TASK], options)).output
      : await startWeb(patch, options).then(async web => web.close(), (error: unknown) => String(error))
    expect(failure).toContain('dsh-tool-retriever: config key "topK" is 0; it must be from 1 to 50.')
  }, 60_000)

  it('is gone after it is removed', async () => {
    const { code, output } = await runDsh(['plugin', '--profile', profile, 'remove', 'dsh-tool-retriever'], options)
    expect(code, output).toBe(0)
    expect((await runDsh(['--profile', profile, '--dump-config'], options)).output).not.toContain('tool-retriever')
  }, 60_000)
})

/** One turn with a scripted model and the memory server: what reached the model, and the graph on disk afterwards. */
async function rememberAda(profile: 'headless' | 'web', script: WireScript, { cwd, env: base }: DshOptions):
Promise<{ requests: readonly WireRequest[]; graph: string }> {
  const graphFile = join(cwd, 'memory.jsonl')
  const patch = join(cwd, 'mcp.patch.yml')
  await rm(graphFile, { force: true })
  // The memory server alone is so small that mode `auto` would show it whole.
  const inject = { id: 'tool-retriever', config: { disclosure: { mode: 'inject' } } }
  await writeFile(patch, JSON.stringify([...JSON.parse(mcpPatch('memory', MEMORY_SERVER, { MEMORY_FILE_PATH: graphFile })) as object[], inject]))
  const server = await startModelServer(script)
  const options = { cwd, env: { ...base, DEEPSEEK_BASE_URL: server.url } }
  try {
    if (profile === 'headless') {
      const { code, output } = await runDsh(['--profile', 'headless', '--patch', patch, TASK], options)
      expect(code, output).toBe(0)
      expect(output).toContain('The tool said:')
    }
    else await askThroughBrowserApi(patch, options)
    return { requests: server.requests, graph: await readFile(graphFile, 'utf8').catch(() => '') }
  }
  finally {
    await server.close()
  }
}

/** One turn of a new session, through the HTTP API that the browser uses; the plugin list shows the plugin as running. */
async function askThroughBrowserApi(patch: string, options: DshOptions): Promise<void> {
  const web = await startWeb(patch, options)
  try {
    const { entries } = await web.call('pluginInventory/list', { args: {} }) as { entries: readonly object[] }
    expect(entries).toContainEqual(expect.objectContaining({ moduleName: 'dsh-tool-retriever', enabled: true, fiberPhase: 'active' }))
    const { sessionId } = await web.call('session.create', { cwd: options.cwd }) as { sessionId: string }
    await web.call('session.prompt', { sessionId, mode: 'queue', content: [{ type: 'text', text: TASK }] })
    await expect.poll(async () => JSON.stringify(await web.call('session.history', { sessionId })), { timeout: 30_000, interval: 200 })
      .toContain('The tool said:')
  }
  finally {
    await web.close()
  }
}

function bytes(tools: readonly WireTool[] | undefined): string[] {
  return (tools ?? []).map(tool => JSON.stringify(tool))
}
