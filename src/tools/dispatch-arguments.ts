/**
 * Reads the arguments of `tool_dispatch`.
 * @module
 */

/** The arguments of one dispatch. */
export interface Dispatch {
  readonly name: string
  readonly arguments: unknown
}

/**
 * Models often send the inner arguments as JSON text, or leave them out when there are none.
 * @returns undefined when there is no name to call.
 */
export function readDispatch(args: unknown): Dispatch | undefined {
  if (typeof args !== 'object' || args === null) return undefined
  const { name, arguments: inner = {} } = args as { name?: unknown; arguments?: unknown }
  if (typeof name !== 'string' || name.trim() === '') return undefined
  return { name: name.trim(), arguments: typeof inner === 'string' ? parseJson(inner) : inner }
}

function parseJson(text: string): unknown {
  try {
    return text.trim() === '' ? {} : JSON.parse(text) as unknown
  } catch {
    return text
  }
}
