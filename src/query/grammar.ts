/**
 * The query grammar: `select:a,b`, bare names, `server:id` and `family:id`, `+word`. It is read from the query's form alone,
 * without a catalogue; whatever is not clearly grammar is natural language. Every pattern is linear in the query's length.
 * @module
 */

import { foldWidth } from '../text/fold.ts'
import { cleanName, isIdentifierLike, listParts, unwrap } from './name-list.ts'

/** A query with its grammar read. */
export interface ParsedQuery {
  /** `select` only where the query says `select:`. */
  readonly kind: 'select' | 'natural'
  /**
   * Names asked for, cleaned of quotes and call syntax, in order, each once. For a natural query: filled when the query is by
   * its form nothing but names; whether they are names only the catalogue can say.
   */
  readonly names: readonly string[]
  /** Ids of `server:` and `family:`, as written. */
  readonly families: readonly string[]
  /** Words of `+word`, as written; they stay in `text`. */
  readonly required: readonly string[]
  /** The query with its grammar removed, full-width characters folded. */
  readonly text: string
}

/** Longest id, word or phrase of the grammar; bounds what a quote that is never closed can cost. */
const LONGEST_OPERAND = 128

const QUOTED = [['"', '"'], ["'", "'"], ['`', '`'], ['“', '”'], ['「', '」']]
  .map(([open, close]) => String.raw`${open}([^${close}\n]{1,${LONGEST_OPERAND}})${close}`)

/** The quoted forms and the bare one. */
const OPERAND_GROUPS = QUOTED.length + 1

/** Where an operator may begin: not inside a word, a URL, an address or a sum (`C++`, `1+1`, `http://server:80`). */
const OPERATOR_START = String.raw`(?<![A-Za-z0-9_./:@+\-])`

/** Where a bare operand ends: not before what makes it an address, a call or a formula. Han may follow without a space. */
const OPERAND_END = String.raw`(?![A-Za-z0-9_:/@=+*(\\])`

/** An operator, quoted operands or a bare one of one of the given forms. */
function operatorPattern(operator: string, flags: string, ...bare: readonly string[]): RegExp {
  return new RegExp(`${OPERATOR_START}${operator}(?:${QUOTED.join('|')}|((?:${bare.join('|')})${OPERAND_END}))`, flags)
}

const ID = String.raw`[A-Za-z0-9_][A-Za-z0-9_.-]{0,${LONGEST_OPERAND}}`

/** `server:github`, `family:a,b`, `server:"my server"`. */
const RESTRICTION = operatorPattern('(?:server|family):', 'giu', `${ID}(?:,${ID})*`, String.raw`(?![A-Za-z0-9_])\p{L}[\p{L}\p{N}_-]{0,${LONGEST_OPERAND}}`)

/** `+word`, `+"two words"`. One Latin letter is algebra, a digit a number or a telephone. */
const REQUIRED = operatorPattern(String.raw`\+`, 'gu', String.raw`[A-Za-z_][A-Za-z0-9_-]{1,${LONGEST_OPERAND}}`,
  String.raw`(?![A-Za-z])\p{L}[\p{L}\p{N}_-]{0,${LONGEST_OPERAND}}`)

/** Words between names: `a and b`. */
const CONJUNCTION = /^(?:and|or|&|\+|和|与|與|及|以及|或|と|や|및|와|과)$/i

/**
 * A name as registries write it, `.`, `:` and `/` for namespaces. Not in scripts that are written without spaces, where a sentence
 * looks the same; names in those are found as quoted or as whole queries.
 */
const NAME = /^(?!.*[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}])[\p{L}\p{N}_](?:[\p{L}\p{N}\p{M}_.:/-]*[\p{L}\p{N}\p{M}_])?$/u

/** The names a query consists of, none unless it is by its form nothing but names. */
function bareNames(text: string): readonly string[] {
  const names = new Set<string>()
  let isFirst = true
  let listed = true
  let identifiers = true
  for (const part of listParts(unwrap(text))) {
    if (CONJUNCTION.test(part.text)) continue
    listed &&= isFirst || part.afterComma
    isFirst = false
    const name = cleanName(part.text)
    if (name === '') continue
    names.add(name)
    identifiers &&= isIdentifierLike(name)
    // Most texts are sentences, which this tells at their second word.
    if (!listed && !identifiers) return []
  }
  return [...names].every(name => NAME.test(name) && !name.includes('//')) ? [...names] : []
}

/** Names cleaned, each once. */
function cleanNames(written: readonly string[]): string[] {
  return [...new Set(written.map(cleanName).filter(Boolean))]
}

/**
 * The names that follow `select:`. Plain words without a comma stay together: they are the spaced form of one name more often
 * than several names, and the catalogue can tell.
 */
function selectedNames(list: string): readonly string[] {
  const items: string[] = []
  for (const { text, afterComma } of listParts(list)) {
    if (CONJUNCTION.test(text)) continue
    const previous = items.at(-1)
    if (previous === undefined || afterComma || isIdentifierLike(text) || isIdentifierLike(previous)) items.push(text)
    else items[items.length - 1] = `${previous} ${text}`
  }
  return cleanNames(items)
}

/** Reads the grammar of a query. Never throws; any text is at least natural language. */
export function parseQuery(query: string): ParsedQuery {
  const families: string[] = []
  const required: string[] = []
  const unrestricted = replaceAfter(':', foldWidth(query), RESTRICTION, (written, groups) => {
    const ids = cleanNames(operandOf(groups).split(','))
    // `server:8080` is a port.
    if (!ids.every(id => /\p{L}/u.test(id))) return written
    families.push(...ids)
    return ' '
  })
  const text = replaceAfter('+', unrestricted, REQUIRED, (_written, groups) => {
    required.push(operandOf(groups).trim())
    return operandOf(groups)
  }).trim()
  const unwrapped = unwrap(text)
  const select = /^select\s?:(\s*)/i.exec(unwrapped)
  if (select !== null) {
    const names = selectedNames(unwrap(unwrapped.slice(select[0].length)))
    // `select: all rows of a table` is a sentence.
    const sentence = select[1] !== '' && names.length === 1 && names[0]!.split(' ').length > 3
    if (!sentence) return { kind: 'select', names, families, required, text: names.join(' ') }
  }
  return { kind: 'natural', names: bareNames(text), families, required, text }
}

/** Replaces what a pattern with a certain sign finds; a text without the sign, as most are, does not meet the pattern. */
function replaceAfter(
  sign: string, text: string, pattern: RegExp, replacement: (written: string, groups: readonly (string | undefined)[]) => string,
): string {
  if (!text.includes(sign)) return text
  return text.replace(pattern, (written: string, ...groups: (string | undefined)[]) => replacement(written, groups))
}

/** What stands after an operator: the one group of {@link OPERAND_GROUPS} that matched. */
function operandOf(groups: readonly (string | undefined)[]): string {
  return groups.slice(0, OPERAND_GROUPS).find(group => group !== undefined) ?? ''
}
