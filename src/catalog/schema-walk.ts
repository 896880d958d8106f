/**
 * A tool's JSON Schema as searchable texts: what its parameters are called, what is said about them, and which strings
 * they take. Breadth first, so that a bound cuts the deepest parts; keys in code-unit order, so that equal schemas give
 * equal texts.
 * @module
 */

import { compareCodeUnits, cutText } from './json.ts'

/** Values taken of one enum or one list of examples; more of them describe the data, not the tool. */
export const MAX_VALUES = 30

/** Longest value that can be vocabulary. A longer one is a template or a document, of which nobody searches the text. */
export const MAX_VALUE_LENGTH = 120

/** Characters indexed of one title or description of a parameter. */
export const MAX_PARAMETER_DESCRIPTION = 4_000

/** Characters indexed of one schema, all texts together. */
export const MAX_SCHEMA_TEXT = 100_000

// `not` is left out: what an argument must not be is no vocabulary of the tool.
const SCHEMA_KEYWORDS = [
  'additionalItems', 'additionalProperties', 'contains', 'else', 'if', 'items', 'propertyNames', 'then', 'unevaluatedItems',
  'unevaluatedProperties',
] as const
const SCHEMA_LIST_KEYWORDS = ['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems'] as const
// The keys of these are patterns or conditions; only those of `properties` are names.
const SCHEMA_MAP_KEYWORDS = ['dependentSchemas', 'patternProperties'] as const

type Schema = Readonly<Record<string, unknown>>

/** The texts of one schema, by the field they belong to. */
export interface SchemaTexts {
  readonly parameterName: readonly string[]
  readonly parameterDescription: readonly string[]
  readonly parameterValue: readonly string[]
  /** Whether {@link MAX_SCHEMA_TEXT} left something out. */
  readonly truncated: boolean
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Follows a `$ref` of the form `#` or `#/pointer` (RFC 6901, percent-encoded as RFC 6901 section 6 says).
 * @returns what it points to in this schema; `undefined` for any other reference, since nothing is ever fetched.
 */
export function resolvePointer(root: Schema, reference: string): unknown {
  if (reference === '#') return root
  if (!reference.startsWith('#/')) return undefined
  let target: unknown = root
  for (const encoded of reference.slice(2).split('/')) {
    let token: string
    try {
      token = decodeURIComponent(encoded).replaceAll('~1', '/').replaceAll('~0', '~')
    } catch {
      return undefined
    }
    if (typeof target !== 'object' || target === null || !Object.hasOwn(target, token)) return undefined
    target = (target as Record<string, unknown>)[token]
  }
  return target
}

/** Letters and digits only, lower case: how a generated title is told from a written one. */
function bareLetters(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}

/**
 * The direct parts of a schema: its subschemas, each with its property name where it has one.
 * @returns pairs in a fixed order of keywords and code-unit order of names.
 */
function* subschemas(schema: Schema, root: Schema): Generator<readonly [unknown, string | undefined]> {
  if (isSchema(schema.properties)) {
    for (const name of Object.keys(schema.properties).sort(compareCodeUnits)) yield [schema.properties[name], name]
  }
  if (typeof schema.$ref === 'string') yield [resolvePointer(root, schema.$ref), undefined]
  for (const keyword of SCHEMA_KEYWORDS) yield [schema[keyword], undefined]
  for (const keyword of SCHEMA_LIST_KEYWORDS) {
    const list = schema[keyword]
    if (Array.isArray(list)) for (const subschema of list as unknown[]) yield [subschema, undefined]
  }
  for (const keyword of SCHEMA_MAP_KEYWORDS) {
    const map = schema[keyword]
    if (isSchema(map)) for (const key of Object.keys(map).sort(compareCodeUnits)) yield [map[key], undefined]
  }
}

/** The strings that a schema says its value may be. */
function* declaredValues(schema: Schema): Generator<string> {
  const single = [schema.const, schema.default, schema.example]
  const lists = [schema.enum, schema.examples].filter(list => Array.isArray(list))
  for (const value of [...single, ...lists.flatMap(list => list.slice(0, MAX_VALUES) as unknown[])]) {
    if (typeof value === 'string' && value !== '' && value.length <= MAX_VALUE_LENGTH) yield value
  }
}

/**
 * Collects the texts of a schema. Every node is visited once, however many references lead to it, so the cost is linear in
 * the schema's size. Definitions that nothing refers to are not reachable by an argument and are left out.
 * @param root - a schema copied by `copyJson`, hence finite.
 */
export function schemaTexts(root: Schema): SchemaTexts {
  const names: string[] = []
  const descriptions: string[] = []
  const values: string[] = []
  let left = MAX_SCHEMA_TEXT

  function collect(texts: string[], text: string): void {
    left -= text.length
    if (left >= 0 && text !== '') texts.push(text)
  }

  const visited = new Set<Schema>([root])
  const queue: { readonly schema: Schema; readonly name: string | undefined }[] = [{ schema: root, name: undefined }]
  for (let next = 0; next < queue.length && left > 0; next += 1) {
    const { schema, name } = queue[next]!
    // A root title names the argument object; generators repeat the parameter's name as its title. Neither says anything new.
    if (schema !== root && typeof schema.title === 'string' && (name === undefined || bareLetters(schema.title) !== bareLetters(name))) {
      collect(descriptions, cutText(schema.title, MAX_PARAMETER_DESCRIPTION))
    }
    if (typeof schema.description === 'string') collect(descriptions, cutText(schema.description, MAX_PARAMETER_DESCRIPTION))
    for (const value of declaredValues(schema)) collect(values, value)
    for (const [subschema, property] of subschemas(schema, root)) {
      if (property !== undefined) collect(names, property)
      if (!isSchema(subschema) || visited.has(subschema)) continue
      visited.add(subschema)
      queue.push({ schema: subschema, name: property })
    }
  }
  return { parameterName: names, parameterDescription: descriptions, parameterValue: values, truncated: left < 0 }
}
