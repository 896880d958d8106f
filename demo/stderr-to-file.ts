/**
 * Preloaded into each MCP server (`node --import`): what the server says on its standard error goes to the file named by
 * `MCP_STDERR_FILE`, so that twelve servers do not talk into the demo's output and a failing one can be quoted.
 * @module
 */

import { appendFileSync } from 'node:fs'

const file = process.env['MCP_STDERR_FILE']

if (file !== undefined) {
  process.stderr.write = (chunk: string | Uint8Array) => {
    appendFileSync(file, chunk)
    return true
  }
}
