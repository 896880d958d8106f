import { describe, expect, it } from 'vitest'
import { groupedBars, logLines } from '../../evaluation/report/plots.ts'
import { replaceSection } from '../../evaluation/report/results.ts'
import { digits, percent, points, toMarkdown, toTerminal } from '../../evaluation/report/table.ts'

const section = (id: string, body: string) => ({ id, title: `Title ${id}`, command: `pnpm eval:${id}`, body })

describe('RESULTS.md', () => {
  it('names the command and the runtime of a section, and no date', () => {
    const document = replaceSection('', section('recall', 'body'))
    expect(document).toContain(`Measured by \`pnpm eval:recall\` with Node.js ${process.version}`)
    expect(document).toMatch(/^# Results\n/)
    expect(document).toMatch(/<!-- section recall: generated -->\n## Title recall\n/)
  })

  it('keeps the other sections byte for byte when one is replaced', () => {
    const both = replaceSection(replaceSection('', section('bench', 'old $& bench')), section('recall', 'one'))
    const again = replaceSection(both, section('recall', 'two $1'))
    expect(again).toContain('old $& bench')
    expect(again).toContain('two $1')
    expect(again).not.toContain('\none\n')
    expect(replaceSection(again, section('recall', 'one'))).toBe(both)
  })

  it('orders sections the same way whatever came first', () => {
    const add = (ids: readonly string[]) => ids.reduce((document, id) => replaceSection(document, section(id, id)), '')
    expect(add(['surface', 'bench', 'recall', 'economics'])).toBe(add(['economics', 'recall', 'surface', 'bench']))
    expect([...add(['surface', 'bench', 'recall', 'economics']).matchAll(/<!-- section (\S+):/g)].map(match => match[1]))
      .toEqual(['recall', 'bench', 'economics', 'surface'])
  })

  it('drops what was written by hand, because it was not measured', () => {
    const document = replaceSection('', section('recall', 'measured'))
    expect(replaceSection(`${document}\nWe are the best.\n`, section('recall', 'measured'))).toBe(document)
  })

  it('refuses an id that its markers could not carry', () => {
    expect(() => replaceSection('', section('Not ok', ''))).toThrow('section id "Not ok"')
  })
})

describe('tables', () => {
  const table = { title: 'T', note: 'N', head: ['set', 'R@1'], rows: [['a|b', '9.5'], ['中文', '10.0']] }

  it('are Markdown with values to the right', () => {
    expect(toMarkdown(table)).toBe('### T\n\nN\n\n| set | R@1 |\n|---|--:|\n| a\\|b | 9.5 |\n| 中文 | 10.0 |')
  })

  it('are aligned in a terminal, wide characters too', () => {
    const lines = toTerminal(table).split('\n')
    expect(lines[0]).toBe('T')
    expect(lines.at(-1)).toBe('N')
    expect(lines).toContain('│ 中文 │ 10.0 │')
    expect(lines).toContain('│ a|b  │  9.5 │')
  })

  it('write shares, differences and measures in one way', () => {
    expect([percent(0.12345), percent(Number.NaN)]).toEqual(['12.3', '–'])
    expect([points(0.0512), points(-0.0512), points(-0.0001), points(Number.NaN)]).toEqual(['+5.1', '−5.1', '0.0', '–'])
    expect([digits(0.1234), digits(12.34), digits(123.4), digits(Infinity)]).toEqual(['0.12', '12.3', '123', '–'])
  })
})

describe('plots', () => {
  it('draw one bar for each value, as long as the value, and none where nothing was measured', () => {
    const svg = groupedBars('T & <co>', ['a', 'b'], [{ label: 'x', values: [0.5, 1] }, { label: 'y', values: [0, Number.NaN] }])
    expect(svg).toContain('T &amp; &lt;co&gt;')
    const widths = [...svg.matchAll(/<rect x="170" [^>]*width="([\d.]+)"/g)].map(match => Number(match[1]))
    expect(widths).toHaveLength(3)
    expect(widths[1]).toBe(0)
    expect(widths[2]).toBeCloseTo(2 * widths[0]!, 1)
    expect(svg).not.toContain('NaN')
  })

  it('leave a gap where nothing was measured', () => {
    const svg = logLines('T', [10, 100, 1000], 'ms', [{ label: 'x', values: [1, 10, Number.NaN] }])
    expect(svg.match(/<circle/g)).toHaveLength(2)
    expect(svg).not.toContain('NaN')
  })
})
