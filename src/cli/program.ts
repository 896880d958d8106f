/**
 * The commands, their options and their help.
 * @module
 */

import { readFileSync } from 'node:fs'
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { packageFile } from '../package-files.ts'
import { writeLine } from './output.ts'
import { readQueries } from './query-lines.ts'
import type { Searcher, SearcherOptions } from './searcher.ts'
import { UserError } from './user-error.ts'

const NAME = 'dsh-tool-retriever'

/** Exit code of a mistake of the caller. */
const MISUSE = 2

/** Results a query when a file of queries is answered: the depth of the usual metrics. */
const BATCH_TOP = 10

interface SearchOptions extends SearcherOptions {
  readonly top?: number
  readonly queries?: string
  readonly json?: true
}

function positiveInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('Give a whole number from 1.')
  return value
}

function version(): string {
  const { version } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }
  return version
}

/** The retriever is loaded when a command needs it, so that help and mistakes don't wait for it. */
async function withSearcher(options: SearcherOptions, use: (searcher: Searcher) => Promise<void>): Promise<void> {
  const searcher = await (await import('./searcher.ts')).openSearcher(options, complain)
  try {
    await use(searcher)
  } finally {
    await searcher.close()
  }
}

async function answerFile({ catalog, retriever }: Searcher, file: string, limit: number): Promise<void> {
  const complaints = new Set<string>()
  for await (const { id, query } of readQueries(file)) {
    const startedAt = performance.now()
    const { results, failures } = await retriever.search(catalog, { query, limit })
    const ms = performance.now() - startedAt
    for (const { channel, reason } of failures) {
      // Answers without a channel are answers of something else, and their lines have no place for it; once a channel is enough.
      if (!complaints.has(channel)) complain(`${channel}, from query ${JSON.stringify(id)} on: ${reason}`)
      complaints.add(channel)
    }
    await writeLine(JSON.stringify({ id, results: results.map(({ name }) => name), ms: Number(ms.toFixed(3)) }))
  }
}

async function search(query: string | undefined, options: SearchOptions): Promise<void> {
  if (query !== undefined && options.queries !== undefined) throw new UserError('a query and --queries exclude each other; give one of them')
  if (query === undefined && options.queries === undefined) throw new UserError('there is no query; give one as the argument, or a file with --queries')
  await withSearcher(options, async (searcher) => {
    if (options.queries !== undefined) return answerFile(searcher, options.queries, options.top ?? BATCH_TOP)
    const { catalog, retriever, config } = searcher
    const outcome = await retriever.search(catalog, { query: query!, limit: options.top ?? config.topK })
    const { searchView } = await import('./views.ts')
    await writeLine(options.json ? JSON.stringify({ ...outcome, warnings: catalog.warnings }, null, 2) : searchView(outcome, catalog))
  })
}

async function explain(query: string, options: Omit<SearchOptions, 'queries'>): Promise<void> {
  await withSearcher(options, async ({ catalog, retriever, config }) => {
    const { outcome, explanations } = await retriever.explain(catalog, { query, limit: options.top ?? config.topK })
    const { explainView } = await import('./views.ts')
    await writeLine(options.json
      ? JSON.stringify({ ...outcome, warnings: catalog.warnings, explanations }, null, 2)
      : explainView(outcome, explanations, catalog))
  })
}

const withSharedOptions = (command: Command): Command => command
  .requiredOption('--catalog <file>', 'tools: [{name, description, parameters}], an MCP tools/list result, or OpenAI function entries')
  .option('--config <file>', 'configuration in JSON, with the keys of the plugin')
  .option('--dense', 'with dense retrieval, also when the configuration does not turn it on; waits until the tools are embedded')
  .option('--json', 'print JSON')

export function createProgram(): Command {
  const program = new Command(NAME)
    .description('Searches a catalogue of tools as the dsh-tool-retriever plugin does.')
    .version(version())
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
  withSharedOptions(program.command('search')
    .description('Find the tools for a query, or for each query of a file.')
    .argument('[query]', 'what to do, or the grammar of tool_search: select:<name>, server:<name>, +word'))
    .option('--queries <file>', 'JSON lines {"id", "query"}, or - for standard input; answers with lines {"id", "results", "ms"}')
    .option('--top <count>', `how many results (default: topK of the configuration; ${BATCH_TOP} with --queries)`, positiveInteger)
    .action(search)
  withSharedOptions(program.command('explain')
    .description('Show why each result of a query is where it is: channels, terms, fields.')
    .argument('<query>', 'as for search'))
    .option('--top <count>', 'how many results (default: topK of the configuration)', positiveInteger)
    .action(explain)
  return program
}

/** Says on standard error what the caller can do; anything but a mistake of the caller is a fault of ours and is thrown on. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0
    // without a command the help itself has been printed
    if (error.code !== 'commander.help') complain(`${error.message.replace(/^error: /, '').replaceAll('\n', ' ')} (see ${NAME} --help)`)
    return MISUSE
  }
  if (!(error instanceof UserError)) throw error
  complain(error.message)
  return MISUSE
}

function complain(message: string): void {
  process.stderr.write(`${NAME}: ${message}\n`)
}
