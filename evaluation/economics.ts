/**
 * What tool disclosure costs whole sessions: the plugin's own assemblies in the real agent loop, priced under a model of a prefix cache.
 * `pnpm eval:economics` writes the section `economics` of RESULTS.md and docs/economics.svg.
 * @module
 */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { DEFERRED, measureDisclosure } from './economics/disclosure-tokens.ts'
import { measureSize, RATIOS, SIZES } from './economics/grid.ts'
import type { Cell } from './economics/grid.ts'
import type { SearchStatistics } from './economics/model.ts'
import { shapeKey } from './economics/play.ts'
import { PRESELECT } from './economics/policy.ts'
import { BLOCK_TOKENS } from './economics/prefix-cache.ts'
import { measurePreselection, SAMPLE } from './economics/preselection.ts'
import {
  bySizeAndRatio, disclosureTable, everyCell, plot, preselectionByChoice, preselectionBySet, summary, toAll, toCheapest, worst,
} from './economics/report.ts'
import type { PreselectionOfSet } from './economics/report.ts'
import { TOKENIZER } from './economics/tokens.ts'
import { createProgress } from './report/progress.ts'
import { writeSection } from './report/results.ts'
import { toMarkdown, toTerminal } from './report/table.ts'
import type { Table } from './report/table.ts'
import { loadSets, PROJECT_ROOT, SHARED_SETS } from './sets.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '5' },
    'output-ratio': { type: 'string', default: '2' },
    cells: { type: 'boolean', default: false },
    sizes: { type: 'string' },
  },
})
const seed = Number(values.seed)
const outputToMiss = Number(values['output-ratio'])
const sizes: readonly number[] = values.sizes?.split(',').map(Number) ?? SIZES
if (!Number.isInteger(seed) || !(outputToMiss >= 0) || !sizes.every(size => Number.isInteger(size) && size >= 1 && size <= 1_000)) {
  process.stderr.write('usage: eval:economics [--seed <integer>] [--output-ratio <price of an output token to an uncached one>] '
    + '[--sizes <catalogue sizes, 1 to 1,000, with commas; prints only>] [--cells]\n')
  process.exit(2)
}

/** DeepSeek's price ratio: the one that the plot and the table of every cell are of. */
const DEEPSEEK = 50

/** Policies that `measureSize` plays at most. */
const PLAYED = 10

const CHOICES = [1, 3, 5].flatMap(tools => [0.4, 0.6, 0.8].map(confidence => ({ tools, confidence })))

const progress = createProgress()
const cells: Cell[] = []
const statistics = new Map<string, SearchStatistics>()
for (const size of sizes) {
  progress.stage(`sessions over ${size} tools`, PLAYED)
  const measured = await measureSize(size, seed, outputToMiss, () => { progress.step() })
  cells.push(...measured.cells)
  for (const [label, made] of measured.statistics) {
    const before = statistics.get(label) ?? { searches: 0, repeated: 0, missed: 0 }
    statistics.set(label, {
      searches: before.searches + made.searches, repeated: before.repeated + made.repeated, missed: before.missed + made.missed,
    })
  }
}

progress.stage('first requests', DEFERRED.length)
const disclosure = []
for (const deferred of DEFERRED) {
  disclosure.push(await measureDisclosure(deferred))
  progress.step()
}

const sets = loadSets(SHARED_SETS).filter(({ queries }) => queries.length > 0)
progress.stage('first messages', sets.length)
const preselected: PreselectionOfSet[] = []
for (const set of sets) {
  preselected.push({ set: set.name, tools: set.tools.length, measured: await measurePreselection(set, CHOICES, seed) })
  progress.step()
}
progress.end()

const chosen = CHOICES.findIndex(({ tools, confidence }) => tools === PRESELECT.tools && confidence === PRESELECT.confidence)
const tables: readonly Table[] = [
  summary(cells, statistics),
  bySizeAndRatio(cells),
  worst(cells, toAll, 'Where auto is dearest beside all tools shown', 'The dearest cells, first those in which showing everything would have been cheaper.'),
  worst(cells, toCheapest, 'Where auto is furthest from the cheapest policy', 'It decides without knowing how long the session will be and how many tools it will need. '
    + 'A catalogue below `disclosure.inertTokens` is shown whole, which a session that needs one tool pays for; it would cost a session that needs twelve more to hide it.'),
  everyCell(cells, DEEPSEEK),
  disclosureTable(disclosure),
  ...preselected.length === 0 ? [] : [
    preselectionByChoice(preselected, CHOICES, SAMPLE),
    preselectionBySet(preselected, CHOICES[chosen]!, chosen),
  ],
]
const method = `The model of a prefix cache: blocks of ${BLOCK_TOKENS} tokens, a hit when the whole text up to the block's end was sent before in the session; requests in the order `
  + `tools, system prompt, history. A cached input token costs 1, an uncached one r (1, 10, 50 or 120; DeepSeek's is ${DEEPSEEK}), an output token ${outputToMiss}r. `
  + `Tokens: ${TOKENIZER}. Sessions run in the real agent loop of DSH with the plugin's own assemblies and its own search; the model is scripted and acts on nothing but `
  + 'what requests and results show: it searches, in other words than names and descriptions use, for each tool that is neither listed nor ready, one at a time. '
  + 'Sizes: DSH\'s own tools 6.7k tokens, system prompt 1,000, tools of the catalogue about 235, user message about 60, tool result 300, answer 150, no reasoning. '
  + '"Early": the tools are needed in the first turn, whose message names the first of them, and one of them is used in each later turn. "Late": all are needed in the '
  + 'last turn. With one turn both are the same. A catalogue of 10 tools has 10 to use instead of 12. "Inject, by name" emulates a loader that shows its tools sorted by '
  + 'name. "Dispatch + preselect" is mode `auto` under prices that never inject, because mode `dispatch` itself loads nothing beforehand. '
  + `Seed ${seed}; \`--seed\` and \`--output-ratio\` change the draw and the price of output.`

if (values.cells) {
  for (const cell of cells) process.stdout.write(`${cell.size}\t${cell.ratio}\t${shapeKey(cell)}\t${JSON.stringify(cell.costs)}\n`)
}
process.stdout.write(`${tables.map(toTerminal).join('\n\n')}\n`)
if (values.sizes === undefined) {
  mkdirSync(join(PROJECT_ROOT, 'docs'), { recursive: true })
  writeFileSync(join(PROJECT_ROOT, 'docs', 'economics.svg'), plot(cells, DEEPSEEK))
  writeSection({
    id: 'economics',
    title: 'What disclosure costs a session',
    command: 'pnpm eval:economics',
    body: [method, '![Session cost by catalogue size](docs/economics.svg)', ...tables.map(table => toMarkdown(table))].join('\n\n'),
  })
}
process.stdout.write(`${cells.length} cells, price ratios ${RATIOS.join(', ')}\n`)
