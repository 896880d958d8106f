/**
 * Draws a run of the demo as docs/session.svg, after its text: nothing in the picture was typed by hand.
 * @module
 */

/** Lines of one result, or of one list of names, that are drawn. */
const MOST_LINES = 4

const LINE_HEIGHT = 17
const CHARACTER_WIDTH = 7.25
const PADDING = 16

/** What a line of the demo begins with, and how its label is drawn. */
const KINDS = [
  { label: /^\d\. .*$/, style: 'heading' },
  { label: /^user /, style: 'user' },
  { label: /^request \d+/, style: 'request' },
  { label: /^ {2}\S[\w ]{0,11}(?= )/, style: 'label' },
] as const

/**
 * The part of a run that the picture shows: without the plugin, and the first two tasks with it, long lists cut short.
 * @param output - what the demo printed, without colours.
 */
export function pictureLines(output: string): readonly string[] {
  const all = output.split('\n')
  const together = all.find(line => line.startsWith('  together'))
  const start = all.findIndex(line => line.startsWith('2. '))
  const secondTask = all.findIndex((line, index) => index > all.findIndex(user => user.startsWith('user ')) && line.startsWith('user '))
  const end = all.findIndex((line, index) => index > secondTask && line.startsWith('  effect'))
  if (together === undefined || start < 0 || secondTask < 0 || end < 0) throw new Error('the demo did not print what the picture shows')
  const lines: string[] = [together, '']
  let continued = 0
  for (const line of all.slice(start, end + 1)) {
    // Why each tool was found is a table; the picture has room for the rest alone.
    if (/^[│┌├└]/.test(line)) continue
    continued = line.startsWith('   ') ? continued + 1 : 0
    if (continued < MOST_LINES) lines.push(line)
    else if (continued === MOST_LINES) lines.push(`${' '.repeat(14)}…`)
  }
  return lines
}

/** @returns an SVG document that is readable on light and dark pages. */
export function drawSession(lines: readonly string[]): string {
  const columns = Math.max(...lines.map(columnsOf))
  const width = Math.ceil(columns * CHARACTER_WIDTH + 2 * PADDING)
  const height = lines.length * LINE_HEIGHT + 2 * PADDING
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">`,
    '<title id="title">A session of the demo: what the agent is shown, what it searches for, what is loaded, and what it calls</title>',
    '<style>',
    '  text { font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #24292f; white-space: pre }',
    '  .page { fill: #f6f8fa; stroke: #d0d7de } .heading, .user { font-weight: bold } .user { fill: #116329 } .request { fill: #0550ae; font-weight: bold } .label { fill: #57606a }',
    '  @media (prefers-color-scheme: dark) {',
    '    text { fill: #e6edf3 } .page { fill: #161b22; stroke: #30363d } .user { fill: #7ee787 } .request { fill: #79c0ff } .label { fill: #8b949e }',
    '  }',
    '</style>',
    `<rect class="page" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="6"/>`,
    ...lines.map((line, index) => drawLine(line, PADDING + LINE_HEIGHT * (index + 0.75))),
    '</svg>',
    '',
  ].join('\n')
}

function drawLine(line: string, y: number): string {
  const kind = KINDS.find(({ label }) => label.test(line))
  const label = kind?.label.exec(line)?.[0] ?? ''
  const start = kind === undefined ? '' : `<tspan class="${kind.style}">${escapeText(label)}</tspan>`
  return `<text x="${PADDING}" y="${y}" xml:space="preserve">${start}${escapeText(line.slice(label.length))}</text>`
}

/** Columns of a terminal: Han characters take two. */
function columnsOf(line: string): number {
  return line.length + (line.match(/[\u2E80-\u9FFF\uFF00-\uFF60]/gu)?.length ?? 0)
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
