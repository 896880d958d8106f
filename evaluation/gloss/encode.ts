/**
 * Writes the word list in the layout that `src/gloss/dictionary.ts` describes and reads.
 * @module
 */

import { brotliCompressSync, constants } from 'node:zlib'

import { LONGEST_WORD } from '../../src/gloss/dictionary.ts'

/** One word of the list, in the form in which queries are looked up: every traditional character folded. */
export interface ListedWord {
  readonly word: string
  readonly glosses: readonly string[]
  /** 0..RAREST. */
  readonly rarity: number
}

export interface WordList {
  readonly words: readonly ListedWord[]
  /** Traditional to simplified character. */
  readonly folds: ReadonlyMap<string, string>
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** @returns the same bytes for the same list in any order, as far as one version of brotli goes. */
export function encodeWordList({ words, folds }: WordList): Buffer {
  const ofLength = Array.from({ length: LONGEST_WORD }, (_, shorter) =>
    words.filter(({ word }) => word.length === shorter + 1).sort((a, b) => byCodeUnits(a.word, b.word)))
  const ordered = ofLength.flat()
  const texts = ordered.map(({ glosses }) => glosses.join('/'))
  const foldPairs = [...folds].sort(([a], [b]) => byCodeUnits(a, b))
  const columns = ofLength.flatMap((sameLength, shorter) => Array.from({ length: shorter + 1 }, (_, position) =>
    Uint16Array.from(sameLength, ({ word }) => word.charCodeAt(position))))
  const sections = [
    Uint32Array.from([foldPairs.length, ...ofLength.map(sameLength => sameLength.length)]),
    Uint16Array.from(foldPairs, ([traditional]) => traditional.charCodeAt(0)),
    Uint16Array.from(foldPairs, ([, simplified]) => simplified.charCodeAt(0)),
    ...columns,
    Uint8Array.from(ordered, ({ rarity }) => rarity),
    Uint8Array.from(texts, text => text.length),
    Buffer.from(texts.join(''), 'latin1'),
  ]
  const bytes = Buffer.concat(sections.map(section => Buffer.from(section.buffer, section.byteOffset, section.byteLength)))
  return brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  })
}
