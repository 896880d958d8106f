/**
 * Texts of a stated size for replayed sessions. Only their size matters; the words are common ones that name no tool.
 * @module
 */

import { createRandom } from '../random.ts'

/** Each is one token with the space before it, in the encoding o200k_base. */
const WORDS = ('the and for that with this from they when then some more than only also very much many such other after before about into '
  + 'over again still often never always perhaps morning evening river garden window letter silver quiet golden early later along beside '
  + 'under above between young round simple clear heavy light water stone paper small large long short cold warm green white brown').split(' ')

/**
 * Words drawn by a seed.
 * @param tokens - about as many as this.
 */
export function proseOf(tokens: number, seed: number): string {
  const random = createRandom(seed)
  return Array.from({ length: tokens }, () => WORDS[Math.floor(random() * WORDS.length)]!).join(' ')
}
