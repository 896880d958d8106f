/**
 * Names as they are asked for to tools: full names in any case, names without their server, other spellings of the same words.
 * A name that several tools have is answered with all of them, never with a guess.
 * @module
 */

import { foldWidth } from '../text/fold.ts'
import type { Catalog, CatalogTool, Family } from './types.ts'

/**
 * How a name was recognised, strongest first: `name` letter for letter, `case` in another case, `leaf` without its server or
 * namespace, `form` as the same letters and digits in another spelling (`createIssue` for `create_issue`).
 */
export const NAME_FORMS = ['name', 'case', 'leaf', 'form'] as const

export type NameForm = (typeof NAME_FORMS)[number]

/** What one asked name means in a catalogue. Tools are indices into `catalog.tools`. */
export type NameResolution =
  | { readonly name: string; readonly outcome: 'found'; readonly tool: number; readonly form: NameForm }
  /** Two or more tools, ascending. */
  | { readonly name: string; readonly outcome: 'ambiguous'; readonly candidates: readonly number[]; readonly form: NameForm }
  | { readonly name: string; readonly outcome: 'unknown' }

interface NameIndex {
  /** For each tool the {@link nameForm} of every way to write its name, each once. */
  readonly forms: readonly (readonly string[])[]
  /** The tools of each form, ascending. */
  readonly byForm: ReadonlyMap<string, number | readonly number[]>
}

/** By `indexByName`, which catalogues share as long as their names are the same. */
const indexes = new WeakMap<Catalog['indexByName'], NameIndex>()

function foldCase(name: string): string {
  return foldWidth(name).toLowerCase()
}

const NON_ASCII = /[^\u0000-\u007f]/ // eslint-disable-line no-control-regex -- the ASCII range is the point

/** Letters and digits of a name in lower case: what camel, snake, kebab, dotted and spaced spellings share. */
export function nameForm(name: string): string {
  const folded = foldCase(name)
  return NON_ASCII.test(folded) ? folded.replace(/[^\p{L}\p{N}\p{M}]+/gu, '') : folded.replace(/[^a-z0-9]+/g, '')
}

/** A name without the namespace that it writes itself: what follows its first `__`, else its last `.`, `/` or `:`. */
function localName(leafName: string): string {
  return /(?:__|[./:])([^./:]+)$/.exec(leafName)?.[1] ?? leafName
}

/** The forms of a tool's name: in full, without server, with server but without `mcp`, without namespace. */
function formsOf({ name, leafName, server }: CatalogTool): string[] {
  const form = nameForm(name)
  if (server === undefined) {
    const local = localName(name)
    return local === name ? [form] : [form, nameForm(local)]
  }
  const leaf = nameForm(leafName)
  return [...new Set([form, leaf, nameForm(server) + leaf, nameForm(localName(leafName))])]
}

function buildNameIndex({ tools }: Catalog): NameIndex {
  const forms = tools.map(formsOf)
  const byForm = new Map<string, number | number[]>()
  for (const [tool, toolForms] of forms.entries()) {
    for (const form of toolForms) {
      const posted = byForm.get(form)
      if (posted === undefined) byForm.set(form, tool)
      else if (typeof posted === 'number') byForm.set(form, [posted, tool])
      else posted.push(tool)
    }
  }
  return { forms, byForm }
}

/** Built at the first question about a catalogue. */
function nameIndexOf(catalog: Catalog): NameIndex {
  let index = indexes.get(catalog.indexByName)
  if (index === undefined) indexes.set(catalog.indexByName, index = buildNameIndex(catalog))
  return index
}

/** The {@link nameForm} of every way to write the name of a tool. */
export function nameFormsOf(catalog: Catalog, tool: number): readonly string[] {
  return nameIndexOf(catalog).forms[tool]!
}

/** How models write a tool that they think of as a function of a module. */
const MODULE_PREFIX = /^(?:functions?|tools?)[.:/]/i

/** The strongest form in which a name written so is a tool's; the two are known to have a form in common. */
function formOf(folded: string, { name, leafName }: CatalogTool): NameForm {
  if (foldCase(name) === folded) return 'case'
  return foldCase(leafName) === folded || foldCase(localName(leafName)) === folded ? 'leaf' : 'form'
}

function lookUp(catalog: Catalog, name: string, within: ReadonlySet<number> | undefined): NameResolution {
  const literal = catalog.indexByName.get(name)
  if (literal !== undefined && (within?.has(literal) ?? true)) return { name, outcome: 'found', tool: literal, form: 'name' }
  const form = nameForm(name)
  // Names of punctuation only have nothing in common.
  const posted = form === '' ? [] : nameIndexOf(catalog).byForm.get(form) ?? []
  const folded = foldCase(name)
  const candidates = (typeof posted === 'number' ? [posted] : posted)
    .filter(tool => within?.has(tool) ?? true)
    .map(tool => ({ tool, form: formOf(folded, catalog.tools[tool]!) }))
  const strongest = NAME_FORMS.find(level => candidates.some(candidate => candidate.form === level))
  if (strongest === undefined) return { name, outcome: 'unknown' }
  const tools = candidates.filter(candidate => candidate.form === strongest).map(({ tool }) => tool)
  const sameCase = tools.filter(tool => catalog.tools[tool]!.leafName === name)
  const [tool, ...others] = sameCase.length === 1 ? sameCase : tools
  return others.length === 0
    ? { name, outcome: 'found', tool: tool!, form: strongest }
    : { name, outcome: 'ambiguous', candidates: tools, form: strongest }
}

/**
 * Finds the tools that a name means, at the strongest form in which any has it.
 * @param name - without quotes and call syntax, see `cleanName`.
 * @param within - the only tools that count, when the query is restricted to some.
 */
export function resolveName(catalog: Catalog, name: string, within?: ReadonlySet<number>): NameResolution {
  const resolution = lookUp(catalog, name, within)
  if (resolution.outcome !== 'unknown' || !MODULE_PREFIX.test(name)) return resolution
  return { ...lookUp(catalog, name.replace(MODULE_PREFIX, ''), within), name }
}

/**
 * Resolves names in the order they were asked for. A phrase that is no name stands for its words when each of them is one:
 * `read write`.
 */
export function resolveNames(catalog: Catalog, names: readonly string[], within?: ReadonlySet<number>): NameResolution[] {
  return names.flatMap((name) => {
    const resolution = resolveName(catalog, name, within)
    if (resolution.outcome !== 'unknown' || !/\s/.test(name)) return [resolution]
    const words = name.split(/\s+/).map(word => resolveName(catalog, word, within))
    return words.every(({ outcome }) => outcome !== 'unknown') ? words : [resolution]
  })
}

/** What the ids of `server:` and `family:` restrict a search to. */
export interface Restriction {
  /** Indices of the tools of every family that was found; `undefined` when none was, or none was asked for. */
  readonly tools: ReadonlySet<number> | undefined
  /** Ids that no family has, as written. */
  readonly unknown: readonly string[]
}

/** Finds families by id, in any case and spelling. */
export function resolveFamilies({ families }: Catalog, ids: readonly string[]): Restriction {
  if (ids.length === 0) return { tools: undefined, unknown: [] }
  const asked = ids.map(nameForm)
  const isCalled = ({ id, aliases = [] }: Family, form: string | undefined): boolean =>
    [id, ...aliases].some(name => nameForm(name) === form)
  const found = families.filter(family => asked.some(form => isCalled(family, form)))
  return {
    tools: found.length === 0 ? undefined : new Set(found.flatMap(({ tools }) => tools)),
    unknown: ids.filter((_, position) => !found.some(family => isCalled(family, asked[position]))),
  }
}
