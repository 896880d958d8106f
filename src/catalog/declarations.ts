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

/** A declaration that is not what stood in its position before. */
export interface ChangedDeclaration {
  readonly position: number
  readonly declaration: ReadDeclaration
}

/**
 * Where declarations differ from those that were read before: what a registry that has changed by a tool says is mostly the same objects.
 * @returns what has another description or other parameters, in order; `undefined` when names or their order are others, or when in doubt.
 */
export function changedDeclarations(
  before: readonly ReadDeclaration[], declarations: readonly ToolDeclaration[],
): ChangedDeclaration[] | undefined {
  if (before.length !== declarations.length) return undefined
  const changed: ChangedDeclaration[] = []
  for (let position = 0; position < before.length; position++) {
    const parts = read(declarations[position])
    const known = before[position]!
    if (parts === undefined || known.name !== parts.name) return undefined
    const { description, parameters } = parts
    if (known.description === description && known.parameters === parameters) continue
    changed.push({ position, declaration: { name: known.name, description, parameters } })
  }
  return changed
}
