/**
 * Unicode folding: one spelling for what reads the same.
 * @module
 */

const NON_ASCII = /[\u0080-\uffff]/

/**
 * Whether a text is plain ASCII, as most are: patterns of Unicode properties are compiled when they are first used, which takes a
 * millisecond each, and need not be met by it.
 */
export function isAscii(text: string): boolean {
  return !NON_ASCII.test(text)
}

/** Letters that no Unicode decomposition opens, with the spelling people type instead. */
const UNDECOMPOSED: Readonly<Record<string, string>> = {
  ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', ı: 'i', þ: 'th',
  Æ: 'AE', Œ: 'OE', Ø: 'O', Đ: 'D', Ð: 'D', Ł: 'L', Þ: 'TH',
}
const UNDECOMPOSED_LETTER = new RegExp(`[${Object.keys(UNDECOMPOSED).join('')}]`, 'g')

/** Compatibility forms (full-width letters, ligatures, half-width Kana) as their ordinary characters (NFKC). Linear. */
export function foldWidth(text: string): string {
  return isAscii(text) ? text : text.normalize('NFKC')
}

/** A word of an alphabet without its accents and marks; case is kept, since identifiers are split by it. */
export function foldMarks(word: string): string {
  if (isAscii(word)) return word
  return word.normalize('NFD').replace(/\p{M}+/gu, '').replace(UNDECOMPOSED_LETTER, letter => UNDECOMPOSED[letter]!)
}
