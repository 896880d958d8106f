/**
 * Tools that belong to skills: a successful call of DSH's `skill` tool brings them along.
 * @module
 */

import type { FamilyConfig } from '../config.ts'
import { compilePatterns } from '../patterns.ts'
import type { NamePredicate } from '../patterns.ts'

/** Skill name to tool names, `*` patterns, and `family:<id>` for a configured family or an MCP server. */
export type SkillBindings = Readonly<Record<string, readonly string[]>>

export interface SkillTools {
  /** Tools of these skills, in the order of the skills and then of the names. */
  of(skills: readonly string[], names: Iterable<string>): readonly string[]
}

const FAMILY = 'family:'

/** Compiles the bindings once. */
export function createSkillTools(bindings: SkillBindings, families: readonly FamilyConfig[]): SkillTools {
  const bound = new Map(Object.entries(bindings).map(([skill, entries]): [string, NamePredicate] => {
    const predicates = entries.map(entry => predicateOf(entry, families))
    return [skill, name => predicates.some(predicate => predicate(name))]
  }))
  return {
    of(skills, names) {
      const predicates = skills.flatMap((skill): NamePredicate[] => {
        const predicate = bound.get(skill)
        return predicate === undefined ? [] : [predicate]
      })
      return predicates.length === 0 ? [] : [...new Set(predicates.flatMap(predicate => [...names].filter(predicate)))]
    },
  }
}

function predicateOf(entry: string, families: readonly FamilyConfig[]): NamePredicate {
  if (!entry.startsWith(FAMILY)) return compilePatterns([entry])
  const id = entry.slice(FAMILY.length)
  const family = families.find(candidate => candidate.id === id)
  const includes = compilePatterns(family?.include ?? [`mcp__${id}__*`])
  const excludes = compilePatterns(family?.exclude ?? [])
  return name => includes(name) && !excludes(name)
}
