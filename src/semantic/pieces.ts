/**
 * Words that the table does not have, in pieces that it has.
 * @module
 */

/** Marks a piece that continues a word, as in the teacher's vocabulary. */
export const CONTINUATION = '##'

/** Longest word that is cut into pieces; longer ones are encoded data. */
const LONGEST_WORD = 40

/** Pieces of a single letter that a word may have: the `s` of a plural. */
const MOST_LETTERS = 1

/**
 * The entries that stand for a word: its own, or the longest pieces from the left (the greedy rule of WordPiece).
 * @param idOf - id of an entry; undefined when there is none.
 * @returns ids in order; empty when some part of the word has no piece, and for what is spelled out letter by letter: that is no word.
 */
export function piecesOf(word: string, idOf: (entry: string) => number | undefined): readonly number[] {
  const own = idOf(word)
  if (own !== undefined) return [own]
  if (word.length > LONGEST_WORD) return []
  const ids: number[] = []
  let letters = 0
  let start = 0
  while (start < word.length) {
    let end = word.length
    let id: number | undefined
    for (; end > start && id === undefined; end--) id = idOf(`${start === 0 ? '' : CONTINUATION}${word.slice(start, end)}`)
    if (id === undefined) return []
    if (end + 1 - start === 1 && ++letters > MOST_LETTERS) return []
    ids.push(id)
    start = end + 1
  }
  return ids
}
