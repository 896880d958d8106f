/**
 * One table, shown to people in a terminal and in Markdown.
 * @module
 */

import CliTable from 'cli-table3'

export interface Table {
  readonly title: string
  /** What a reader needs to understand the numbers: one paragraph, may be empty. */
  readonly note: string
  /** Column heads; the first column is a label and left-aligned, the others are values and right-aligned. */
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

const alignmentOf = (column: number): 'left' | 'right' => column === 0 ? 'left' : 'right'

export function toTerminal({ title, note, head, rows }: Table): string {
  const table = new CliTable({
    head: [...head],
    colAligns: head.map((_, column) => alignmentOf(column)),
    style: { head: [], border: [], compact: true },
  })
  table.push(...rows.map(row => [...row]))
  return [title, table.toString(), ...note === '' ? [] : [note]].join('\n')
}

const escapeCell = (cell: string): string => cell.replaceAll('|', String.raw`\|`)

/** @param level - depth of the heading, 2 is `##`. */
export function toMarkdown({ title, note, head, rows }: Table, level = 3): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeCell).join(' | ')} |`
  const rule = `|${head.map((_, column) => alignmentOf(column) === 'left' ? '---' : '--:').join('|')}|`
  return [
    `${'#'.repeat(level)} ${title}`,
    ...note === '' ? [] : [note],
    [line(head), rule, ...rows.map(line)].join('\n'),
  ].join('\n\n')
}

/** A share as per cent with one decimal: 0.7654 is `76.5`. */
export const percent = (share: number): string => Number.isNaN(share) ? '–' : (100 * share).toFixed(1)

/** A difference of shares as signed points; what rounds to nothing has no sign. */
export function points(difference: number): string {
  if (Number.isNaN(difference)) return '–'
  const size = Math.abs(100 * difference).toFixed(1)
  return size === '0.0' ? size : `${difference > 0 ? '+' : '−'}${size}`
}

/** Three significant digits, without an exponent. */
export function digits(value: number): string {
  if (!Number.isFinite(value)) return '–'
  if (Math.abs(value) >= 100) return value.toFixed(0)
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2)
}
