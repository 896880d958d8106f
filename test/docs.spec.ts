/** What the READMEs say of settings and of texts that the model sees is what the code does. */

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DEFAULT_CONFIG } from '../src/config.ts'
import { SEARCH_DESCRIPTION } from '../src/surface/search-description.ts'

/** Keys whose parts share one row. */
const GROUPS = ['bm25B', 'fieldWeights', 'fusion.weights']

/** Too long for a cell. */
const ELSEWHERE = new Set(['disclosure.coreTools'])

function leaves(value: unknown, path = ''): [string, unknown][] {
  const isBranch = typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
  return isBranch ? Object.entries(value).flatMap(([key, inner]) => leaves(inner, path === '' ? key : `${path}.${key}`)) : [[path, value]]
}

/** Default cells of the settings table by key. */
function settingsOf(readme: string): Map<string, string> {
  const section = /^## (?:Settings|设置)$([\s\S]*?)^## /m.exec(readme)![1]!
  return new Map([...section.matchAll(/^\| `([\w.]+)` \| (.+?) \| .+ \|$/gm)].map(([, key, cell]) => [key!, cell!]))
}

describe.each(['README.md', 'README.zh.md'])('%s', (file) => {
  const readme = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
  const settings = settingsOf(readme)

  it('has a row for every setting, with its default', () => {
    for (const [path, value] of leaves(DEFAULT_CONFIG)) {
      const group = GROUPS.find(candidate => path.startsWith(`${candidate}.`))
      if (group !== undefined) expect(settings.get(group), path).toContain(`\`${path.slice(group.length + 1)}: ${JSON.stringify(value)}\``)
      else if (!ELSEWHERE.has(path)) expect(settings.get(path), path).toBe(`\`${JSON.stringify(value)}\``)
    }
  })

  it('has a row for no setting that does not exist', () => {
    const known = new Set([...GROUPS, ...leaves(DEFAULT_CONFIG).map(([path]) => path)])
    expect([...settings.keys()].filter(key => !known.has(key))).toEqual([])
    expect(settings.size).toBeGreaterThan(20)
  })

  it('quotes the description of the search word for word', () => {
    expect(readme).toContain(`> ${SEARCH_DESCRIPTION}`)
  })
})
