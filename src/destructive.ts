/**
 * Whether a tool's name says that it does what cannot be taken back.
 * @module
 */

import { foldMarks } from './text/fold.ts'
import { identifierParts, runsOf } from './text/words.ts'

const DESTRUCTIVE_VERBS = new Set([
  'cancel', 'clear', 'delete', 'destroy', 'drop', 'erase', 'kill', 'purge', 'remove', 'reset', 'revoke', 'terminate', 'truncate',
  'uninstall', 'wipe',
])

/** @param name - a tool's name without its server. */
export function isDestructive(name: string): boolean {
  const parts = runsOf(name, name.length).flatMap(({ text }) => identifierParts(foldMarks(text)))
  return parts.some(part => DESTRUCTIVE_VERBS.has(part.toLowerCase()))
}
