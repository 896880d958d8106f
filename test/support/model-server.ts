/**
 * A model on the wire: a chat-completions server on the loopback interface that streams scripted answers and keeps every request.
 * For tests that drive the real `dsh` binary, whose DeepSeek adapter is pointed at it by `DEEPSEEK_BASE_URL`.
 * @module
 */

import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A tool on the wire. */
export interface WireTool {
  readonly type: 'function'
  readonly function: { readonly name: string; readonly description: string; readonly parameters: unknown }
}

/** A message on the wire, as far as tests read it. */
export interface WireMessage {
  readonly role: string
  readonly content?: unknown
  readonly tool_call_id?: string
}

/** The body of a chat-completions request, as far as tests read it. */
export interface WireRequest {
  readonly model: string
  readonly messages: readonly WireMessage[]
  readonly tools?: readonly WireTool[]
}

/** One answer: text that ends the turn, or calls. */
export type WireAnswer = string | readonly { readonly name: string; readonly args: unknown }[]

/** Answers to the agent's requests, from nothing but each request; `index` counts them from 0. */
export type WireScript = (request: WireRequest, index: number) => WireAnswer

export interface ModelServer {
  /** For `DEEPSEEK_BASE_URL`. */
  readonly url: string
  /** The agent's requests in order; DSH's own side calls, which carry no tools, are answered but not kept. */
  readonly requests: readonly WireRequest[]
  close(): Promise<void>
}

/** Starts a server on a free port. A script that throws fails the request, and the failure reaches the test through `dsh`'s exit. */
export async function startModelServer(script: WireScript): Promise<ModelServer> {
  const requests: WireRequest[] = []
  const server = createServer((incoming, response) => {
    void readBody(incoming).then((body) => {
      const request = JSON.parse(body) as WireRequest
      const isSideCall = request.tools === undefined || request.tools.length === 0
      if (!isSideCall) requests.push(request)
      streamAnswer(response, request.model, isSideCall ? 'A title' : script(request, requests.length - 1))
    }).catch((error: unknown) => {
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message: String(error) } }))
    })
  })
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve) })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: async () => new Promise((resolve) => {
      server.closeAllConnections()
      server.close(() => { resolve() })
    }),
  }
}

/** Names of the tools of a request, in the order on the wire. */
export function wireToolNames(request: WireRequest): string[] {
  return (request.tools ?? []).map(tool => tool.function.name)
}

/** The text of a request's last message. */
export function lastWireText(request: WireRequest): string {
  return textOf(request.messages.at(-1))
}

/** The text of a request's system prompt. */
export function systemText(request: WireRequest): string {
  return textOf(request.messages.find(({ role }) => role === 'system'))
}

function textOf(message: WireMessage | undefined): string {
  const content = message?.content
  return typeof content === 'string' ? content : JSON.stringify(content ?? '')
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

/** Streams an answer as server-sent events: content or calls, the reason it ends, the usage, and the end mark. */
function streamAnswer(response: ServerResponse, model: string, answer: WireAnswer): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const event = (delta: object, finishReason: string | null = null, rest: object = {}) => {
    const chunk = { id: 'answer', object: 'chat.completion.chunk', created: 0, model, choices: [{ index: 0, delta, finish_reason: finishReason }], ...rest }
    response.write(`data: ${JSON.stringify(chunk)}\n\n`)
  }
  if (typeof answer === 'string') event({ role: 'assistant', content: answer })
  else {
    event({ role: 'assistant', content: '' })
    answer.forEach(({ name, args }, index) => {
      event({ tool_calls: [{ index, id: `call_${name}_${index}`, type: 'function', function: { name, arguments: JSON.stringify(args) } }] })
    })
  }
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, prompt_cache_hit_tokens: 0, prompt_cache_miss_tokens: 10 }
  event({}, typeof answer === 'string' ? 'stop' : 'tool_calls', { usage })
  response.end('data: [DONE]\n\n')
}
