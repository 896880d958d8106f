/** What a person can read in the log, and what never leaves the process. Every absence has the same look at a case where it is there. */

import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { startEmbeddingsServer } from '../support/embeddings-server.ts'
import { call, program, text } from '../support/harness.ts'
import type { BootOptions, Harness } from '../support/harness.ts'
import { keepLog } from '../support/log.ts'
import type { LogLine } from '../support/log.ts'
import { bootPlugin, FORECAST } from './tools.ts'

const SECRET = 'weather for the divorce lawyer'

let harness: Harness
let log: LogLine[]

afterEach(async () => {
  vi.restoreAllMocks()
  await harness.dispose()
})

async function bootLogged(options: BootOptions = {}): Promise<Harness> {
  log = []
  return harness = await bootPlugin({ ...options, before: [[keepLog(log)], ...options.before ?? []] })
}

const lines = (type: string, part: string) => log.filter(line => line.type === type && line.text.includes(part)).map(line => line.text)
const search = (query: string) => call('tool_search', { query })

describe('a search', () => {
  it('is one debug line, which tells the same query from another and says neither', async () => {
    await bootLogged({ script: [search(SECRET), search(SECRET), search('calendar event'), text('a')] })
    await (await harness.createAgent()).say('go')
    const searches = lines('debug', 'tool_search of agent "agent-1"')
    expect(searches).toHaveLength(3)
    expect(searches[0]).toMatch(new RegExp(`^dsh-tool-retriever: tool_search of agent "agent-1", query #[0-9a-f]{12}: ranked [01]\\.\\d\\d, \\d of 8: ${FORECAST}.*; `
      + 'rewrite skipped \\(catalog-below-threshold\\); \\d+ ms$'))
    const [first, again, other] = searches.map(line => /#[0-9a-f]+/.exec(line)![0])
    expect(again).toBe(first)
    expect(other).not.toBe(first)
    expect(JSON.stringify(log)).not.toContain('divorce')
  })

  it('shows its query when that is asked for', async () => {
    await bootLogged({ config: { logQueries: true }, script: [search(SECRET), text('a')] })
    await (await harness.createAgent()).say('go')
    expect(lines('debug', `query "${SECRET}"`)).toHaveLength(1)
  })

  it('hashes with a key of the process, so that likely queries can not be looked up', async () => {
    const hashes = new Set<string>()
    for (let round = 0; round < 2; round++) {
      await bootLogged({ script: [search('weather'), text('a')] })
      await (await harness.createAgent()).say('go')
      hashes.add(/#[0-9a-f]+/.exec(lines('debug', 'tool_search of')[0]!)![0])
      if (round === 0) await harness.dispose()
    }
    expect(hashes.size).toBe(2)
  })

  it('says what a model answered to a rewrite only when queries may be said', async () => {
    const reply = async (logQueries: boolean) => {
      const config = { logQueries, rewrite: { when: 'always', minCatalogSize: 0, provider: 'echo', model: 'echo-1' } }
      await bootLogged({ config, script: [search(SECRET), text('a')] })
      harness.ctx.llm.registerAdapter(['echo'], Object.assign(Object.create(harness.adapter) as typeof harness.adapter, {
        async * stream() { yield* text('Sorry, no divorce lawyer here') },
      }))
      await (await harness.createAgent()).say('go')
      return lines('warn', 'echo/echo-1 answered with no queries')
    }
    expect(await reply(true)).toEqual([expect.stringContaining('divorce')])
    await harness.dispose()
    expect(await reply(false)).toEqual([expect.stringContaining(': 29 characters, shown with logQueries;')])
    expect(JSON.stringify(log)).not.toContain('divorce')
  })

  it('of a first message is hashed too', async () => {
    const preselect = { tools: 1, confidence: 0.1 }
    await bootLogged({ config: { disclosure: { preselect } }, script: [text('a')] })
    await (await harness.createAgent()).say(SECRET)
    expect(lines('debug', 'preselect of agent "agent-1", query #')).toHaveLength(1)
    expect(JSON.stringify(log)).not.toContain('divorce')
  })
})

describe('the end of a session', () => {
  it('is one line that sums it up', async () => {
    await bootLogged({ script: [search(FORECAST), search('qqqq zzzz'), call('tool_search', { query: ' ' }), text('a')] })
    const agent = await harness.createAgent()
    await agent.say('go')
    expect(lines('info', 'ended')).toEqual([])
    await agent.dispose()
    expect(lines('info', 'ended')).toEqual([
      'dsh-tool-retriever: session "agent-1" ended. Requests 4, searches 2 (empty 1, failed 1), tools loaded 1, prefix changes 1.',
    ])
  })

  it('is not in the way where nothing was searched', async () => {
    await bootLogged({ script: [text('a')] })
    const agent = await harness.createAgent()
    await agent.say('go')
    await agent.dispose()
    expect(lines('info', 'ended')).toEqual([])
    expect(lines('debug', 'ended')).toHaveLength(1)
  })

  it('counts the searches of programs, and not those of the session that a fork began with', async () => {
    await bootLogged({ mode: 'code', script: [program('await tools.tool_search({ query: "weather" })'), text('a'), text('b')] })
    const agent = await harness.createAgent()
    await agent.say('go')
    const fork = await harness.fork(agent)
    await fork.say('go')
    await fork.dispose()
    expect(lines('debug', 'ended')).toEqual([expect.stringContaining('Requests 1, searches 0')])
    await agent.dispose()
    expect(lines('info', 'ended')).toEqual([expect.stringContaining('Requests 2, searches 1')])
  })
})

describe('the network', () => {
  const connections = () => vi.spyOn(Socket.prototype, 'connect')

  it('is not touched by searching', async () => {
    const spy = connections()
    await bootLogged({ script: [search(SECRET), search('把会议安排到周五'), text('a')] })
    await (await harness.createAgent()).say('go')
    expect(lines('debug', 'tool_search of')).toHaveLength(2)
    expect(spy).not.toHaveBeenCalled()
  })

  it('carries a query to the endpoint that was configured, and nowhere else', async () => {
    await using server = await startEmbeddingsServer()
    const cacheDir = await mkdtemp(join(tmpdir(), 'telemetry-'))
    const spy = connections()
    await bootLogged({ config: { dense: { provider: 'http', url: server.url, model: 'm', wait: true, cacheDir } }, script: [search(SECRET), text('a')] })
    await (await harness.createAgent()).say('go')
    expect(server.requests.some(({ input }) => input.some(sent => sent.includes(SECRET)))).toBe(true)
    const { port } = new URL(server.url)
    expect(spy.mock.calls.length).toBeGreaterThan(0)
    for (const args of spy.mock.calls) expect(JSON.stringify(args)).toContain(`"port":"${port}"`)
    await rm(cacheDir, { recursive: true })
  })
})
