/**
 * What the surface costs each request: real assemblies of a real agent.
 * `pnpm eval:surface` writes the section `surface` of RESULTS.md.
 * @module
 */

import { foldSelection } from '../src/selection/reducer.ts'
import { boot, call, text, tool } from '../test/support/harness.ts'
import * as plugin from '../src/index.ts'
import { createRandom } from './random.ts'
import { writeSection } from './report/results.ts'
import { digits, toMarkdown, toTerminal } from './report/table.ts'

const SIZES = [100, 1_000, 3_000]
const WARM_UP = 30
const ROUNDS = 200

/** A tool of ordinary size: the catalogues of public MCP servers have about 1.5 kB and 5 parameters a tool. */
function syntheticTool(index: number) {
  const random = createRandom(index + 1)
  const word = () => `w${Math.floor(random() * 4_000)}`
  const words = (count: number) => Array.from({ length: count }, word).join(' ')
  const properties = Object.fromEntries(Array.from({ length: 5 }, () => [word(), { type: 'string', description: words(8) }]))
  return tool(`mcp__server${index % 40}__${word()}_${index}`, { description: words(30), parameters: { type: 'object', properties } })
}

const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!
}

interface Measured {
  /** Whole assemblies, milliseconds. */
  readonly total: number[]
  /** The part between the innermost and the outermost listener, which is the plugin's projection alone. */
  readonly projection: number[]
  readonly selected: number
}

async function measure(size: number): Promise<Measured> {
  const harness = await boot({
    tools: [tool('bash'), tool('read'), ...Array.from({ length: size }, (_, index) => syntheticTool(index))],
    plugin,
    config: { disclosure: { mode: 'inject' } },
    script: [call('tool_search', { query: 'w1 w2 w3 w4 w5 w6' }), text('done')],
  })
  const handle = await harness.createAgent()
  await handle.say('go')
  const { agent } = handle
  const measured = { total: [] as number[], projection: [] as number[], selected: foldSelection(handle.events()).names.length }
  let assembled = 0
  let recording = false
  harness.ctx.on('system-prompt/assemble', async (_assembly, _context, next) => {
    const assembly = await next()
    assembled = performance.now()
    return assembly
  })
  harness.ctx.on('system-prompt/assemble', async (_assembly, _context, next) => {
    const assembly = await next()
    if (recording) measured.projection.push(performance.now() - assembled)
    return assembly
  }, { prepend: true })
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    recording = round >= 0
    const start = performance.now()
    await harness.ctx.systemPrompt.assemble({ scope: agent, agent })
    if (recording) measured.total.push(performance.now() - start)
  }
  await harness.dispose()
  return measured
}

const rows: string[][] = []
for (const size of SIZES) {
  const { total, projection, selected } = await measure(size)
  rows.push([`${size}`, `${selected}`, ...[total, projection].flatMap(values => [0.5, 0.95].map(share => digits(percentile(values, share))))])
}
const table = {
  title: 'One assembly, milliseconds',
  head: ['tools', 'selected', 'assembly p50', 'p95', 'of it the plugin p50', 'p95'],
  rows,
  note: `${ROUNDS} assemblies of a real agent after one search has selected tools. DSH copies every schema for every assembly; the plugin's part is `
    + 'hiding, ordering and describing, taken between a listener before it and one after it. Nothing is indexed in it: the registry is read when '
    + 'it changed, the catalogue is built when a search needs it.',
}
process.stdout.write(`${toTerminal(table)}\n`)
writeSection({ id: 'surface', title: 'What the surface costs a request', command: 'pnpm eval:surface', body: toMarkdown(table) })
