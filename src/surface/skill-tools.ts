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
  const bound = new Map(Object.entries(bindings)
    .map(([skill, entries]) => [skill, compilePatterns(entries.flatMap(entry => patternsOf(entry, families)))]))
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

function patternsOf(entry: string, families: readonly FamilyConfig[]): readonly string[] {
  if (!entry.startsWith(FAMILY)) return [entry]
  const id = entry.slice(FAMILY.length)
  return families.find(family => family.id === id)?.include ?? [`mcp__${id}__*`]
}
