/**
 * Makes long replays affordable: DSH copies every schema for every assembly, which at 1,000 tools is nearly all the time of a request.
 * @module
 */

/**
 * While it lasts, a copy of one of these schemas is the schema itself, frozen so that nobody can tell. Everything else is copied as ever.
 * @returns ends it.
 */
export function shareSchemas(schemas: readonly object[]): () => void {
  const shared = new WeakSet(schemas.map(freezeDeep))
  const original = globalThis.structuredClone
  globalThis.structuredClone = (value, options) =>
    typeof value === 'object' && value !== null && shared.has(value) ? value : original(value, options)
  return () => { globalThis.structuredClone = original }
}

function freezeDeep<T extends object>(value: T): T {
  for (const child of Object.values(value) as unknown[]) if (typeof child === 'object' && child !== null) freezeDeep(child)
  return Object.freeze(value)
}
