/**
 * What happens to a call of a tool the model was not shown.
 * @module
 */

import type { ToolDefinition } from '@deepseek-ai/dsh-tools'
import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import type { DisclosureConfig } from '../config.ts'
import { createAjv } from '../json-schema.ts'
import { DISPATCH_TOOL, SEARCH_TOOL } from '../tools/contract.ts'
import { renderGuidance, renderMisfit } from '../tools/rendering.ts'

/** Violations that are told to the model; more would only repeat the schema. */
const MAX_PROBLEMS = 5

/** Tools bring schemas of every dialect and quality; a schema that can't be compiled must not lose a call. */
const OPTIONS = {
  strict: false, validateSchema: false, validateFormats: false, allErrors: true, logger: false, addUsedSchema: false,
} as const

let ajv: Ajv2020 | undefined

const validators = new WeakMap<object, ValidateFunction | null>()

function validatorOf(parameters: object): ValidateFunction | null {
  let validator = validators.get(parameters)
  if (validator === undefined) {
    try {
      // `$id` would collide between two versions of a schema; `$schema` may name a dialect ajv does not carry.
      const { $id: _id, $schema: _dialect, ...schema } = parameters as Record<string, unknown>
      ajv ??= createAjv(OPTIONS)
      validator = ajv.compile(schema)
    } catch {
      validator = null
    }
    validators.set(parameters, validator)
  }
  return validator
}

function describe(error: ErrorObject): string {
  const where = error.instancePath === '' ? 'arguments' : error.instancePath
  const extra: unknown = error.params['additionalProperty'] ?? error.params['allowedValues']
  return `${where} ${error.message ?? 'does not fit'}${extra === undefined ? '' : ` (${JSON.stringify(extra)})`}`
}

/**
 * Violations of a tool's own parameter schema, one line each; empty when the arguments fit or when the schema itself is unusable
 * (then the tool's body decides).
 */
export function argumentProblems(parameters: unknown, args: unknown): readonly string[] {
  if (typeof parameters !== 'object' || parameters === null) return []
  const validate = validatorOf(parameters)
  if (validate === null || validate(args)) return []
  const problems = [...new Set((validate.errors ?? []).map(describe))]
  return problems.length <= MAX_PROBLEMS ? problems : [...problems.slice(0, MAX_PROBLEMS), `${problems.length - MAX_PROBLEMS} more`]
}

/** Why a call of a deferred tool must not run; undefined when it may. */
export function denyDeferred(
  { hiddenCalls, mode }: Pick<DisclosureConfig, 'hiddenCalls' | 'mode'>,
  { name, parameters }: ToolDefinition,
  args: unknown,
): string | undefined {
  if (hiddenCalls === 'run') return undefined
  if (hiddenCalls === 'deny') {
    return mode === 'dispatch'
      ? `Tool "${name}" is not in your tool list. Call it with ${DISPATCH_TOOL}.`
      : `Tool "${name}" is not loaded. Load it first: ${SEARCH_TOOL} {"query": "select:${name}"}`
  }
  const problems = argumentProblems(parameters, args)
  if (problems.length === 0) return undefined
  return mode === 'dispatch' ? renderMisfit(name, problems, parameters) : renderGuidance(name, problems, parameters)
}

/** Why a call of a tool that the configuration switched off must not run. */
export function denyNever(name: string): string {
  return `Tool "${name}" is not available: the configuration of dsh-tool-retriever switches it off (disclosure.neverSearch)`
}
