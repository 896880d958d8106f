/**
 * Two kinds of SVG plot, enough for what RESULTS.md shows: grouped bars, and lines over logarithmic axes.
 * @module
 */

export interface Series {
  readonly label: string
  /** One value per category or position; NaN leaves a gap. */
  readonly values: readonly number[]
}

/** Told apart by most readers with colour-vision deficiency (Okabe and Ito 2008). */
const COLOURS = ['#0072B2', '#E69F00', '#009E73', '#CC79A7', '#56B4E9', '#D55E00']

const WIDTH = 900
const MARGIN = { top: 56, right: 16, bottom: 24, left: 60 }

const escapeText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const label = (x: number, y: number, content: string, attributes = ''): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${attributes}>${escapeText(content)}</text>`

const line = (x1: number, y1: number, x2: number, y2: number): string =>
  `<line x1="${x1.toFixed(1)}" y1="${y1.toFixed(1)}" x2="${x2.toFixed(1)}" y2="${y2.toFixed(1)}" stroke="#ccc"/>`

function frame(title: string, height: number, series: readonly Series[], body: readonly string[]): string {
  const legend = series.flatMap((entry, i) => {
    const x = MARGIN.left + 170 * i
    return [`<rect x="${x}" y="34" width="10" height="10" fill="${COLOURS[i % COLOURS.length]}"/>`, label(x + 15, 43, entry.label)]
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" `
    + 'font-family="sans-serif" font-size="12">',
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    label(MARGIN.left, 22, title, 'font-size="15" font-weight="bold"'),
    ...legend,
    ...body,
    '</svg>\n',
  ].join('\n')
}

/** Horizontal bars of shares (0..1), one group per category. */
export function groupedBars(title: string, categories: readonly string[], series: readonly Series[]): string {
  const left = 170
  const thickness = 7
  const group = thickness * series.length + 9
  const height = MARGIN.top + group * categories.length + MARGIN.bottom
  const x = (value: number) => left + value * (WIDTH - left - MARGIN.right - 20)
  const floor = height - MARGIN.bottom
  const grid = [0, 0.2, 0.4, 0.6, 0.8, 1].flatMap(value =>
    [line(x(value), MARGIN.top, x(value), floor), label(x(value), floor + 16, `${100 * value} %`, 'text-anchor="middle"')])
  const bars = categories.flatMap((category, c) => {
    const y = MARGIN.top + group * c + 4
    return [
      label(left - 8, y + group / 2, category, 'text-anchor="end"'),
      ...series.flatMap(({ values }, s) => {
        const length = x(values[c]!) - left
        return Number.isNaN(length) ? [] : `<rect x="${left}" y="${y + s * thickness}" width="${length.toFixed(1)}" height="${thickness - 1}" fill="${COLOURS[s % COLOURS.length]}"/>`
      }),
    ]
  })
  return frame(title, height, series, [...grid, ...bars])
}

const powersOfTen = (low: number, high: number): number[] => {
  const first = Math.floor(Math.log10(low))
  return Array.from({ length: Math.ceil(Math.log10(high)) - first + 1 }, (_, i) => 10 ** (first + i))
}

/**
 * Lines with both axes logarithmic.
 * @param positions - ascending, above 0.
 * @param unit - of the values, shown at the axis.
 */
export function logLines(title: string, positions: readonly number[], unit: string, series: readonly Series[]): string {
  const height = 420
  const floor = height - MARGIN.bottom - 8
  const measured = series.flatMap(entry => entry.values.filter(value => value > 0))
  const ticks = powersOfTen(Math.min(...measured), Math.max(...measured))
  const scale = (value: number, low: number, high: number) => Math.log(value / low) / Math.log(high / low)
  const x = (value: number) => MARGIN.left + scale(value, positions[0]!, positions.at(-1)!) * (WIDTH - MARGIN.left - MARGIN.right - 40)
  const y = (value: number) => floor - scale(value, ticks[0]!, ticks.at(-1)!) * (floor - MARGIN.top - 8)
  const grid = [
    ...ticks.flatMap(tick => [
      line(MARGIN.left, y(tick), WIDTH - MARGIN.right, y(tick)),
      label(MARGIN.left - 6, y(tick) + 4, `${Number(tick.toPrecision(1))} ${unit}`, 'text-anchor="end"'),
    ]),
    ...positions.map(position => label(x(position), floor + 18, position.toLocaleString('en'), 'text-anchor="middle"')),
  ]
  const curves = series.flatMap(({ values }, s) => {
    const colour = COLOURS[s % COLOURS.length]
    const dots = values.flatMap((value, i) => value > 0 ? [[x(positions[i]!), y(value)] as const] : [])
    return [
      `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${dots.map(([cx, cy]) => `${cx.toFixed(1)},${cy.toFixed(1)}`).join(' ')}"/>`,
      ...dots.map(([cx, cy]) => `<circle cx="${cx.toFixed(1)}" cy="${cy.toFixed(1)}" r="3.5" fill="${colour}"/>`),
    ]
  })
  return frame(title, height, series, [...grid, ...curves])
}
