/**
 * A tool's JSON Schema as searchable texts: what its parameters are called, what is said about them, and which strings
 * they take. Breadth first, so that a bound cuts the deepest parts; keys in code-unit order, so that equal schemas give
 * equal texts.
 * @module
 */

import { cutText, sortedKeys } from './json.ts'

/** Values taken of one enum or one list of examples; more of them describe the data, not the tool. */
export const MAX_VALUES = 30

/** Longest value that can be vocabulary. A longer one is a template or a document, of which nobody searches the text. */
export const MAX_VALUE_LENGTH = 120

/** Characters indexed of one title or description of a parameter. */
export const MAX_PARAMETER_DESCRIPTION = 4_000

/** Characters indexed of one schema, all texts together. */
export const MAX_SCHEMA_TEXT = 100_000

/** What the value of a keyword is: texts of the schema itself, or schemas to walk into. */
type Role = 'title' | 'description' | 'value' | 'values' | 'properties' | 'schemas by key' | 'schemas' | 'reference'

/**
 * The keywords that are read (JSON Schema drafts 4 to 2020-12, `example` of OpenAPI). `not` is left out: what an argument must
 * not be is no vocabulary of the tool. So are `$defs` and `definitions`: they count where a reference leads to them.
 */
const KEYWORDS: ReadonlyMap<string, Role> = new Map([
  ['title', 'title'],
  ['description', 'description'],
  ...roles('value', 'const', 'default', 'example'),
  ...roles('values', 'enum', 'examples'),
  ['properties', 'properties'],
  // Keys of these are patterns and conditions; only those of `properties` are names.
  ...roles('schemas by key', 'dependentSchemas', 'patternProperties'),
  ...roles('schemas', 'additionalItems', 'additionalProperties', 'allOf', 'anyOf', 'contains', 'else', 'if', 'items', 'oneOf',
    'prefixItems', 'propertyNames', 'then', 'unevaluatedItems', 'unevaluatedProperties'),
  ['$ref', 'reference'],
])

function roles(role: Role, ...keywords: readonly string[]): [string, Role][] {
  return keywords.map(keyword => [keyword, role])
}

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
 * Collects the texts of a schema. Every node is visited once, however many references lead to it, so the cost is linear in
 * the schema's size.
 * @param root - a schema copied by `copyJson`, hence finite.
 */
export function schemaTexts(root: Schema): SchemaTexts {
  const names: string[] = []
  const descriptions: string[] = []
  const values: string[] = []
  let left = MAX_SCHEMA_TEXT
  const visited = new Set<Schema>([root])
  const queue: { readonly schema: Schema; readonly name: string | undefined }[] = [{ schema: root, name: undefined }]

  function collect(texts: string[], text: string): void {
    left -= text.length
    if (left >= 0 && text !== '') texts.push(text)
  }

  function collectValue(value: unknown): void {
    if (typeof value === 'string' && value.length <= MAX_VALUE_LENGTH) collect(values, value)
  }

  function enqueue(schema: unknown, name?: string): void {
    if (!isSchema(schema) || visited.has(schema)) return
    visited.add(schema)
    queue.push({ schema, name })
  }

  for (let next = 0; next < queue.length && left >= 0; next += 1) {
    const { schema, name } = queue[next]!
    for (const keyword of sortedKeys(schema)) {
      const value = schema[keyword]
      switch (KEYWORDS.get(keyword)) {
        case 'title':
          // A root title names the argument object; generators repeat a parameter's name as its title. Neither says anything new.
          if (typeof value !== 'string' || schema === root || (name !== undefined && bareLetters(value) === bareLetters(name))) break
          collect(descriptions, cutText(value, MAX_PARAMETER_DESCRIPTION))
          break
        case 'description':
          if (typeof value === 'string') collect(descriptions, cutText(value, MAX_PARAMETER_DESCRIPTION))
          break
        case 'value':
          collectValue(value)
          break
        case 'values':
          if (Array.isArray(value)) value.slice(0, MAX_VALUES).forEach(collectValue)
          break
        case 'properties':
          if (!isSchema(value)) break
          for (const property of sortedKeys(value)) {
            collect(names, property)
            enqueue(value[property], property)
          }
          break
        case 'schemas by key':
          if (isSchema(value)) for (const key of sortedKeys(value)) enqueue(value[key])
          break
        case 'schemas':
          if (Array.isArray(value)) for (const subschema of value) enqueue(subschema)
          else enqueue(value)
          break
        case 'reference':
          if (typeof value === 'string') enqueue(resolvePointer(root, value), name)
          break
        case undefined:
      }
    }
  }
  return { parameterName: fitted(names), parameterDescription: fitted(descriptions), parameterValue: fitted(values), truncated: left < 0 }
}

const NO_TEXTS: readonly string[] = Object.freeze([])

/** An array that texts were pushed to has room for sixteen more; there are three for each tool. */
function fitted(texts: readonly string[]): readonly string[] {
  return texts.length === 0 ? NO_TEXTS : texts.slice()
}
