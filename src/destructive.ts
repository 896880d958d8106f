/**
 * Whether a tool's name says that it does what cannot be taken back.
 * @module
 */

import type { CatalogTool } from './catalog/types.ts'
import { foldMarks } from './text/fold.ts'
import { identifierParts, runsOf } from './text/words.ts'
import { weakMemo } from './weak-memo.ts'

const DESTRUCTIVE_VERBS = new Set([
  'cancel', 'clear', 'delete', 'destroy', 'drop', 'erase', 'kill', 'purge', 'remove', 'reset', 'revoke', 'terminate', 'truncate',
  'uninstall', 'wipe',
])

/** Asked often and of few tools: every tie of a fusion asks. */
export const isDestructive = weakMemo((tool: CatalogTool) => hasDestructiveVerb(tool.leafName))

/** @param name - a tool's name without its server. */
function hasDestructiveVerb(name: string): boolean {
  const parts = runsOf(name, name.length).flatMap(({ text }) => identifierParts(foldMarks(text)))
  return parts.some(part => DESTRUCTIVE_VERBS.has(part.toLowerCase()))
}
