/**
 * How much each stretch of a query says about the tool that is meant. Argument values and politeness say little: a tool's
 * vocabulary does not contain the file to open.
 * @module
 */

import { isAscii } from '../text/fold.ts'
import { CALENDAR_WORDS, NOISE_PHRASES, NOISE_WORDS } from './data/noise.ts'

/** Weights of argument values by their form; quoted text keeps some, since people also quote what they mean. */
const QUOTED = 0.3
const ADDRESS = 0
const WITH_DIGIT = 0.3
const CALENDAR = 0.5

const noiseWords = new Map<string, number>([
  ...NOISE_WORDS.flatMap(([weight, words]) => words.split(' ').map(word => [word, weight] as const)),
  ...CALENDAR_WORDS.split(' ').map(word => [word, CALENDAR] as const),
])

/**
 * Every repetition is bounded or cannot fail after it began, so that matching is linear in the text. A text without the sign does not
 * meet the pattern.
 */
const VALUE_SPANS: readonly (readonly [sign: RegExp, pattern: RegExp, weight: number])[] = [
  [/["“「『《]/, /"[^"\n]{1,300}"|“[^”\n]{1,300}”|「[^」\n]{1,300}」|『[^』\n]{1,300}』|《[^》\n]{1,300}》/g, QUOTED],
  [/['‘]/, /(?<![\p{L}\p{N}])['‘][^'’\n]{1,300}['’](?![\p{L}\p{N}])/gu, QUOTED],
  [/:\/\/|www\./, /\b(?:https?|ftp|file|s3|git|ssh):\/\/[!-~]+|\bwww\.[!-~]+/g, ADDRESS],
  [/@/, /[\w.%+-]{1,64}@[\w.-]{1,255}/g, ADDRESS],
  [/[/\\]/, /(?<![\w/\\])(?:~|\.{1,2}|[A-Za-z]:)?[/\\][\w.-]{1,100}(?:[/\\][\w.-]{0,100}){0,30}/g, ADDRESS],
]

const NOISE_PHRASE = new RegExp([...NOISE_PHRASES].sort((a, b) => b.length - a.length).join('|'), 'g')

/** Weight of every UTF-16 code unit of a width-folded text, 0..1. */
export function characterWeights(text: string): Float64Array {
  const weights = new Float64Array(text.length).fill(1)
  for (const [sign, pattern, weight] of VALUE_SPANS) if (sign.test(text)) lower(weights, text, pattern, weight)
  if (!isAscii(text)) lower(weights, text, NOISE_PHRASE, 0)
  return weights
}

function lower(weights: Float64Array, text: string, pattern: RegExp, weight: number): void {
  for (const { 0: span, index } of text.matchAll(pattern)) {
    for (let at = index; at < index + span.length; at++) weights[at] = Math.min(weights[at]!, weight)
  }
}

/** Weight of a word by what it is, 0..1. */
export function wordWeight(word: string): number {
  if (isAscii(word) ? /[0-9]/.test(word) : /\p{N}/u.test(word)) return WITH_DIGIT
  return noiseWords.get(word.toLowerCase()) ?? 1
}
