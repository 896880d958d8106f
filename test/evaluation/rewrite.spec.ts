import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LlmAdapter } from '@deepseek-ai/dsh-llm'
import type { GenerateOptions, StreamChunk } from '@deepseek-ai/dsh-llm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { estimateCost, record, unanswered } from '../../evaluation/rewrite/recorder.ts'
import { matchResponses } from '../../evaluation/rewrite/replay.ts'
import { requestsOf } from '../../evaluation/rewrite/requests.ts'
import type { RewriteRequest, RewriteResponse } from '../../evaluation/rewrite/requests.ts'
import { loadSet } from '../../evaluation/sets.ts'
import { boot, text } from '../support/harness.ts'

const ROUTE = { provider: 'recorded', model: 'recorded-1' }

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rewrite-'))
  const set = join(folder, 'sets', 'small')
  mkdirSync(set, { recursive: true })
  const tools = [
    { name: 'get_forecast', description: 'Get the weather forecast of a city.', parameters: {} },
    { name: 'create_event', description: 'Create a calendar event.', parameters: {} },
    ...Array.from({ length: 40 }, (_, at) => ({ name: `booking_${at}`, description: `Booking number ${at} of a ledger.`, parameters: {} })),
  ]
  const queries = [
    { id: 'a', query: 'あしたのてんき', relevant: ['get_forecast'], lang: 'ja' },
    { id: 'b', query: 'よてい', relevant: ['create_event'], lang: 'ja' },
    { id: 'c', query: 'select:create_event', relevant: ['create_event'], lang: 'en' },
  ]
  writeFileSync(join(set, 'tools.json'), JSON.stringify(tools))
  writeFileSync(join(set, 'queries.jsonl'), queries.map(query => JSON.stringify(query)).join('\n'))
})

afterAll(() => { rmSync(folder, { recursive: true }) })

const sets = () => join(folder, 'sets')
const small = () => loadSet(join(sets(), 'small'))

async function prepared(): Promise<RewriteRequest[]> {
  return (await requestsOf(small(), ROUTE, 'auto')).map(({ request }) => request)
}

/** Runs a command of `eval:rewrite`. */
async function command(
  name: string, args: readonly string[], env: NodeJS.ProcessEnv = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const script = fileURLToPath(new URL(`../../evaluation/rewrite/${name}.ts`, import.meta.url))
  return new Promise((resolve) => {
    execFile(process.execPath, ['--no-warnings', script, ...args], { env: { ...process.env, ...env } }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr })
    })
  })
}

const readLines = (file: string): Record<string, unknown>[] =>
  readFileSync(file, 'utf8').trimEnd().split('\n').map(line => JSON.parse(line) as Record<string, unknown>)

describe('requests', () => {
  it('are those that the plugin would make, and no others', async () => {
    const requests = await prepared()
    expect(requests.map(({ id }) => id.replace(/@.*/, ''))).toEqual(['small/a', 'small/b'])
    expect(requests[0]).toMatchObject({ ...ROUTE, promptVersion: 'query-rewrite-v1' })
    expect(requests[0]!.prompt).toMatch(/^<catalogue>\n[\s\S]*weather[\s\S]*<query>"あしたのてんき"<\/query>$/)
  })

  it('have ids that say what was asked: another catalogue gives others, another route does not', async () => {
    const ids = (await prepared()).map(({ id }) => id)
    const other = await requestsOf({ ...small(), tools: small().tools.slice(0, 41) }, ROUTE, 'auto')
    expect(other.map(({ request: { id } }) => id.replace(/@.*/, ''))).toEqual(ids.map(id => id.replace(/@.*/, '')))
    expect(other.some(({ request: { id } }) => ids.includes(id))).toBe(false)
    const elsewhere = await requestsOf(small(), { provider: 'x', model: 'y' }, 'auto')
    expect(elsewhere.map(({ request: { id } }) => id)).toEqual(ids)
  })
})

