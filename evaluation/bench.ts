/**
 * `pnpm eval:bench`: time and memory beside the baseline and the peers, from a hundred to a hundred thousand tools.
 * @module
 */

import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Command } from 'commander'
import { benchCatalog, benchQueries } from './bench/catalogs.ts'
import { compileChildren } from './bench/compiled.ts'
import { benchTables } from './bench/tables.ts'
import type { BenchReport, SizeReport } from './bench/tables.ts'
import type { EngineCost } from './bench/worker.ts'
import { quantile } from './metrics.ts'
import { logLines } from './report/plots.ts'
import { createProgress } from './report/progress.ts'
import { writeSection } from './report/results.ts'
import { toMarkdown, toTerminal } from './report/table.ts'
import { loadSets, PROJECT_ROOT, SetError, SHARED_SETS } from './sets.ts'

const run = promisify(execFile)

const ENGINES = [
  { id: 'ours', label: 'dsh-tool-retriever', largest: Infinity },
  { id: 'baseline', label: 'baseline BM25', largest: 15_000 },
  { id: 'minisearch', label: 'MiniSearch', largest: 15_000 },
  { id: 'orama', label: 'Orama', largest: 15_000 },
]

const SIZES = [100, 500, 1_000, 4_000, 15_000, 100_000]

/** Catalogues whose first search in a fresh process is timed. */
const FIRST_SEARCH_SIZES = [100, 1_000, 4_000]

const STARTUP_RUNS = 5

const QUERIES_PER_SET = 18

const OUT = join(PROJECT_ROOT, '.eval')

interface Options {
  readonly dir: string
  readonly size: readonly string[]
  readonly results: boolean
}

async function child<T>(script: string, args: readonly string[]): Promise<T> {
  const { stdout } = await run(process.execPath, ['--expose-gc', script, ...args], { maxBuffer: 1e8 })
  return JSON.parse(stdout) as T
}

async function measure(dir: string, sizes: readonly number[]): Promise<BenchReport> {
  const shared = loadSets(dir)
  const sets = shared.length > 0 ? shared : loadSets(join(PROJECT_ROOT, 'fixtures'))
  if (shared.length === 0) {
    process.stderr.write(`eval:bench: no sets in ${dir}; --dir says where they are. Catalogues are recombined from the own corpus instead, `
      + 'and RESULTS.md stays as it is.\n')
  }
  const progress = createProgress()
  const { childPath, packageUrl } = await compileChildren()
  const queries = benchQueries(sets.filter(set => set.queries.length > 0), QUERIES_PER_SET)
  const fileOf = (size: number) => join(OUT, `bench-${size}.json`)
  const reports: SizeReport[] = []
  for (const size of sizes) {
    const { origin, tools } = benchCatalog(sets, size)
    writeFileSync(fileOf(size), JSON.stringify({ tools, queries }))
    const engines: Record<string, EngineCost> = {}
    const able = ENGINES.filter(({ largest }) => size <= largest)
    progress.stage(`${size} tools`, able.length)
    for (const { id } of able) {
      engines[id] = await child<EngineCost>(childPath('worker'), [id, fileOf(size)])
      progress.step()
    }
    reports.push({ size, origin, engines })
  }
  progress.stage('fresh processes', STARTUP_RUNS)
  const loads: number[] = []
  const searches = new Map(FIRST_SEARCH_SIZES.filter(size => sizes.includes(size)).map(size => [size, [] as number[]]))
  for (let i = 0; i < STARTUP_RUNS; i++) {
    loads.push(await child<number>(childPath('startup'), [packageUrl]))
    for (const [size, times] of searches) times.push(await child<number>(childPath('startup'), [packageUrl, fileOf(size)]))
    progress.step()
  }
  progress.end()
  for (const size of sizes) rmSync(fileOf(size))
  return {
    engines: ENGINES.map(({ id, label }) => ({ id, label })),
    queries: queries.length,
    englishQueries: queries.filter(({ isEnglish }) => isEnglish).length,
    sizes: reports,
    startup: {
      loadMs: quantile(loads, 0.5),
      firstSearch: [...searches].map(([size, times]) => ({ size, ms: quantile(times, 0.5) })),
      runs: STARTUP_RUNS,
    },
  }
}

function speedPlot({ engines, sizes }: BenchReport): string {
  return logLines('Time of a query, p50', sizes.map(({ size }) => size), 'ms', engines.map(({ id, label }) => ({
    label,
    values: sizes.map(size => size.engines[id]?.all.p50 ?? Number.NaN),
  })))
}

async function main(options: Options): Promise<void> {
  const sizes = options.size.map(Number)
  const wrong = options.size.find(size => !Number.isSafeInteger(Number(size)) || Number(size) < 1)
  if (wrong !== undefined) throw new SetError(`--size ${wrong} is no whole number from 1`)
  mkdirSync(OUT, { recursive: true })
  const dir = resolve(options.dir)
  const report = await measure(dir, sizes)
  const tables = benchTables(report)
  process.stdout.write(`${tables.map(toTerminal).join('\n\n')}\n`)
  writeFileSync(join(OUT, 'bench.json'), `${JSON.stringify(report, null, 2)}\n`)
  if (!options.results || sizes.join() !== SIZES.join() || loadSets(dir).length === 0) return
  const plot = join(PROJECT_ROOT, 'docs', 'speed.svg')
  mkdirSync(join(PROJECT_ROOT, 'docs'), { recursive: true })
  writeFileSync(plot, speedPlot(report))
  writeSection({
    id: 'bench',
    title: 'What does it cost in time and memory?',
    command: 'pnpm eval:bench',
    body: [`![Time of a query by size of the catalogue](${relative(PROJECT_ROOT, plot)})`, ...tables.map(table => toMarkdown(table))].join('\n\n'),
  })
}

const command = new Command('eval:bench')
  .description('Measures time and memory beside the baseline BM25, MiniSearch and Orama, each engine in a process of its own.\n'
    + 'Prints tables, writes .eval/bench.json, and after a complete run RESULTS.md.')
  .option('--dir <folder>', 'folder of the sets', SHARED_SETS)
  .option('--size <counts...>', 'numbers of tools', SIZES.map(String))
  .option('--no-results', 'leave RESULTS.md as it is')
  .showHelpAfterError('(--help lists the options)')
  .action(main)

try {
  await command.parseAsync()
} catch (error) {
  if (!(error instanceof SetError)) throw error
  process.stderr.write(`eval:bench: ${error.message}\n`)
  process.exitCode = 2
}
