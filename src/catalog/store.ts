/**
 * Declarations to catalogues. Each tool is analysed once and found again by content; an unchanged set of tools gives the same
 * catalogue object; what no remembered catalogue uses is forgotten. Nothing is built until a snapshot is asked for.
 * @module
 */

import { createHash } from 'node:crypto'

import { analyseTool, checkDeclaration } from './analysis.ts'
import type { ToolAnalysis } from './analysis.ts'
import { compareWarnings, readDeclarations } from './declarations.ts'
import type { ReadDeclaration } from './declarations.ts'
import { createFamilyAssigner } from './families.ts'
import type { FamilyDeclaration } from './families.ts'
import { compareCodeUnits, sameJson } from './json.ts'
import type { Catalog, CatalogTool, CatalogWarning, ToolDeclaration } from './types.ts'

export interface CatalogOptions {
  /** Families that no server name and no prefix says. */
  readonly families?: readonly FamilyDeclaration[] | undefined
}

export interface CatalogStoreOptions extends CatalogOptions {
  /** Catalogues remembered, 1 or more (default 8): agents with different tools take turns. */
  readonly maxCatalogs?: number | undefined
}

/** Turns declarations into catalogues and remembers what it can use again. */
export interface CatalogStore {
  /**
   * The catalogue of these tools: the same object as long as nothing about them changed. Of tools with one name the first
   * wins; a tool without a usable name is left out; both are warned of. A schema object is a value: whoever changes a
   * schema passes a new object, as DSH's registry does.
   * @throws never, whatever the declarations hold.
   */
  snapshot(declarations: readonly ToolDeclaration[]): Catalog
  /** How many analyses are remembered. */
  readonly size: number
}

/** A remembered analysis. */
interface Entry {
  /** Content hash and reasons: declarations that differ in neither are one tool. */
  readonly key: string
  readonly analysis: ToolAnalysis
  /** The declared description in full. */
  readonly description: string
  /** The tool as the latest catalogue holds it, used again while its family stays the same. */
  tool: CatalogTool
  /** How many remembered catalogues hold it. */
  uses: number
}

interface RememberedCatalog {
  readonly catalog: Catalog
  /** In the order of `catalog.tools`. */
  readonly entries: readonly Entry[]
  /** Of declarations that are not in the catalogue. */
  readonly leftOut: readonly CatalogWarning[]
}

function revisionOf(entries: readonly Entry[]): string {
  const hash = createHash('sha256')
  for (const { tool } of entries) hash.update(`${tool.contentHash}\n`)
  return hash.digest('hex')
}

/** Whether a catalogue is, in whatever order, made of these entries and warnings. */
function isCatalogOf(
  { catalog, entries, leftOut }: RememberedCatalog,
  found: readonly Entry[],
  warnings: readonly CatalogWarning[],
): boolean {
  return entries.length === found.length
    && found.every(entry => entries[catalog.indexByName.get(entry.tool.name) ?? -1] === entry)
    && leftOut.length === warnings.length
    && leftOut.every((warning, position) => compareWarnings(warning, warnings[position]!) === 0)
}

/** Whether a declaration is the one that an analysis was made of; no when in doubt. */
function isUnchanged({ analysis, description }: Entry, declaration: ReadDeclaration): boolean {
  try {
    return description === declaration.description && sameJson(analysis.tool.parameters, declaration.parameters)
  } catch {
    return false
  }
}

export function createCatalogStore({ families = [], maxCatalogs = 8 }: CatalogStoreOptions = {}): CatalogStore {
  const assignFamilies = createFamilyAssigner(families)
  const byKey = new Map<string, Entry>()
  /** The latest entry of each name: what a declaration is compared with before anything is hashed. */
  const byName = new Map<string, Entry>()
  /** The entry that a schema object was last seen to belong to: saves the comparison where a registry hands out the same objects. */
  const bySchema = new WeakMap<object, Entry>()
  /** Least recently used first. */
  const remembered: RememberedCatalog[] = []

  function entryOf(declaration: ReadDeclaration): Entry {
    const { name, description, parameters } = declaration
    const schema = typeof parameters === 'object' ? parameters : null
    const latest = byName.get(name)
    if (latest !== undefined) {
      if (schema !== null && bySchema.get(schema) === latest && latest.description === description) return latest
      if (isUnchanged(latest, declaration)) {
        if (schema !== null) bySchema.set(schema, latest)
        return latest
      }
    }
    const checked = checkDeclaration(declaration)
    const key = [checked.contentHash, ...checked.reasons].join('\n')
    let entry = byKey.get(key)
    if (entry === undefined) {
      const analysis = analyseTool(checked)
      entry = { key, analysis, description: checked.description, tool: Object.freeze(analysis.tool), uses: 0 }
      byKey.set(key, entry)
    }
    byName.set(name, entry)
    if (schema !== null) bySchema.set(schema, entry)
    return entry
  }

  function build(entries: readonly Entry[], leftOut: readonly CatalogWarning[]): RememberedCatalog {
    const names = entries.map(({ tool }) => tool.name)
    const { families: assigned, primary } = assignFamilies(names)
    const tools = entries.map((entry, index) => {
      const family = primary[index]
      if (entry.tool.family !== family) entry.tool = Object.freeze({ ...entry.analysis.tool, family })
      return entry.tool
    })
    const warnings = entries.flatMap(({ tool, analysis }) => analysis.reasons.map(reason => ({ tool: tool.name, reason })))
    const catalog: Catalog = Object.freeze({
      tools: Object.freeze(tools),
      indexByName: new Map(names.map((name, index) => [name, index])),
      families: Object.freeze(assigned),
      revision: revisionOf(entries),
      warnings: Object.freeze([...warnings, ...leftOut].sort(compareWarnings)),
    })
    return { catalog, entries, leftOut }
  }

  function forget({ entries }: RememberedCatalog): void {
    for (const entry of entries) {
      entry.uses -= 1
      if (entry.uses > 0) continue
      byKey.delete(entry.key)
      if (byName.get(entry.tool.name) === entry) byName.delete(entry.tool.name)
    }
  }

  return {
    snapshot(declarations) {
      const { usable, warnings } = readDeclarations(declarations)
      const entries = usable.map(entryOf)
      const known = remembered.findLastIndex(candidate => isCatalogOf(candidate, entries, warnings))
      const current = known < 0
        ? build(entries.sort((left, right) => compareCodeUnits(left.tool.name, right.tool.name)), warnings)
        : remembered.splice(known, 1)[0]!
      remembered.push(current)
      if (known < 0) {
        for (const entry of entries) entry.uses += 1
        if (remembered.length > maxCatalogs) forget(remembered.shift()!)
      }
      return current.catalog
    },
    get size() {
      return byKey.size
    },
  }
}

/** The catalogue of a fixed set of tools, with nothing remembered. See {@link CatalogStore.snapshot}. */
export function buildCatalog(declarations: readonly ToolDeclaration[], options?: CatalogOptions): Catalog {
  return createCatalogStore(options).snapshot(declarations)
}
