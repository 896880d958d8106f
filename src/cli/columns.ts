/**
 * Text in aligned columns for a terminal. Wide (CJK) characters take two places.
 * @module
 */

const WIDE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u3000-\u303F\uFF01-\uFF60]/gu

/** Places that a text takes in a terminal; right for the scripts that tool names and queries use most. */
export function widthOf(text: string): number {
  return Array.from(text).length + (text.match(WIDE)?.length ?? 0)
}

/** Cuts a text to a width and says so with an ellipsis. */
export function fit(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let cut = ''
  for (const character of text) {
    if (widthOf(cut + character) > width - 1) break
    cut += character
  }
  return `${cut}…`
}

/**
 * @param rows - cells; all rows have as many as the first.
 * @param right - indices of right-aligned columns.
 */
export function columns(rows: readonly (readonly string[])[], right: readonly number[] = []): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map(row => widthOf(row[column]!)))) ?? []
  return rows.map(row => row.map((cell, column) => {
    const space = ' '.repeat(widths[column]! - widthOf(cell))
    return right.includes(column) ? space + cell : cell + space
  }).join('  ').trimEnd()).join('\n')
}
