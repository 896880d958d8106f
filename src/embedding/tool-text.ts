/**
 * What of a tool is embedded.
 * @module
 */

import type { CatalogTool } from '../catalog/types.ts'
import { identifierParts, runsOf } from '../text/words.ts'

/** Longest part of a description that is read, in UTF-16 code units: sentence models read 128 to 512 tokens, and openings say most. */
const DESCRIPTION_CHARS = 800

/** Longest name that is read, in UTF-16 code units. */
const NAME_CHARS = 200

/**
 * `<words of the name>. <description>`. Names are written as words, which models know better than identifiers; parameters are left
 * out: they blur what a tool does, and the lexical channel has them.
 */
export function toolText({ texts, description }: CatalogTool): string {
  const name = texts.name.map(spaced).join(' ')
  const opening = description.slice(0, DESCRIPTION_CHARS).replace(/[\uD800-\uDBFF]$/, '').trim()
  return opening === '' ? name : `${name}. ${opening}`
}

function spaced(identifier: string): string {
  return runsOf(identifier, NAME_CHARS).flatMap(({ text, kind }) => kind === 'word' ? identifierParts(text) : [text]).join(' ')
}
