/**
 * Tool definitions from a JSON file, in the shapes that registries, MCP servers and model APIs write.
 * @module
 */

import type { ToolDeclaration } from '../catalog/types.ts'
import { parseJson, readText } from './json-file.ts'
import { UserError } from './user-error.ts'

const SHAPES = 'give an array of {name, description, parameters}, an MCP tools/list result {tools: [{name, description, inputSchema}]}, '
  + 'or OpenAI entries {type: "function", function: {…}}'

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The array of a plain list, of `{tools}`, and of a JSON-RPC response `{result: {tools}}`. */
function toolList(document: unknown): readonly unknown[] | undefined {
  if (Array.isArray(document)) return document as readonly unknown[]
  if (!isRecord(document)) return undefined
  return Array.isArray(document['tools']) ? document['tools'] : toolList(document['result'])
}

function declaration(entry: unknown, at: string): ToolDeclaration {
  const tool = isRecord(entry) && isRecord(entry['function']) ? entry['function'] : entry
  if (!isRecord(tool)) throw new UserError(`${at} is not an object; ${SHAPES}`)
  const { name, description, parameters, inputSchema } = tool
  if (typeof name !== 'string' || name === '') throw new UserError(`${at} has no "name" of one character or more; ${SHAPES}`)
  if (description !== undefined && description !== null && typeof description !== 'string') {
    throw new UserError(`${at} ("${name}") has a "description" that is not a string; write a string or leave it out`)
  }
  return { name, description: description ?? undefined, parameters: parameters ?? inputSchema }
}

/**
 * @param file - path, absolute or from the current folder.
 * @throws UserError when the file can't be read, is no JSON, or holds something else than tools.
 */
export function readToolDeclarations(file: string): readonly ToolDeclaration[] {
  const at = `--catalog ${file}`
  const list = toolList(parseJson(readText(file, at), at))
  if (list === undefined) throw new UserError(`${at} holds no list of tools; ${SHAPES}`)
  return list.map((entry, i) => declaration(entry, `${at}: tool ${i + 1}`))
}
