/**
 * An OpenAI-compatible embeddings endpoint on loopback that answers as a test says.
 * @module
 */

import { createServer } from 'node:http'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { wordVector } from './word-vectors.ts'

export interface EmbeddingsBody {
  readonly model: string
  readonly input: readonly string[]
  readonly dimensions?: number
}

/** Answers one request; `index` counts requests from 0. */
export type Respond = (body: EmbeddingsBody, response: ServerResponse, index: number) => unknown

export interface EmbeddingsServer extends AsyncDisposable {
  /** Base URL, as `dense.url` takes it. */
  readonly url: string
  readonly requests: readonly (EmbeddingsBody & { readonly headers: IncomingHttpHeaders })[]
  /** Greatest number of requests that were answered at the same time. */
  readonly mostAtOnce: number
  respond: Respond
}

export function sendJson(response: ServerResponse, value: unknown, status = 200, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(value))
}

/** The right answer, in reverse order: `index` is what says which vector is whose. */
export function sendVectors({ input, dimensions }: EmbeddingsBody, response: ServerResponse): void {
  const data = input.map((text, index) => ({ object: 'embedding', index, embedding: wordVector(text, dimensions) }))
  sendJson(response, { object: 'list', data: data.reverse() })
}

export async function startEmbeddingsServer(respond: Respond = sendVectors): Promise<EmbeddingsServer> {
  const requests: (EmbeddingsBody & { headers: IncomingHttpHeaders })[] = []
  let open = 0
  let mostAtOnce = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as EmbeddingsBody
      requests.push({ ...body, headers: request.headers })
      open += 1
      mostAtOnce = Math.max(mostAtOnce, open)
      response.on('close', () => { open -= 1 })
      started.respond(body, response, requests.length - 1)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const started: EmbeddingsServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    get mostAtOnce() { return mostAtOnce },
    respond,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
  return started
}
