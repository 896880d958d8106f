/**
 * Finds what a model meant as JSON in what it wrote: lenient, since nothing found here is believed before `parse.ts` has checked it.
 * @module
 */

import { jsonrepair } from 'jsonrepair'
import { foldWidth } from '../text/fold.ts'

/** Objects and lists that are looked at, from the last: the answer follows its drafts. */
const MOST_SPANS = 8

const REASONING = String.raw`think(?:ing)?|thought|reasoning|reflection|analysis|scratchpad`

/** A model's reasoning in tags, and its end where the beginning was swallowed by the chat template. */
const REASONING_BLOCK = new RegExp(String.raw`<(${REASONING})>[\s\S]*?</\1>`, 'gi')
const REASONING_BEFORE = new RegExp(String.raw`^[\s\S]*</(?:${REASONING})>`, 'i')

/** Tokens of chat templates that leak into text, such as `<|im_end|>`. */
const TEMPLATE_TOKEN = /<[|｜][^|｜<>\n]{1,40}[|｜]>/g

const ENTITIES: readonly (readonly [RegExp, string])[] = [[/&quot;|&#34;|&ldquo;|&rdquo;/g, '"'], [/&#39;|&apos;/g, "'"], [/&amp;/g, '&']]

/** What a model wrote, without its reasoning and without what belongs to its chat template. */
export function answerText(text: string): string {
  return ENTITIES.reduce((answer, [entity, character]) => answer.replace(entity, character), text
    .replace(/^\uFEFF/, '')
    .replace(REASONING_BLOCK, '\n')
    .replace(REASONING_BEFORE, '')
    .replace(TEMPLATE_TOKEN, '\n')).trim()
}

/** A value that may be the answer. */
export interface Candidate {
  readonly value: unknown
  /** The text around it says that it stands for itself: it is the whole answer, fenced, or quoted. */
  readonly standsAlone: boolean
}

/** Everything in an answer that may be a value, the most likely first. */
export function* candidates(answer: string): Generator<Candidate> {
  for (const text of new Set([answer, foldWidth(answer)])) {
    for (const fenced of fences(text)) yield* read(fenced)
    yield* read(text)
  }
}

/** The contents of code fences, the last first; a fence that is not closed ends with the text. */
function fences(text: string): string[] {
  return [...text.matchAll(/(```|~~~)[^\n`~{["]*\n?([\s\S]*?)(?:\1|$)/g)]
    .map(([, , content]) => content!.trim()).filter(content => content !== '').reverse().slice(0, MOST_SPANS)
}

/** Strings beside each other, the last one closed: a repair would close one that was cut, and half a query is no query. */
const ONLY_STRINGS = /^["'`“(][\s\S]*["'`”)],?$/

function* read(text: string): Generator<Candidate> {
  yield* found(parseJson(text) ?? parseLines(text), true)
  if (ONLY_STRINGS.test(text)) yield* found(repairJson(text), true)
  for (const span of spans(text)) yield* found(parseJson(span) ?? repairJson(span), span === text || /^\[\s*["'`“]/.test(span))
}

function* found(value: unknown, standsAlone: boolean): Generator<Candidate> {
  if (value !== undefined) yield { value, standsAlone }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Several values, one a line. */
function parseLines(text: string): unknown {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  const values = lines.length < 2 ? [] : lines.map(parseJson)
  return values.length > 0 && values.every(value => value !== undefined) ? values : undefined
}

/** Slips that the repair takes for text: `=` and `=>` for `:`, `;` for `,`, a comma too many, round brackets for square ones. */
const RESPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/(["'`\w])\s*=>?\s*(?=[["'`])/g, '$1: '],
  [/(["'`])\s*;\s*(?=["'`])/g, '$1, '],
  [/(["'`])\s*,(?:\s*,)+/g, '$1,'],
  [/([:=]\s*)\((\s*["'`][\s\S]*?["'`]\s*,?\s*)\)/g, '$1[$2]'],
]

function repairJson(text: string): unknown {
  try {
    return JSON.parse(jsonrepair(RESPELLINGS.reduce((spelled, [slip, right]) => spelled.replace(slip, right), text)))
  } catch {
    // Nothing that a repair can mend; a thousand open brackets end it with a stack overflow.
    return undefined
  }
}

/** Outermost objects and lists in a text, the last first. One that the text's end has cut ends behind its last complete string. */
function spans(text: string): string[] {
  const outermost: string[] = []
  let depth = 0
  let start = 0
  let lastString = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (depth > 0 && isQuoteStart(text, at)) {
      const end = stringEnd(text, at)
      if (end === undefined) break
      lastString = at = end
    } else if (character === '{' || character === '[') {
      if (depth === 0) start = lastString = at
      depth += 1
    } else if ((character === '}' || character === ']') && depth > 0) {
      depth -= 1
      if (depth === 0) outermost.push(text.slice(start, at + 1))
    }
  }
  if (depth > 0) {
    // A quote that was never closed hides the brackets behind it; what they enclose is looked at first, the cut text then.
    const closing = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'))
    outermost.push(text.slice(start, lastString + 1))
    if (closing > lastString) outermost.push(text.slice(start, closing + 1))
  }
  return outermost.reverse().slice(0, MOST_SPANS)
}

const CLOSING: Readonly<Record<string, string>> = { '"': '"', "'": "'", '`': '`', '“': '”' }

/** An apostrophe inside a word begins no string. */
function isQuoteStart(text: string, at: number): boolean {
  const character = text[at]!
  return Object.hasOwn(CLOSING, character) && (character !== "'" || /[\s[{:,(]/.test(text[at - 1] ?? ' '))
}

/** @returns where a string ends; undefined when the text ends before. An apostrophe ends one only where something follows that can. */
function stringEnd(text: string, start: number): number | undefined {
  const closing = CLOSING[text[start]!]!
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at += 1
    else if (text[at] === closing && (closing !== "'" || /^\s*(?:[,:\]})]|$)/.test(text.slice(at + 1, at + 20)))) return at
  }
  return undefined
}
