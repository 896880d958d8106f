/**
 * Families: which tools come from one place, so that a query can be restricted to it and a catalogue can be described by it.
 * @module
 */

import { compilePatterns } from '../patterns.ts'
import { identifierParts, runsOf } from '../text/words.ts'
import { compareCodeUnits } from './json.ts'
import { splitToolName } from './tool-name.ts'
import type { Family } from './types.ts'

/** A family that the configuration declares. */
export interface FamilyDeclaration {
  readonly id: string
  /** What its tools are for, for a person or a model that reads a listing. */
  readonly description?: string | undefined
  /** Other ids that a query may use. */
  readonly aliases?: readonly string[] | undefined
  /** Tool names, `*` for any run of characters. */
  readonly include: readonly string[]
  /** Names and patterns that `include` covers and the family does not have. */
  readonly exclude?: readonly string[] | undefined
}

/** Fewer tools with one prefix are a coincidence of naming, not a family. */
const MIN_PREFIX_FAMILY = 3

/** Prefixes remembered before the memory is emptied: a registry change asks again for all names but a few. */
const MAX_REMEMBERED = 50_000

/**
 * First words that say what a tool does, or nothing, and never where it comes from: `get_user` and `get_weather` are no family.
 * Written from general knowledge of API naming: the CRUD verbs and their usual synonyms, HTTP methods, and empty openers.
 */
const GENERIC_FIRST_WORDS = new Set(`
  add analyze apply approve archive assign attach authenticate book build calculate cancel change check clear close compare complete
  compute configure confirm connect convert copy count create deactivate delete deploy describe detect disable disconnect download edit
  enable estimate evaluate execute export extract fetch fill filter find fork format generate get give go handle identify import
  initialize insert install invite join launch list load lock login logout look lookup make manage mark match merge modify monitor move
  open optimize order parse patch pause perform place plan play post predict preview process provide publish purchase push put query
  quick read recommend record register reject remove rename render replace reply report request reserve reset resolve restart restore
  resume retrieve return review run save scan schedule search select send set share show simple sort start stop submit subscribe suggest
  summarize switch sync test toggle track transfer transform translate trigger turn unlock unsubscribe update upgrade upload use validate
  verify view visualize wait watch write
  advanced all basic batch bulk current custom global is local my new online smart the this to top user
  head options do can has
`.trim().split(/\s+/))

/** Id of the server that a tool name says, `undefined` for a name that says none. */
export function familyIdOf(name: string): string | undefined {
  return splitToolName(name).server
}

/**
 * The prefix that may tie a name to others, in lower case: what comes before `__`, which is how namespaces are written, else the
 * first identifier word unless that is generic; `undefined` when nothing would be left of the name.
 */
function prefixOf(name: string): string | undefined {
  const namespace = /^(.+?)__./s.exec(name)?.[1]
  if (namespace !== undefined) return namespace.toLowerCase()
  const [first, second] = runsOf(name, name.length).flatMap(run => run.kind === 'word' ? identifierParts(run.text) : [run.text])
  const prefix = first?.toLowerCase()
  return prefix === undefined || second === undefined || prefix.length < 2 || GENERIC_FIRST_WORDS.has(prefix) ? undefined : prefix
}

/** The families of a catalogue, and for each tool the id of the one it is shown under. */
export interface FamilyAssignment {
  readonly families: readonly Family[]
  readonly primary: readonly (string | undefined)[]
}

/**
 * Assigns families: the server that a name says, then what is configured, then a prefix that at least
 * {@link MIN_PREFIX_FAMILY} of the remaining tools share. A configured family holds every tool it names, those of servers too.
 * Depends on the set of names only.
 * @param names - tool names in catalogue order.
 */
export function createFamilyAssigner(declared: readonly FamilyDeclaration[]): (names: readonly string[]) => FamilyAssignment {
  const configured = declared.map(({ id, include, exclude = [] }) => {
    const includes = compilePatterns(include)
    const excludes = compilePatterns(exclude)
    return { id, includes: (name: string) => includes(name) && !excludes(name) }
  })
  const words = new Map(declared.map(({ id, description, aliases }) => [id.toLowerCase(), {
    ...description === undefined ? {} : { description },
    ...aliases === undefined ? {} : { aliases: Object.freeze([...aliases]) },
  }]))
  const prefixes = new Map<string, string | undefined>()

  function rememberedPrefix(name: string): string | undefined {
    if (prefixes.has(name)) return prefixes.get(name)
    if (prefixes.size >= MAX_REMEMBERED) prefixes.clear()
    const prefix = prefixOf(name)
    prefixes.set(name, prefix)
    return prefix
  }

  return (names) => {
    const families = new Map<string, { readonly id: string; readonly origin: Family['origin']; readonly tools: Set<number> }>()
    const primary = Array.from<string | undefined>({ length: names.length })

    function join(id: string, origin: Family['origin'], tool: number): void {
      // Ids are compared without case, as a query writes them.
      const key = id.toLowerCase()
      const family = families.get(key) ?? { id, origin, tools: new Set() }
      families.set(key, family)
      family.tools.add(tool)
      primary[tool] ??= family.id
    }

    names.forEach((name, tool) => {
      const server = familyIdOf(name)
      if (server !== undefined) join(server, 'server', tool)
    })
    for (const { id, includes } of configured) {
      names.forEach((name, tool) => {
        if (includes(name)) join(id, 'configured', tool)
      })
    }
    const byPrefix = new Map<string, number[]>()
    names.forEach((name, tool) => {
      const prefix = primary[tool] === undefined ? rememberedPrefix(name) : undefined
      if (prefix === undefined) return
      const tools = byPrefix.get(prefix)
      if (tools === undefined) byPrefix.set(prefix, [tool])
      else tools.push(tool)
    })
    for (const [prefix, tools] of byPrefix) {
      if (tools.length >= MIN_PREFIX_FAMILY) for (const tool of tools) join(prefix, 'prefix', tool)
    }
    return {
      families: Object.freeze([...families.values()]
        .map(family => Object.freeze({
          ...family,
          ...words.get(family.id.toLowerCase()),
          tools: Object.freeze([...family.tools].sort((left, right) => left - right)),
        }))
        .sort((left, right) => compareCodeUnits(left.id, right.id))),
      primary,
    }
  }
}
