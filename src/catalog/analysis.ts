/**
 * One declaration to one searchable tool: everything about it that does not depend on the other tools.
 * @module
 */

import { hash } from 'node:crypto'

import type { ReadDeclaration } from './declarations.ts'
import { canonicalJson, copyJson, cutText } from './json.ts'
import { schemaTexts } from './schema-walk.ts'
import { splitToolName } from './tool-name.ts'
import type { CatalogTool } from './types.ts'

/** Characters of a description that are indexed and shown: twice the longest of 15,000 published MCP tools. */
export const MAX_DESCRIPTION = 20_000

/** A declaration made safe. */
export interface CheckedDeclaration {
  readonly name: string
  /** The declared description in full. */
  readonly description: string
  /** Frozen copy, see {@link CatalogTool.parameters}. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** Whether `parameters` say all that was declared. */
  readonly isFaithful: boolean
  /** Hex SHA-256 of the canonical JSON of name, description and parameters. */
  readonly contentHash: string
  /** What is wrong with the declaration, one clause each. */
  readonly reasons: readonly string[]
}

/** A searchable tool without what its catalogue adds to it. */
export interface ToolAnalysis {
  readonly tool: Omit<CatalogTool, 'family'>
  readonly reasons: readonly string[]
}

type CheckedSchema = Pick<CheckedDeclaration, 'parameters' | 'reasons'>

const ANY_ARGUMENTS: Readonly<Record<string, unknown>> = Object.freeze({})

function checkSchema(declared: unknown): CheckedSchema {
  // `true` is JSON Schema's way to write `{}`.
  if (declared === undefined || declared === null || declared === true) return { parameters: ANY_ARGUMENTS, reasons: [] }
  if (typeof declared !== 'object' || Array.isArray(declared)) {
    return { parameters: ANY_ARGUMENTS, reasons: ['its parameters are not a JSON Schema object; indexed without them'] }
  }
  try {
    const { value, cuts } = copyJson(declared)
    return { parameters: value as Readonly<Record<string, unknown>>, reasons: cuts.map(cut => `${cut}; the rest is not indexed`) }
  } catch {
    return { parameters: ANY_ARGUMENTS, reasons: ['its parameters cannot be read; indexed without them'] }
  }
}

/** Makes a declaration safe and computes its content hash, by which a cached analysis is found. Never throws. */
export function checkDeclaration({ name, description: declared, parameters: declaredParameters }: ReadDeclaration): CheckedDeclaration {
  const { parameters, reasons: schemaReasons } = checkSchema(declaredParameters)
  const description = typeof declared === 'string' ? declared : ''
  const reasons = [...schemaReasons]
  if (typeof declared !== 'string' && declared !== undefined && declared !== null) {
    reasons.push('its description is not a string; indexed without it')
  }
  if (description.length > MAX_DESCRIPTION) {
    reasons.push(`its description has ${description.length} characters; only the first ${MAX_DESCRIPTION} are indexed`)
  }
  const contentHash = hash('sha256', canonicalJson([name, description, parameters]), 'hex')
  return { name, description, parameters, isFaithful: schemaReasons.length === 0, contentHash, reasons }
}

/** Makes a checked declaration searchable. */
export function analyseTool({ name, description: declared, parameters, contentHash, reasons }: CheckedDeclaration): ToolAnalysis {
  const description = cutText(declared, MAX_DESCRIPTION)
  const { server, leafName } = splitToolName(name)
  const { truncated, ...parameterTexts } = schemaTexts(parameters)
  // The prefix `mcp` is left out: every tool of every server has it.
  const nameTexts = server === undefined ? [leafName] : [server, leafName]
  const texts = Object.freeze({ name: nameTexts, description: [description], ...parameterTexts })
  return {
    tool: { name, description, parameters, contentHash, server, leafName, texts },
    reasons: truncated ? [...reasons, 'its schema has too much text; the deepest parts are not indexed'] : reasons,
  }
}
