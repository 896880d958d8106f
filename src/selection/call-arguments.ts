/**
 * The arguments of a call as the log keeps them: the text that a model wrote.
 * @module
 */

/** @returns undefined for what is no JSON. */
export function parseArguments(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