describe('recording', () => {
  class Answering extends LlmAdapter {
    readonly requests: GenerateOptions[] = []
    readonly answer: (request: GenerateOptions) => readonly StreamChunk[]

    constructor(answer: (request: GenerateOptions) => readonly StreamChunk[]) {
      super()
      this.answer = answer
    }

    override async * stream(request: GenerateOptions): AsyncGenerator<StreamChunk> {
      this.requests.push(request)
      yield* this.answer(request)
    }
  }

  async function recorded(answer: (request: GenerateOptions) => readonly StreamChunk[], requests: readonly RewriteRequest[]) {
    const harness = await boot()
    const adapter = new Answering(answer)
    harness.ctx.llm.registerAdapter([ROUTE.provider], adapter)
    const kept: RewriteResponse[] = []
    const failed: string[] = []
    try {
      await record(harness.ctx.llm, requests, {
        concurrency: 2,
        timeoutMs: 10_000,
        signal: new AbortController().signal,
        keep: response => kept.push(response),
        failed: ({ id }, reason) => failed.push(`${id.replace(/@.*/, '')}: ${reason}`),
      })
    } finally {
      await harness.dispose()
    }
    return { kept, failed, requests: adapter.requests }
  }

  it('keeps every answer as it is, with what it took', async () => {
    const { kept, requests } = await recorded(() => text('not JSON'), await prepared())
    expect(kept.map(({ response }) => response)).toEqual(['not JSON', 'not JSON'])
    expect(kept[0]).toMatchObject({ ...ROUTE, inputTokens: 10, outputTokens: 5 })
    expect(requests.every(({ tools, maxTokens }) => tools === undefined && maxTokens === 512)).toBe(true)
  })

  it('leaves out what failed, so that the next run asks it again', async () => {
    const requests = await prepared()
    const error = { type: 'finish', reason: { kind: 'error', failure: { message: 'overloaded', code: 'X' } } } as const
    const { kept, failed } = await recorded(({ messages }) => JSON.stringify(messages).includes('よてい') ? [error] : text('{}'), requests)
    expect(failed).toEqual(['small/b: overloaded'])
    expect(unanswered(requests, kept).map(({ id }) => id)).toEqual([requests[1]!.id])
    expect(unanswered(requests, kept.map(response => ({ ...response, model: 'other' })))).toEqual(requests)
  })

  it('ends when nothing works', async () => {
    const [request] = await prepared()
    const many = Array.from({ length: 50 }, (_, at) => ({ ...request!, id: `small/${at}@0` }))
    await expect(recorded(() => { throw new Error('no such host') }, many)).rejects.toThrow(/calls in a row failed, the last with: no such host/)
  })

  it('costs what its tokens cost', async () => {
    const requests = await prepared()
    const { inputTokens, outputTokens, dollars } = estimateCost(requests, { input: 1, output: 10 })
    expect(inputTokens).toBeGreaterThan(requests.length * 200)
    expect(outputTokens.most).toBe(requests.length * 512)
    expect(dollars.most).toBeCloseTo((inputTokens + 10 * outputTokens.most) / 1e6)
    expect(dollars.usual).toBeLessThan(dollars.most)
  })
})

describe('scoring', () => {
  const answer = (request: RewriteRequest, response = '{}'): RewriteResponse => ({ id: request.id, ...ROUTE, response })

  it('refuses a missing response, one of another route, and one to another prompt', async () => {
    const queries = await requestsOf(small(), ROUTE, 'auto')
    const [a, b] = queries.map(({ request }) => answer(request)) as [RewriteResponse, RewriteResponse]
    expect(matchResponses(queries, [a, b], ROUTE).size).toBe(2)
    expect(() => matchResponses(queries, [a], ROUTE)).toThrow(/1 of 2 responses are missing: small\/b@/)
    expect(() => matchResponses(queries, [a, { ...b, model: 'other' }], ROUTE)).toThrow(/is of recorded\/other, not of recorded\/recorded-1/)
    expect(() => matchResponses(queries, [a, { ...b, id: 'small/b@0123456789abcdef' }], ROUTE)).toThrow(/another prompt version or catalogue/)
  })
})

