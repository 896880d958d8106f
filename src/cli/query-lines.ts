/**
 * Queries from a JSON-lines file, one at a time, so that a file of any length is answered as it is read.
 * @module
 */

import { createReadStream } from 'node:fs'
import { fileReason, UserError } from './user-error.ts'

export interface QueryLine {
  readonly id: string | number
  readonly query: string
}

const SHAPE = 'each line is {"id": …, "query": "…"}'

function parseLine(line: string, at: string): QueryLine {
  let entry: unknown
  try {
    entry = JSON.parse(line)
  } catch (error) {
    throw new UserError(`${at} is not JSON: ${(error as Error).message}; ${SHAPE}`)
  }
  const { id, query } = (entry ?? {}) as { readonly id?: unknown; readonly query?: unknown }
  if (typeof id !== 'string' && typeof id !== 'number') throw new UserError(`${at} has no "id" that is a string or a number; ${SHAPE}`)
  if (typeof query !== 'string') throw new UserError(`${at} has no "query" that is a string; ${SHAPE}`)
  return { id, query }
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const input = file === '-' ? process.stdin.setEncoding('utf8') : createReadStream(file, 'utf8')
  let rest = ''
  try {
    for await (const chunk of input as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop()!
      yield* lines
    }
  } catch (error) {
    throw new UserError(`--queries ${file} can't be read: ${fileReason(error)}; give the path of a JSON-lines file`)
  }
  yield rest
}

/**
 * @param file - path, or `-` for standard input; blank lines are skipped.
 * @throws UserError naming file and line, after the lines before it were given.
 */
export async function* readQueries(file: string): AsyncGenerator<QueryLine> {
  let number = 0
  for await (const line of linesOf(file)) {
    number++
    // some editors begin a file with a byte order mark, which JSON does not allow
    const text = number === 1 ? line.replace(/^\uFEFF/, '') : line
    if (text.trim() !== '') yield parseLine(text, `--queries ${file}, line ${number},`)
  }
}
