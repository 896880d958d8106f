/**
 * `pnpm eval:dense --model <id>`: what a sentence model is worth beside the default retriever, and what it costs.
 * @module
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Command } from 'commander'
import { createDenseChannel } from '../src/channels/dense.ts'
import { createE5Provider } from '../src/embedding/e5.ts'
import { createHttpProvider } from '../src/embedding/http.ts'
import type { EmbeddingProvider } from '../src/embedding/provider.ts'
import { measureCost } from './dense/cost.ts'
import { measuredModel } from './dense/models.ts'
import type { MeasuredModel, ModelOptions } from './dense/models.ts'
import { measureDense, sampledQueries } from './dense/quality.ts'
import { denseTables } from './dense/report.ts'
import type { DenseReport } from './dense/report.ts'
import { measureWeights } from './dense/weights.ts'
import { createProgress } from './report/progress.ts'
import { writeSection } from './report/results.ts'
import { toMarkdown, toTerminal } from './report/table.ts'
import { loadSets, PROJECT_ROOT, SetError, SHARED_SETS } from './sets.ts'
import type { QuerySet } from './sets.ts'

/** One file for each model, so that a run elsewhere keeps what was measured here. */
const MEASURED = join(PROJECT_ROOT, 'evaluation', 'dense', 'measured')

interface Options extends ModelOptions {
  readonly dir: string
  readonly set?: readonly string[]
  readonly sample: number
  readonly seed: number
  readonly results: boolean
}

function readMeasured(): DenseReport[] {
  if (!existsSync(MEASURED)) return []
  return readdirSync(MEASURED).sort().map(file => JSON.parse(readFileSync(join(MEASURED, file), 'utf8')) as DenseReport)
}

function chosenSets({ dir, set }: Options): QuerySet[] {
  const judged = loadSets(resolve(dir)).filter(({ queries }) => queries.length > 0)
  const chosen = judged.filter(({ name }) => set?.includes(name) ?? true)
  if (chosen.length === 0) throw new SetError(`no judged set to measure in ${resolve(dir)}; --dir says where sets are, --set which of them`)
  return chosen
}

async function measure(model: MeasuredModel, sets: readonly QuerySet[], { sample, seed }: Options): Promise<DenseReport> {
  const { id, label, config, modelFolder } = model
  const progress = createProgress()
  const cost = await measureCost(model, sets, progress)
  const channel = createDenseChannel(config, {
    warn: message => process.stderr.write(`${message}\n`),
    provider: rememberingQueries(config.provider === 'http' ? createHttpProvider(config) : createE5Provider(config, modelFolder)),
  })
  try {
    const english = sets.filter(({ catalogLang, queries }) => catalogLang === 'en' && queries[0]!.lang === 'en')
    const measured = await measureDense(sets, { channel, sample, seed }, progress)
    const sampled = english.map(set => ({ set, queries: sampledQueries(set, { sample, seed }) }))
    return { id, label, sample, seed, sets: measured, weights: await measureWeights(sampled, channel, progress), cost }
  } finally {
    progress.end()
    await channel.dispose()
  }
}

/** The same queries are asked many times here; embedding them again would measure nothing. */
function rememberingQueries(provider: EmbeddingProvider): EmbeddingProvider {
  const known = new Map<string, Float32Array>()
  return {
    ...provider,
    get dimensions() { return provider.dimensions },
    async embedQueries(texts, signal) {
      const missing = texts.filter(text => !known.has(text))
      const vectors = missing.length === 0 ? [] : await provider.embedQueries(missing, signal)
      missing.forEach((text, at) => known.set(text, vectors[at]!))
      return texts.map(text => known.get(text)!)
    },
  }
}

/** Only what the tables need, and readable changes of it: per-query values are kept to three digits. */
function toJson(report: DenseReport): string {
  const rounded = (_key: string, value: unknown): unknown => typeof value === 'number' ? Number(value.toPrecision(4)) : value
  return `${JSON.stringify(report, rounded)}\n`
}

async function main(options: Options): Promise<void> {
  const sets = chosenSets(options)
  const report = await measure(measuredModel(options), sets, options)
  const others = readMeasured().filter(({ id }) => id !== report.id)
  const tables = denseTables([...others, report])
  process.stdout.write(`${tables.map(toTerminal).join('\n\n')}\n`)
  if (!options.results || options.set !== undefined) return
  mkdirSync(MEASURED, { recursive: true })
  writeFileSync(join(MEASURED, `${report.id}.json`), toJson(report))
  writeSection({
    id: 'dense',
    title: 'What does a sentence model add?',
    command: 'pnpm eval:dense --model minilm',
    body: tables.map(table => toMarkdown(table)).join('\n\n'),
  })
}

const count = (text: string): number => {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new SetError(`"${text}" is not a number of 1 or more`)
  return value
}

const command = new Command('eval:dense')
  .description('Measures dense retrieval alone and fused, beside the default retriever. Prints tables and writes RESULTS.md.')
  .requiredOption('--model <id>', 'minilm (English, fetched and checked), e5 (multilingual, needs network once), a Hugging Face id, or with --url a name')
  .option('--dtype <format>', 'weight format of a local model')
  .option('--models <folder>', 'folder of local models, <folder>/<id>/…')
  .option('--offline', 'never download a model')
  .option('--url <url>', 'embeddings endpoint to ask instead of a local model')
  .option('--api-key-env <name>', 'variable that holds the key of the endpoint')
  .option('--dir <folder>', 'folder of the sets', SHARED_SETS)
  .option('--set <names...>', 'only these sets; RESULTS.md stays as it is')
  .option('--sample <n>', 'queries of each set, at most', count, 200)
  .option('--seed <n>', 'of the sample', count, 1)
  .option('--no-results', 'leave RESULTS.md as it is')
  .showHelpAfterError('(--help lists the options)')
  .action(main)

try {
  await command.parseAsync()
} catch (error) {
  process.stderr.write(`eval:dense: ${(error as Error).message}\n`)
  process.exitCode = 1
}
