/**
 * Declarations to catalogues. Each tool is analysed once and found again by content; an unchanged set of tools gives the same
 * catalogue object; what no remembered catalogue uses is forgotten. Nothing is built until a snapshot is asked for.
 * @module
 */

import { analyseTool, checkDeclaration } from './analysis.ts'
import { changedDeclarations, compareWarnings, readDeclarations } from './declarations.ts'
import type { ChangedDeclaration, ReadDeclaration } from './declarations.ts'
import { createFamilyAssigner } from './families.ts'
import type { FamilyAssignment, FamilyDeclaration } from './families.ts'
import { compareCodeUnits, sameJson } from './json.ts'
import { revisionAfter, revisionOf } from './revision.ts'
import type { Revision } from './revision.ts'
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
  /** Counts analyses from 1. */
  readonly serial: number
  /** What is wrong with the declaration, one clause each. */
  readonly reasons: readonly string[]
  /** The description as declared. */
  readonly description: unknown
  /** The parameters as declared where they are no object (`undefined`, `true`, a mistake). */
  readonly bareParameters: unknown
  /** Whether the tool's copy of the parameters can be compared with a declaration: nothing was left out of it. */
  readonly isFaithful: boolean
  /** The tool as the latest catalogue holds it, used again while its family stays the same. */
  tool: CatalogTool
  /** How many remembered catalogues hold it. */
  uses: number
}

/** Above this share of changed declarations a catalogue is built anew. */
const MOST_CHANGES = 0.1

/** Equal to no declaration's parameters. */
const NO_BARE_PARAMETERS = Symbol('no bare parameters')

interface RememberedCatalog {
  readonly catalog: Catalog
  /** In the order of `catalog.tools`. */
  readonly entries: readonly Entry[]
  readonly sum: number
  /** Of declarations that are not in the catalogue. */
  readonly leftOut: readonly CatalogWarning[]
  readonly byNames: DerivedFromNames
  readonly revision: Revision
  /** The declarations it was last made of, and by their positions the places of their tools. */
  declared: readonly ReadDeclaration[]
  places: readonly number[]
}

/** What a catalogue derives from its names alone. */
interface DerivedFromNames extends FamilyAssignment {
  readonly names: readonly string[]
  readonly indexByName: ReadonlyMap<string, number>
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function warningsOf({ tool, reasons }: Entry): CatalogWarning[] {
  return reasons.map(reason => ({ tool: tool.name, reason }))
}

function placesOf(declared: readonly ReadDeclaration[], { indexByName }: DerivedFromNames): number[] {
  return declared.map(({ name }) => indexByName.get(name)!)
}

function catalogOf(
  tools: CatalogTool[], { indexByName, families }: DerivedFromNames, { revision }: Revision, warnings: CatalogWarning[],
): Catalog {
  // The list itself is not frozen: V8 reads frozen arrays five times slower, and a search goes through it.
  return Object.freeze({
    tools, indexByName, families, revision, warnings: Object.freeze(warnings.sort(compareWarnings)),
  })
}

/**
 * Entries in catalogue order. Those of the previous catalogue come in its order, so that the sort has one long run and a few
 * new ones to merge, which takes linear time.
 */
function sortEntries(entries: readonly Entry[], previous: readonly Entry[], indexByName: ReadonlyMap<string, number>): Entry[] {
  if (entries.length === previous.length) {
    const placed: Entry[] = []
    for (const entry of entries) {
      const index = indexByName.get(entry.tool.name)
      if (index === undefined) break
      placed[index] = entry
    }
    // Every name has its place: nothing is to be sorted.
    if (entries.every(entry => placed[indexByName.get(entry.tool.name) ?? -1] === entry)) return placed
  }
  const rest = new Set(entries)
  const kept = previous.filter(entry => rest.delete(entry))
  return [...kept, ...rest].sort((left, right) => compareCodeUnits(left.tool.name, right.tool.name))
}

/** Sum of serial numbers: tells most sets of entries apart without a look at each. */
function sumOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { serial }) => sum + serial, 0)
}

/** Whether two catalogues are the same; no for declarations with mistakes, which take the longer way. */
function isSame(one: RememberedCatalog, other: RememberedCatalog): boolean {
  return one.sum === other.sum
    && one.leftOut.length === 0 && other.leftOut.length === 0
    && one.entries.every((entry, place) => entry === other.entries[place])
}

/** Whether a catalogue is, in whatever order, made of these entries and warnings. */
function isCatalogOf(
  { catalog, entries, sum, leftOut }: RememberedCatalog,
  found: readonly Entry[],
  foundSum: number,
  warnings: readonly CatalogWarning[],
): boolean {
  return entries.length === found.length
    && sum === foundSum
    && found.every(entry => entries[catalog.indexByName.get(entry.tool.name) ?? -1] === entry)
    && leftOut.length === warnings.length
    && leftOut.every((warning, position) => compareWarnings(warning, warnings[position]!) === 0)
}

