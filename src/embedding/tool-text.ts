/**
 * What of a tool is embedded: what it says it does, and what it is called with.
 * @module
 */

import type { CatalogTool } from '../catalog/types.ts'
import { identifierParts, runsOf } from '../text/words.ts'
import { lengthOf, storeVector } from '../vectors/vector-rows.ts'
import type { StoredVector } from '../vectors/vector-rows.ts'

/** Longest part of a description that is read, in UTF-16 code units: sentence models read 128 to 512 tokens, and openings say most. */
const DESCRIPTION_CHARS = 800

/** Longest name that is read, in UTF-16 code units. */
const NAME_CHARS = 200

/** Parameters that are read, in the order of the catalogue. */
const MOST_PARAMETERS = 12

/**
 * What the second text weighs beside the first. In one text with the description, names of parameters help tools of few parameters and
 * drown the description of others (−8 to +3 points of Recall@8 by set); as a vector of their own they help nearly all (−.8 to +6).
 */
const CALL_WEIGHT = 0.5

/**
 * `<name>. <description>` and, when there are parameters, `<name>: <parameters>`. Names are written as words, which models know better
 * than identifiers.
 */
export function toolTexts({ texts, description }: CatalogTool): readonly string[] {
  const name = texts.name.map(spaced).join(' ')
  const opening = description.slice(0, DESCRIPTION_CHARS).replace(/[\uD800-\uDBFF]$/, '').trim()
  const parameters = [...new Set(texts.parameterName.map(spaced))].slice(0, MOST_PARAMETERS)
  return [
    opening === '' ? name : `${name}. ${opening}`,
    ...parameters.length === 0 ? [] : [`${name}: ${parameters.join(', ')}`],
  ]
}

function spaced(identifier: string): string {
  return runsOf(identifier, NAME_CHARS).flatMap(({ text, kind }) => kind === 'word' ? identifierParts(text) : [text]).join(' ')
}

/** The vector of a tool: the weighted sum of its texts' directions. */
export function toolVector([first, second]: readonly StoredVector[]): StoredVector {
  if (second === undefined) return first!
  const scale = CALL_WEIGHT * lengthOf(first!) / lengthOf(second)
  const sum = new Float32Array(first!.length)
  for (let at = 0; at < sum.length; at++) sum[at] = first![at]! + scale * second[at]!
  // Opposite directions of just these lengths leave nothing; the first text then speaks alone.
  return sum.every(value => value === 0) ? first! : storeVector(sum)
}
