/**
 * Families: which tools come from one place, so that a query can be restricted to it and a catalogue can be described by it.
 * @module
 */

import { compilePatterns } from '../surface/patterns.ts'
import { identifierParts, runsOf } from '../text/words.ts'
import { compareCodeUnits } from './json.ts'
import { splitToolName } from './tool-name.ts'
import type { Family } from './types.ts'

/** A family that the configuration declares. */
export interface FamilyDeclaration {
  readonly id: string
  /** Tool names, `*` for any run of characters. */
  readonly include: readonly string[]
}

/** Fewer tools with one prefix are a coincidence of naming, not a family. */
const MIN_PREFIX_FAMILY = 3

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

/** Identifier words of a name in lower case: what comes before `__` is one word, since that is how namespaces are written. */
function prefixWords(name: string): readonly string[] {
  const namespace = /^(.+?)__(?=.)/s.exec(name)
  const words = runsOf(namespace === null ? name : name.slice(namespace[0].length), name.length)
    .flatMap(run => run.kind === 'word' ? identifierParts(run.text) : [run.text])
    .map(word => word.toLowerCase())
  return namespace === null ? words : [namespace[1]!.toLowerCase(), ...words]
}

/** The longest run of words that all of a group begin with, leaving each at least one word of its own. */
function sharedWords(group: readonly (readonly string[])[]): string[] {
  const [first, ...others] = group as [readonly string[], ...(readonly string[])[]]
  const longest = Math.min(...group.map(words => words.length - 1))
  const shared: string[] = []
  while (shared.length < longest && others.every(words => words[shared.length] === first[shared.length])) shared.push(first[shared.length]!)
  return shared
}

/** Families by shared prefix of the tools that have no other: index lists by id. */
function prefixFamilies(names: readonly string[], candidates: readonly number[]): Map<string, number[]> {
  const groups = new Map<string, { readonly tools: number[]; readonly words: (readonly string[])[] }>()
  for (const tool of candidates) {
    const words = prefixWords(names[tool]!)
    const [first] = words
    if (words.length < 2 || first === undefined || first.length < 2 || GENERIC_FIRST_WORDS.has(first)) continue
    const group = groups.get(first) ?? { tools: [], words: [] }
    groups.set(first, group)
    group.tools.push(tool)
    group.words.push(words)
  }
  const families = new Map<string, number[]>()
  for (const { tools, words } of groups.values()) {
    if (tools.length >= MIN_PREFIX_FAMILY) families.set(sharedWords(words).join('_'), tools)
  }
  return families
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
  const configured = declared.map(({ id, include }) => ({ id, includes: compilePatterns(include) }))
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
    const remaining = [...names.keys()].filter(tool => primary[tool] === undefined)
    for (const [id, tools] of prefixFamilies(names, remaining)) for (const tool of tools) join(id, 'prefix', tool)
    return {
      families: [...families.values()]
        .map(family => Object.freeze({ ...family, tools: Object.freeze([...family.tools].sort((left, right) => left - right)) }))
        .sort((left, right) => compareCodeUnits(left.id, right.id)),
      primary,
    }
  }
}
