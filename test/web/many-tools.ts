/**
 * An MCP server on standard input and output with as many tools as it is told: enough of the protocol to list them.
 * @module
 */

import { createInterface } from 'node:readline'

interface Request {
  readonly id?: number | string
  readonly method: string
  readonly params?: { readonly protocolVersion?: string }
}

const count = Number(process.env['TOOLS'])

const tools = Array.from({ length: count }, (_, at) => ({
  name: `entry_${`${at}`.padStart(4, '0')}`,
  description: `Reads entry number ${at} of the archive.`,
  inputSchema: { type: 'object', properties: { page: { type: 'integer', description: 'Which page of the entry.' } } },
}))

function resultOf({ method, params }: Request): object {
  switch (method) {
    case 'initialize':
      return { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'many', version: '1.0.0' } }
    case 'tools/list':
      return { tools }
    default:
      return {}
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line) as Request
  if (request.id === undefined) continue
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: request.id, result: resultOf(request) })}\n`)
}
