/**
 * Declared schemas as plain finite JSON: a bounded copy, its canonical text, and a comparison with a declaration.
 * Nothing here trusts its input: it may be cyclic, endless, deeper than the stack, or not JSON at all.
 * @module
 */

/** JSON levels that are kept. A schema level takes two (`properties`, then the name), so this is 64 nested objects. */
export const MAX_JSON_DEPTH = 128

/** Values that are kept of one schema: 100 times the largest of 15,000 published MCP tools. */
export const MAX_JSON_NODES = 100_000

/** Characters of strings and keys that are kept of one schema. */
export const MAX_JSON_CHARACTERS = 2_000_000

/** Code-unit order: the only one that no locale changes. */
export function compareCodeUnits(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}

/** The first `length` UTF-16 units of a text, one fewer where that would cut a surrogate pair in two. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text
  const last = text.charCodeAt(length - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length)
}

/** A copy and what had to be left out of it. */
export interface BoundedJson {
  readonly value: unknown
  /** Why the copy holds less than the original, one phrase for each kind of cut. */
  readonly cuts: readonly string[]
}

/**
 * Copies a value as the frozen plain JSON tree that `JSON.stringify` would write, without calling `toJSON`. A cycle, what
 * is below {@link MAX_JSON_DEPTH} and what exceeds the budgets become `{}`: as a schema that says "anything".
 * @throws what a getter or a proxy of the value throws.
 */
export function copyJson(original: unknown): BoundedJson {
  const cuts = new Set<string>()
  const ancestors = new Set<object>()
  let nodes = MAX_JSON_NODES
  let characters = MAX_JSON_CHARACTERS

  function cut(reason: string): unknown {
    cuts.add(reason)
    return Object.freeze({})
  }

  function copyText(text: string): string {
    if (text.length > characters) cuts.add(`schema of more than ${MAX_JSON_CHARACTERS} characters`)
    const kept = cutText(text, characters)
    characters -= kept.length
    return kept
  }

  function copy(value: unknown): unknown {
    nodes -= 1
    if (typeof value === 'string') return copyText(value)
    // JSON has no negative zero.
    if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null
    if (typeof value === 'boolean' || value === null) return value
    if (typeof value !== 'object') return undefined
    if (ancestors.has(value)) return cut('cyclic schema')
    if (ancestors.size >= MAX_JSON_DEPTH) return cut(`schema of more than ${MAX_JSON_DEPTH} levels`)
    ancestors.add(value)
    const copied = Array.isArray(value) ? copyArray(value) : copyRecord(value as Record<string, unknown>)
    ancestors.delete(value)
    return Object.freeze(copied)
  }

  function exhausted(): boolean {
    if (nodes > 0 && characters > 0) return false
    cuts.add(`schema of more than ${nodes > 0 ? `${MAX_JSON_CHARACTERS} characters` : `${MAX_JSON_NODES} values`}`)
    return true
  }

  function copyArray(values: readonly unknown[]): unknown[] {
    const copied: unknown[] = []
    for (let position = 0; position < values.length && !exhausted(); position += 1) copied.push(copy(values[position]) ?? null)
    // An array that values were pushed to has room for more.
    return copied.slice()
  }

  function copyRecord(record: Record<string, unknown>): Record<string, unknown> {
    const copied: Record<string, unknown> = {}
    for (const key of Object.keys(record)) {
      if (exhausted()) break
      characters -= key.length
      const value = copy(record[key])
      if (value === undefined) continue
      // Plain assignment would set the prototype instead of an own property.
      if (key === '__proto__') Object.defineProperty(copied, key, { value, enumerable: true })
      else copied[key] = value
    }
    return copied
  }

  return { value: copy(original), cuts: [...cuts] }
}

/** The keys of a record in code-unit order. Most schema nodes have one or two keys, or keep them in order already. */
export function sortedKeys(record: object): string[] {
  const keys = Object.keys(record)
  for (let position = 1; position < keys.length; position += 1) {
    if (keys[position - 1]! > keys[position]!) return keys.sort(compareCodeUnits)
  }
  return keys
}

/**
 * Canonical text of a value made by {@link copyJson}: `JSON.stringify` with every object's keys in code-unit order, so
 * that equal schemas have equal text whatever order their keys were written in. Lone surrogates are escaped.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  let members = ''
  if (Array.isArray(value)) {
    for (const member of value) members += members === '' ? canonicalJson(member) : `,${canonicalJson(member)}`
    return `[${members}]`
  }
  for (const key of sortedKeys(value)) {
    members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson((value as Record<string, unknown>)[key])}`
  }
  return `{${members}}`
}

/**
 * Whether a declared value is, key order included, what a copy was made of. Costs at most the size of the copy; says no
 * for whatever {@link copyJson} had to change, which then takes the slower way through the content hash.
 */
export function sameJson(copied: unknown, declared: unknown): boolean {
  if (copied === declared) return true
  if (typeof copied !== 'object' || typeof declared !== 'object' || copied === null || declared === null) return false
  if (Array.isArray(copied)) {
    if (!Array.isArray(declared) || copied.length !== declared.length) return false
    return copied.every((value, position) => sameJson(value, declared[position]))
  }
  if (Array.isArray(declared)) return false
  const keys = Object.keys(copied)
  const declaredKeys = Object.keys(declared)
  if (keys.length !== declaredKeys.length) return false
  for (let position = 0; position < keys.length; position += 1) {
    const key = keys[position]!
    if (key !== declaredKeys[position]) return false
    if (!sameJson((copied as Record<string, unknown>)[key], (declared as Record<string, unknown>)[key])) return false
  }
  return true
}
