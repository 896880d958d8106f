/**
 * The declarations that a catalogue can be made of: each read once, with a usable name, and one of each name.
 * @module
 */

import { compareCodeUnits, cutText } from './json.ts'
import type { CatalogWarning, ToolDeclaration } from './types.ts'

/** Longest usable name. Model interfaces allow 64 or 128 characters; this leaves room and bounds every index by name. */
export const MAX_NAME = 512

/** A declaration whose parts were read, once, and whose name is usable. */
export interface ReadDeclaration {
  readonly name: string
  readonly description: unknown
  readonly parameters: unknown
}

/** Code-unit order of tool and reason, so that warnings come in the same order as tools do. */
export function compareWarnings(left: CatalogWarning, right: CatalogWarning): number {
  return compareCodeUnits(left.tool, right.tool) || compareCodeUnits(left.reason, right.reason)
}

/** Reads the parts of a declaration; `undefined` when there is nothing to read or reading throws. */
function read(declaration: unknown): { readonly name: unknown; readonly description: unknown; readonly parameters: unknown } | undefined {
  try {
    const { name, description, parameters } = declaration as ToolDeclaration
    return { name, description, parameters }
  } catch {
    return undefined
  }
}

/** Leaves out what has no usable name and all but the first of each name, with a warning for each. */
export function readDeclarations(declarations: readonly ToolDeclaration[]): {
  readonly usable: readonly ReadDeclaration[]
  readonly warnings: readonly CatalogWarning[]
} {
  const usable = new Map<string, ReadDeclaration>()
  const warnings: CatalogWarning[] = []
  for (const [position, declaration] of declarations.entries()) {
    const parts = read(declaration)
    if (parts === undefined) {
      warnings.push({ tool: `declaration ${position + 1}`, reason: 'it cannot be read; left out' })
      continue
    }
    const { name, description, parameters } = parts
    if (typeof name !== 'string' || name === '') {
      warnings.push({ tool: `declaration ${position + 1}`, reason: 'it has no name; left out' })
    } else if (name.length > MAX_NAME) {
      warnings.push({ tool: `${cutText(name, 80)}…`, reason: `its name has ${name.length} characters, more than ${MAX_NAME}; left out` })
    } else if (usable.has(name)) {
      warnings.push({ tool: name, reason: 'declared more than once; the first declaration is used' })
    } else {
      usable.set(name, { name, description, parameters })
    }
  }
  return { usable: [...usable.values()], warnings: warnings.sort(compareWarnings) }
}
