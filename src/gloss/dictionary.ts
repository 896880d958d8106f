/**
 * The shipped Chinese-English word list as columns of typed arrays: loading makes no string, a look-up is a binary search.
 *
 * `data/gloss.bin` is a brotli stream, numbers little-endian:
 *
 *     u32        number of folded characters c
 *     u32 × 6    number of words n_L of 1 to 6 characters
 *     u16 × c    traditional characters, ascending
 *     u16 × c    the simplified character of each
 *     u16 × …    for each length L, for each position in the word: one column of n_L characters; words ascend in code units
 *     u8 × n     rarity of each word, 0..RAREST, in the order of the columns
 *     u8 × n     length of each word's glosses
 *     text       ASCII glosses of each word, separated by `/`, one word's after the other's
 *
 * Made by `evaluation/gloss/make.ts`.
 * @module
 */

/** Longest word of the list, in characters. */
export const LONGEST_WORD = 6

/** Han characters of the basic plane; no everyday word has others. */
const HAN = /[\u3400-\u9fff]/g

/** The rarity of words as rare as the rarest, and of words whose frequency is unknown. */
export const RAREST = 31

/** One word of the list. */
export interface DictionaryEntry {
  /** English glosses in lower-case ASCII, most usual first; at most five, none for a word that is listed only to end a segment. */
  readonly glosses: readonly string[]
  /** 0..1; 1 is rarest. Proportional to the word's information in general text, cut at 1. */
  readonly rarity: number
}

export interface Dictionary {
  /** Every traditional character as its simplified one; the text's length does not change. */
  fold(text: string): string
  /** @param word - folded, 1 to 6 characters. */
  find(word: string): DictionaryEntry | undefined
  /** The same question as {@link find}, without decoding the entry. */
  has(word: string): boolean
}

interface WordColumns {
  readonly columns: readonly Uint16Array[]
  readonly count: number
  /** Number of the first word of this length. */
  readonly firstWord: number
}

/** Reads the list. @param compressed - the bytes of `data/gloss.bin`. */
export function readDictionary(compressed: Uint8Array): Dictionary {
  // Here and not imported: most searches read no list.
  const bytes = process.getBuiltinModule('node:zlib').brotliDecompressSync(compressed)
  const header = new Uint32Array(copyOf(bytes, 0, 4 * (1 + LONGEST_WORD)))
  let at = header.byteLength
  const column = (count: number): Uint16Array => {
    const values = new Uint16Array(copyOf(bytes, at, 2 * count))
    at += values.byteLength
    return values
  }
  const traditional = column(header[0]!)
  const simplified = column(header[0]!)
  let wordCount = 0
  const byLength: WordColumns[] = Array.from({ length: LONGEST_WORD }, (_, shorter) => {
    const count = header[1 + shorter]!
    const firstWord = wordCount
    wordCount += count
    return { count, firstWord, columns: Array.from({ length: shorter + 1 }, () => column(count)) }
  })
  const rarities = bytes.subarray(at, at += wordCount)
  const lengths = bytes.subarray(at, at += wordCount)
  const starts = new Uint32Array(wordCount + 1)
  starts[0] = at
  for (let word = 0; word < wordCount; word++) starts[word + 1] = starts[word]! + lengths[word]!
  const folds = new Map(Array.from(traditional, (code, place) => [code, String.fromCharCode(simplified[place]!)]))

  return {
    fold: words => words.replace(HAN, character => folds.get(character.charCodeAt(0)) ?? character),
    has: word => search(byLength, word) >= 0,
    find(word) {
      const found = search(byLength, word)
      if (found < 0) return undefined
      const glosses = bytes.toString('latin1', starts[found], starts[found + 1])
      return { glosses: glosses === '' ? [] : glosses.split('/'), rarity: rarities[found]! / RAREST }
    },
  }
}

/** Copies, since a typed array cannot begin at an odd offset. */
function copyOf(bytes: Buffer, at: number, length: number): ArrayBuffer {
  const { buffer, byteOffset } = bytes
  return buffer.slice(byteOffset + at, byteOffset + at + length) as ArrayBuffer
}

/** @returns the number of a word, −1 when it is not in the list. */
function search(byLength: readonly WordColumns[], word: string): number {
  const words = byLength[word.length - 1]
  if (words === undefined) return -1
  const { columns, count, firstWord } = words
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >> 1
    if (compareAt(columns, middle, word) < 0) low = middle + 1
    else high = middle
  }
  return low < count && compareAt(columns, low, word) === 0 ? firstWord + low : -1
}

function compareAt(columns: readonly Uint16Array[], place: number, word: string): number {
  for (let position = 0; position < columns.length; position++) {
    const difference = columns[position]![place]! - word.charCodeAt(position)
    if (difference !== 0) return difference
  }
  return 0
}
