/**
 * Turns a schema violation of the configuration into one message for the person who wrote it.
 * @module
 */

import type { ErrorObject } from 'ajv/dist/2020.js'
import { createAjv } from './json-schema.ts'

/** The part of JSON Schema that the configuration uses. */
export interface ConfigSchema {
  readonly type?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly minItems?: number
  readonly enum?: readonly unknown[]
  readonly items?: ConfigSchema
  readonly properties?: Readonly<Record<string, ConfigSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: false | ConfigSchema
  readonly anyOf?: readonly ConfigSchema[]
}

/** Longest value that is quoted in a message, in characters. */
const QUOTED_CHARS = 60

/**
 * @param noun - what a key is called in the message.
 * @throws Error with the key's path, its value, the rule and the way out, for the first violation.
 */
export function checkConfig(schema: ConfigSchema, config: unknown, noun: 'config key' | 'setting' = 'config key'): void {
  const validate = createAjv({ allErrors: true, verbose: true, strict: false }).compile(schema)
  if (validate(config)) return
  // The deepest violation is the one that is about a key of the user's; the others say that its parents don't fit either.
  const [error] = [...validate.errors ?? []].sort((a, b) => depth(b) - depth(a))
  throw new Error(`dsh-tool-retriever: ${message(error as ErrorObject, noun)}`)
}

function depth(error: ErrorObject): number {
  return error.instancePath.split('/').length + (error.keyword === 'additionalProperties' ? 1 : 0) - (error.keyword === 'anyOf' ? 1 : 0)
}

function message(error: ErrorObject, noun: string): string {
  const path = error.instancePath.slice(1).replaceAll('/', '.')
  const at = path === '' ? 'the configuration' : `${noun} "${path}"`
  const params = error.params as Record<string, unknown>
  const quoted = quote(error.data)
  switch (error.keyword) {
    case 'additionalProperties': {
      const key = String(params['additionalProperty'])
      const known = Object.keys((error.parentSchema as ConfigSchema).properties ?? {})
      return `${noun} "${path === '' ? key : `${path}.${key}`}" is unknown; known here: ${known.join(', ')}. Remove it or correct its name.`
    }
    case 'required':
      return `${at} needs "${String(params['missingProperty'])}"; add it.`
    case 'enum':
      return `${at} is ${quoted}; it must be one of ${(params['allowedValues'] as unknown[]).map(value => JSON.stringify(value)).join(', ')}.`
    case 'minimum':
    case 'maximum': {
      const { minimum, maximum } = error.parentSchema as ConfigSchema
      return `${at} is ${quoted}; it must be from ${minimum ?? '-∞'} to ${maximum ?? '∞'}.`
    }
    case 'type':
      return `${at} is ${quoted}; it must be ${article(String(params['type']))}${range(error.parentSchema as ConfigSchema)}.`
    case 'minLength':
      return `${at} is empty; write a name or remove it.`
    case 'minItems':
      return `${at} is empty; it needs at least ${String(params['limit'])} entry.`
    default:
      return `${at} is ${quoted}; it ${error.message ?? 'does not fit'}.`
  }
}

function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length <= QUOTED_CHARS ? text : `${text.slice(0, QUOTED_CHARS)}…`
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`
}

function range({ minimum, maximum }: ConfigSchema): string {
  return minimum === undefined || maximum === undefined ? '' : ` from ${minimum} to ${maximum}`
}