describe('the commands', () => {
  it('prepare, record over the wire by DSH\'s own DeepSeek adapter, go on, and score', async () => {
    const answers = ['{"queries": ["weather forecast"]}', 'no idea, sorry.']
    const bodies: Record<string, unknown>[] = []
    const server = createServer((incoming, response) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () => {
        const body = Buffer.concat(chunks).toString()
        bodies.push({ ...JSON.parse(body) as object, authorization: incoming.headers.authorization })
        const content = answers[body.includes('てんき') ? 0 : 1]
        const chunk = (delta: object, finish: string | null, rest = {}) =>
          `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 0, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }], ...rest })}\n\n`
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end(chunk({ role: 'assistant', content }, null)
          + chunk({}, 'stop', { usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } }) + 'data: [DONE]\n\n')
      })
    })
    await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve) })
    const env = { DEEPSEEK_API_KEY: 'test-key', DEEPSEEK_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
    const [requests, responses] = [join(folder, 'requests.jsonl'), join(folder, 'rewrite-responses.jsonl')]
    try {
      expect(await command('prepare', ['--dir', sets(), '--out', requests])).toMatchObject({ code: 0, stdout: expect.stringContaining('2 requests of 1 sets') as string })

      const estimate = await command('record', ['--requests', requests], env)
      expect(estimate.stdout).toMatch(/0 of 2 requests are answered. 2 calls: .* about \$0\.00, at most \$0\.00/)
      expect(estimate.stdout).toContain('Nothing was sent.')
      expect(bodies).toEqual([])

      const first = readFileSync(requests, 'utf8').split('\n')[0]!
      writeFileSync(requests.replace('requests', 'one'), `${first}\n`)
      expect(await command('record', ['--requests', requests.replace('requests', 'one'), '--yes'], env)).toMatchObject({ code: 0 })
      expect(await command('record', ['--requests', requests, '--yes'], env)).toMatchObject({ code: 0 })
      expect(bodies).toHaveLength(2)
      expect(bodies[0]).toMatchObject({ thinking: { type: 'disabled' }, max_tokens: 512, authorization: 'Bearer test-key' })
      expect(bodies[0]!['tools']).toBeUndefined()
      expect(readLines(responses).map(({ response }) => response)).toEqual(answers)
      expect((await command('record', ['--requests', requests, '--yes'], env)).stdout).toContain('all 2 requests are answered')

      const score = await command('score', ['--responses', responses, '--dir', sets(), '--no-results'])
      expect(score).toMatchObject({ code: 0, stderr: expect.not.stringContaining('Error') as string })
      expect(score.stdout).toMatch(/small .* 3 .* 66\.7 .* 50\.0 .* 33\.3 → 66\.7/)

      writeFileSync(responses, `${JSON.stringify(readLines(responses)[0])}\n`)
      expect(await command('score', ['--responses', responses, '--dir', sets(), '--no-results'])).toMatchObject({
        code: 2, stderr: expect.stringMatching(/^eval:rewrite:score: 1 of 2 responses are missing/m) as string,
      })
    } finally {
      server.closeAllConnections()
      server.close()
    }
  }, 60_000)

  it('say in one line what is wrong', async () => {
    expect(await command('score', ['--responses', join(folder, 'none.jsonl')])).toMatchObject({ code: 2, stderr: expect.stringMatching(/^eval:rewrite:score: .*none\.jsonl can't be read.*\n$/) as string })
    expect(await command('prepare', ['--dir', sets(), '--set', 'nothing'])).toMatchObject({ code: 2, stderr: 'eval:rewrite:prepare: no set "nothing"; there are: small\n' })
  })
})
