/**
 * What one request shows: pure functions from the full assembly to the visible one.
 * @module
 */

import type { PromptAssembly } from '@deepseek-ai/dsh-system-prompt'
import { PROGRAM_TOOL } from '../host.ts'
import type { NamePredicate } from '../patterns.ts'
import { DISPATCH_TOOL, SEARCH_TOOL } from '../tools/contract.ts'
import { isSurfaceTool } from './surface-tools.ts'

/** What decides whether a tool is shown. */
export interface Visibility {
  readonly isAlwaysVisible: NamePredicate
  readonly isNever: NamePredicate
  /** Selected names in order of selection. */
  readonly selected: readonly string[]
}

/** Every tool of an agent, sorted by what becomes of it. */
export interface Partition {
  /** Shown tools, in the order of their first appearance. */
  readonly shown: readonly string[]
  /** Tools that a search can load; `tool_search` is shown when there is one, or was one. */
  readonly deferred: ReadonlySet<string>
  /** Tools that are neither shown nor searchable. */
  readonly never: ReadonlySet<string>
}

/**
 * Sorts an agent's tools into shown, deferred and never. `neverSearch` wins over everything; the search tool and the program tool
 * can't be hidden by configuration, and the search is left out when there is nothing that it could ever load.
 * @param names - the agent's tools, in DSH's order.
 */
export function partition(names: readonly string[], visibility: Visibility): Partition {
  const present = new Set(names)
  const always = names.filter(name => !isSurfaceTool(name) && !visibility.isNever(name) && visibility.isAlwaysVisible(name))
  const alwaysSet = new Set(always)
  const selected = visibility.selected.filter(name => present.has(name) && !isSurfaceTool(name)
    && !alwaysSet.has(name) && !visibility.isNever(name))
  const selectedSet = new Set(selected)
  const never = new Set(names.filter(name => !isSurfaceTool(name) && visibility.isNever(name)))
  const deferred = new Set(names.filter(name => !isSurfaceTool(name) && !alwaysSet.has(name) && !selectedSet.has(name) && !never.has(name)))
  const searchable = deferred.size > 0 || selected.length > 0
  return {
    shown: [
      ...names.filter(name => name === PROGRAM_TOOL),
      ...always,
      ...searchable ? [SEARCH_TOOL, DISPATCH_TOOL].filter(name => present.has(name)) : [],
      ...selected,
    ],
    deferred,
    never,
  }
}

/**
 * Puts shown tools into wire order: what the previous request sent keeps its order, the rest follows. So nothing that was sent ever moves
 * and the provider's prefix cache holds up to the first new tool.
 * @param previous - tool names of the previous request, in order; empty for the first one.
 */
export function wireOrder(shown: readonly string[], previous: readonly string[]): readonly string[] {
  const remaining = new Set(shown)
  const kept = previous.filter(name => remaining.delete(name))
  return [...kept, ...shown.filter(name => remaining.has(name))]
}

/** Narrows an assembly's tools to the given names, in their order; names the assembly lacks are hidden by someone else and stay so. */
export function projectTools(tools: PromptAssembly['tools'], order: readonly string[]): PromptAssembly['tools'] {
  const place = new Map(order.map((name, index) => [name, index]))
  return tools.filter(tool => place.has(tool.name)).sort((a, b) => place.get(a.name)! - place.get(b.name)!)
}

/** Drops the guidance sections (`tool:<name>`) of tools that are not shown. */
export function projectSections(sections: PromptAssembly['sections'], isHidden: NamePredicate): PromptAssembly['sections'] {
  return sections.filter(section => !section.name.startsWith('tool:') || !isHidden(section.name.slice('tool:'.length)))
}