/** Whether a declaration is the one that an analysis was made of; no when in doubt. */
function isUnchanged({ tool, description, bareParameters, isFaithful }: Entry, declaration: ReadDeclaration): boolean {
  if (description !== declaration.description) return false
  if (!isObject(declaration.parameters)) return bareParameters === declaration.parameters
  try {
    return isFaithful && sameJson(tool.parameters, declaration.parameters)
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
  let serial = 0

  function entryOf(declaration: ReadDeclaration): Entry {
    const { name, description, parameters } = declaration
    const schema = isObject(parameters) ? parameters : undefined
    const latest = byName.get(name)
    if (latest !== undefined) {
      if (schema !== undefined && bySchema.get(schema) === latest && latest.description === description) return latest
      if (isUnchanged(latest, declaration)) {
        if (schema !== undefined) bySchema.set(schema, latest)
        return latest
      }
    }
    const checked = checkDeclaration(declaration)
    const key = [checked.contentHash, ...checked.reasons].join('\n')
    let entry = byKey.get(key)
    if (entry === undefined) {
      const { tool, reasons } = analyseTool(checked)
      const bareParameters = schema === undefined ? parameters : NO_BARE_PARAMETERS
      const { isFaithful } = checked
      entry = { key, serial: serial += 1, reasons, description, bareParameters, isFaithful, tool: Object.freeze(tool), uses: 0 }
      byKey.set(key, entry)
    }
    byName.set(name, entry)
    if (schema !== undefined) bySchema.set(schema, entry)
    return entry
  }

  /** Most changes leave the names as they are, and with them all that is derived. */
  function deriveFromNames(names: readonly string[], previous: DerivedFromNames | undefined): DerivedFromNames {
    if (previous?.names.length === names.length && names.every((name, index) => name === previous.names[index])) return previous
    return { names, indexByName: new Map(names.map((name, index) => [name, index])), ...assignFamilies(names) }
  }

  /** An entry as a tool of a catalogue; the same object as long as its family is. */
  function toolOf(entry: Entry, family: string | undefined): CatalogTool {
    if (entry.tool.family !== family) entry.tool = Object.freeze({ ...entry.tool, family })
    return entry.tool
  }

  function build(
    declared: readonly ReadDeclaration[], found: readonly Entry[], sum: number, leftOut: readonly CatalogWarning[],
  ): RememberedCatalog {
    const previous = remembered.at(-1)
    const entries = sortEntries(found, previous?.entries ?? [], previous?.byNames.indexByName ?? new Map())
    const byNames = deriveFromNames(entries.map(({ tool }) => tool.name), previous?.byNames)
    const tools = entries.map((entry, index) => toolOf(entry, byNames.primary[index]))
    const places = placesOf(declared, byNames)
    const warnings = [...leftOut, ...entries.flatMap(warningsOf)]
    const revision = revisionOf(tools)
    return { catalog: catalogOf(tools, byNames, revision, warnings), entries, sum, leftOut, byNames, revision, declared, places }
  }

  /** What {@link build} would make of declarations that differ from the latest ones in a few positions. */
  function patch(latest: RememberedCatalog, changed: readonly ChangedDeclaration[]): RememberedCatalog {
    const declared = [...latest.declared]
    const entries = [...latest.entries]
    const tools = [...latest.catalog.tools]
    let { sum } = latest
    for (const { position, declaration } of changed) {
      declared[position] = declaration
      const place = latest.places[position]!
      const entry = entryOf(declaration)
      sum += entry.serial - entries[place]!.serial
      entries[place] = entry
      tools[place] = toolOf(entry, latest.byNames.primary[place])
    }
    const places = changed.map(({ position }) => latest.places[position]!)
    const names = new Set(places.map(place => tools[place]!.name))
    const kept = latest.catalog.warnings.filter(({ tool }) => !names.has(tool))
    const warnings = [...kept, ...places.flatMap(place => warningsOf(entries[place]!))]
    const revision = revisionAfter(latest.revision, tools, places)
    return { ...latest, catalog: catalogOf(tools, latest.byNames, revision, warnings), entries, sum, revision, declared }
  }

  /** Makes a catalogue the latest. */
  function remember(known: RememberedCatalog): Catalog {
    const at = remembered.indexOf(known)
    if (at >= 0) remembered.splice(at, 1)
    else for (const entry of known.entries) entry.uses += 1
    remembered.push(known)
    if (remembered.length > maxCatalogs) forget(remembered.shift()!)
    return known.catalog
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
      for (const candidate of remembered.toReversed()) {
        const changed = candidate.leftOut.length > 0 ? undefined : changedDeclarations(candidate.declared, declarations)
        if (changed?.length === 0) return remember(candidate)
        if (changed === undefined || candidate !== remembered.at(-1) || changed.length > MOST_CHANGES * declarations.length) continue
        const patched = patch(candidate, changed)
        return remember(remembered.find(other => isSame(other, patched)) ?? patched)
      }
      const { usable, warnings } = readDeclarations(declarations)
      const entries = usable.map(entryOf)
      const sum = sumOf(entries)
      const known = remembered.findLast(candidate => isCatalogOf(candidate, entries, sum, warnings))
      if (known === undefined) return remember(build(usable, entries, sum, warnings))
      // The next declarations are most likely these objects, and those of before are let go.
      known.declared = usable
      known.places = placesOf(usable, known.byNames)
      return remember(known)
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
