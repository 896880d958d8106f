/**
 * Names as people and models write them in a query: quoted, in brackets, as calls, in lists.
 * @module
 */

import { isAscii } from '../text/fold.ts'

const OPENING = '`"\'“‘„«「『《〈【（([{<*'
const CLOSING = '`"\'”’“»」』》〉】）)]}>*'
const BRACKETS = '([{（【'

/** Punctuation around a name that is no part of it. */
const AROUND = new Set(`${OPENING}${CLOSING}.,;:!?。，、；：！？…`)

const SPACE = /\s/
const COMMA = /[,;、。，；\n]/

/**
 * Whether a word is written as identifiers are and words are not: with `_`, an inner capital (but `URLs` is a word), a letter
 * beside a digit, or an inner `-` or `.`.
 */
export function isIdentifierLike(word: string): boolean {
  if (isAscii(word)) return /_|[a-z][A-Z]|[A-Z]{2}[a-z]{2}|[A-Za-z0-9][-.][A-Za-z0-9]|[A-Za-z][0-9]|[0-9][A-Za-z]/.test(word)
  return /_|\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}\p{Ll}|[\p{L}\p{N}][-.][\p{L}\p{N}]|\p{L}\p{N}|\p{N}\p{L}/u.test(word)
}

/** A name without quotes, brackets and punctuation around it and without call syntax: `` `create_issue(title)`. `` */
export function cleanName(written: string): string {
  let start = 0
  let end = written.length
  while (start < end && AROUND.has(written[start]!)) start += 1
  const call = written.indexOf('(', start)
  if (call >= 0) end = call
  while (end > start && AROUND.has(written[end - 1]!)) end -= 1
  return written.slice(start, end).trim()
}

/** A text without the quotes or brackets that enclose the whole of it. */
export function unwrap(text: string): string {
  let inner = text.trim()
  while (inner.length > 1) {
    const pair = OPENING.indexOf(inner[0]!)
    if (pair < 0 || inner.at(-1) !== CLOSING[pair]) break
    const content = inner.slice(1, -1)
    // `"a" and "b"` is not enclosed by its first and last quote.
    if (content.includes(OPENING[pair]!) || content.includes(CLOSING[pair]!)) break
    inner = content.trim()
  }
  return inner
}

/** A part of a list. */
export interface ListPart {
  readonly text: string
  /** Whether a comma, and not only a space, set it apart from the part before. */
  readonly afterComma: boolean
}

/** Most of every text, and never a border. */
function isAsciiAlphanumeric(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || (unit >= 48 && unit <= 57)
}

/** Splits a list at commas and spaces that are neither in brackets nor in quotes, as far as it is read. Linear. */
export function* listParts(text: string): Generator<ListPart> {
  let depth = 0
  let closing: string | undefined
  let start = 0
  let afterComma = false
  for (let at = 0; at <= text.length; at += 1) {
    if (at < text.length && isAsciiAlphanumeric(text.charCodeAt(at))) continue
    const character = text[at] ?? ''
    const isBorder = closing === undefined && depth === 0 && (SPACE.test(character) || COMMA.test(character))
    if (isBorder || at === text.length) {
      if (at > start) {
        yield { text: text.slice(start, at), afterComma }
        afterComma = false
      }
      start = at + 1
      afterComma ||= COMMA.test(character)
    } else if (closing !== undefined) {
      if (character === closing) closing = undefined
    } else if (BRACKETS.includes(character)) {
      depth += 1
    } else if (depth > 0) {
      if (CLOSING[OPENING.indexOf(character)] === undefined && CLOSING.includes(character)) depth -= 1
    } else if (at === start && OPENING.includes(character)) {
      closing = CLOSING[OPENING.indexOf(character)]
    }
  }
}
