/**
 * What of a tool is embedded.
 * @module
 */

import type { CatalogTool } from '../catalog/types.ts'
import { identifierParts, runsOf } from '../text/words.ts'

/** Longest part of a description that is read, in UTF-16 code units: sentence models read 128 to 512 tokens, and openings say most. */
const DESCRIPTION_CHARS = 600

/** Longest name that is read, in UTF-16 code units. */
const NAME_CHARS = 200

/** Parameters that are read: those that come first in code-unit order, as everywhere in the catalogue. */
const MOST_PARAMETERS = 12

/**
 * `<words of the name>. <description> <words of the parameters' names>`. Names are written as words, which models know better than
 * identifiers. Names of parameters say what a tool works on where its description is a line; their descriptions would crowd it out.
 */
export function toolText({ texts, description }: CatalogTool): string {
  const name = texts.name.map(spaced).join(' ')
  const opening = description.slice(0, DESCRIPTION_CHARS).replace(/[\uD800-\uDBFF]$/, '').trim()
  const parameters = [...new Set(texts.parameterName.map(spaced))].slice(0, MOST_PARAMETERS).join(', ')
  const content = [opening, parameters].filter(part => part !== '').join(' ')
  return content === '' ? name : `${name}. ${content}`
}

function spaced(identifier: string): string {
  return runsOf(identifier, NAME_CHARS).flatMap(({ text, kind }) => kind === 'word' ? identifierParts(text) : [text]).join(' ')
}
