/**
 * `pnpm eval:recall`: how well is the right tool found, beside the baseline and the peers, on judged queries.
 * @module
 */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { Command, Option } from 'commander'
import { DEFAULT_RETRIEVAL } from '../src/retrieval-defaults.ts'
import { baseline } from './engines/baseline.ts'
import type { Engine } from './engines/engine.ts'
import { minisearch } from './engines/minisearch.ts'
import { orama } from './engines/orama.ts'
import { createOurs, createWarmOurs } from './engines/ours.ts'
import { measureAblations } from './probes/ablations.ts'
import { measureScale } from './probes/scale.ts'
import { measureTies } from './probes/ties.ts'
import { measureTypos } from './probes/typos.ts'
import { measureCorpus } from './recall/corpus.ts'
import { measureQuality } from './recall/measure.ts'
import { recallPlot, recallTables } from './recall/report.ts'
import type { RecallReport } from './recall/report.ts'
import { createProgress } from './report/progress.ts'
import { writeSection } from './report/results.ts'
import { toMarkdown, toTerminal } from './report/table.ts'
import type { RunsOfSet } from './run.ts'
import { loadSets, PROJECT_ROOT, SetError, SHARED_SETS } from './sets.ts'
import type { QuerySet } from './sets.ts'

const ENGINES: readonly Engine[] = [createOurs(), baseline, minisearch, orama]

/** The project's own frozen corpus. */
const OWN_CORPUS = join(PROJECT_ROOT, 'fixtures')

interface Options {
  readonly dir: string
  readonly out: string
  readonly set?: readonly string[]
  readonly engine: readonly string[]
  readonly probes: boolean
  readonly scale: boolean
  readonly results: boolean
}

async function measure(sets: readonly QuerySet[], distractors: QuerySet | undefined, options: Options): Promise<{
  report: RecallReport
  runs: readonly RunsOfSet[]
}> {
  const progress = createProgress()
  const engines = ENGINES.filter(({ id }) => id === 'ours' || options.engine.includes(id))
  const ownAndBaseline = engines.filter(({ id }) => id === 'ours' || id === 'baseline')
  const { report: quality, runs } = await measureQuality(sets, engines, progress)
  const [corpus] = loadSets(OWN_CORPUS)
  const probes = options.probes && sets.length > 0
  const report: RecallReport = {
    quality,
    corpus: corpus === undefined ? undefined : await measureCorpus(corpus, engines, progress),
    ties: probes ? await measureTies(sets, engines, progress) : undefined,
    typos: probes ? await measureTypos(runs, ownAndBaseline, progress) : [],
    ablations: probes ? await measureAblations(sets, DEFAULT_RETRIEVAL, progress) : [],
    scale: probes && options.scale && distractors !== undefined
      ? await measureScale(sets, distractors.tools, ownAndBaseline.map(engine => engine.id === 'ours' ? createWarmOurs() : engine), runs, progress)
      : undefined,
  }
  progress.end()
  return { report, runs }
}

/** Every answer, one a line, to look into. */
function answersJsonl(runs: readonly RunsOfSet[]): string {
  const lines = runs.flatMap(ofSet => Object.values(ofSet)).flatMap(({ set, engine, answers }) =>
    answers.map(({ query, ...answer }) => JSON.stringify({ set: set.name, engine: engine.id, ...query, ...answer })))
  return lines.map(line => `${line}\n`).join('')
}

async function main(options: Options): Promise<void> {
  const dir = resolve(options.dir)
  const loaded = loadSets(dir)
  const judged = loaded.filter(set => set.queries.length > 0)
  const sets = judged.filter(({ name }) => options.set?.includes(name) ?? true)
  const unknown = (options.set ?? []).filter(name => !judged.some(set => set.name === name))
  if (unknown.length > 0) throw new SetError(`no set "${unknown.join('", "')}" in ${dir}; there are: ${judged.map(({ name }) => name).join(', ')}`)
  if (sets.length === 0) {
    process.stderr.write(`eval:recall: no judged sets in ${dir}. A set is a folder with tools.json and queries.jsonl; --dir says where they are. `
      + 'Only the own corpus in fixtures/ is measured, and RESULTS.md stays as it is.\n')
  }
  const [distractors] = loaded.filter(set => set.queries.length === 0).sort((a, b) => b.tools.length - a.tools.length)
  const { report, runs } = await measure(sets, distractors, options)
  const tables = recallTables(report)
  process.stdout.write(`${tables.map(toTerminal).join('\n\n')}\n`)

  mkdirSync(options.out, { recursive: true })
  writeFileSync(join(options.out, 'recall.json'), `${JSON.stringify(report, null, 2)}\n`)
  writeFileSync(join(options.out, 'recall-answers.jsonl'), answersJsonl(runs))
  const isComplete = sets.length > 0 && sets.length === judged.length && options.engine.length === PEERS.length
  if (!isComplete || !options.results) return
  const plot = join(PROJECT_ROOT, 'docs', 'recall.svg')
  mkdirSync(join(PROJECT_ROOT, 'docs'), { recursive: true })
  writeFileSync(plot, recallPlot(report.quality))
  writeSection({
    id: 'recall',
    title: 'Is the right tool found?',
    command: ['pnpm eval:recall', ...options.probes ? [] : ['--no-probes'], ...options.scale ? [] : ['--no-scale']].join(' '),
    body: [`![Recall@8 of each set](${relative(PROJECT_ROOT, plot)})`, ...tables.map(table => toMarkdown(table))].join('\n\n'),
  })
}

const PEERS = ENGINES.map(({ id }) => id).filter(id => id !== 'ours')

const command = new Command('eval:recall')
  .description('Measures retrieval quality on judged query sets, beside the baseline BM25, MiniSearch and Orama.\n'
    + 'Prints tables, writes recall.json and recall-answers.jsonl, and after a complete run RESULTS.md.')
  .option('--dir <folder>', 'folder of the sets', SHARED_SETS)
  .option('--out <folder>', 'where the JSON goes', join(PROJECT_ROOT, '.eval'))
  .option('--set <names...>', 'only these sets')
  .addOption(new Option('--engine <ids...>', 'beside ours').choices(PEERS).default(PEERS))
  .option('--no-probes', 'quality and time only: no registration orders, typing errors, ablations, large catalogues')
  .option('--no-scale', 'not in large catalogues')
  .option('--no-results', 'leave RESULTS.md as it is')
  .showHelpAfterError('(--help lists the options)')
  .action(main)

try {
  await command.parseAsync()
} catch (error) {
  if (!(error instanceof SetError)) throw error
  process.stderr.write(`eval:recall: ${error.message}\n`)
  process.exitCode = 2
}
