/**
 * How often the first result is a sibling of the right tool instead of the right tool.
 *
 * A sibling is a tool that is not relevant, and that shares with a relevant one its family (MCP server, or shared name prefix, as the
 * catalogue tells it) or its leaf noun. The leaf noun of a tool is the last word of its leaf name that is no verb of {@link VERBS},
 * without a plural `s`: `get_user`, `delete_users` and `userList` all have `user`.
 * @module
 */

import { buildCatalog } from '../../src/catalog/store.ts'
import type { ToolDeclaration } from '../../src/catalog/types.ts'
import { mean } from '../metrics.ts'
import type { AnsweredQuery } from '../run.ts'

/** What tools are named to do; told apart from what they do it to. */
const VERBS: ReadonlySet<string> = new Set(('add all analyze apply book by calculate cancel check clear close configure convert copy count '
  + 'create deactivate delete describe disable download edit enable estimate evaluate execute export fetch find for from generate get import info '
  + 'insert is list make manage modify move new open post put query read remove rename reset retrieve run save search send set show start stop '
  + 'submit sync to track translate update upload validate verify view with write').split(' '))

/** @returns undefined when the name is nothing but verbs. */
export function leafNoun(leafName: string): string | undefined {
  const words = leafName
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
  const noun = words.findLast(word => word !== '' && !VERBS.has(word))
  return noun !== undefined && noun.length > 3 ? noun.replace(/([^su])s$/, '$1') : noun
}

/** Tells whether two tools of a catalogue are siblings, by name. */
export function createSiblingTest(tools: readonly ToolDeclaration[]): (name: string, other: string) => boolean {
  const { tools: catalogTools, indexByName } = buildCatalog(tools)
  const nouns = catalogTools.map(tool => leafNoun(tool.leafName))
  return (name, other) => {
    const [a, b] = [indexByName.get(name), indexByName.get(other)]
    if (a === undefined || b === undefined) return false
    const family = catalogTools[a]!.family
    return (family !== undefined && family === catalogTools[b]!.family) || (nouns[a] !== undefined && nouns[a] === nouns[b])
  }
}

export function wrongSiblingRate(answers: readonly AnsweredQuery[], areSiblings: (name: string, other: string) => boolean): number {
  return mean(answers.map(({ names: [first], query }) => {
    if (first === undefined || query.relevant.includes(first)) return 0
    return query.relevant.some(name => areSiblings(first, name)) ? 1 : 0
  }))
}
