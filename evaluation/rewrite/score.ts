/**
 * `pnpm eval:rewrite:score --responses f.jsonl`: what recorded rewrites are worth, by the parser and the ranker of the plugin.
 * @module
 */

import { resolve } from 'node:path'
import { Command, Option } from 'commander'
import { REWRITE_WHEN } from '../../src/rewrite/config.ts'
import type { RewritePolicy } from '../../src/rewrite/config.ts'
import { createProgress } from '../report/progress.ts'
import { writeSection } from '../report/results.ts'
import { toMarkdown, toTerminal } from '../report/table.ts'
import { loadSets, SetError, SHARED_SETS } from '../sets.ts'
import { run, wholeNumber } from './command.ts'
import { replaySet } from './replay.ts'
import type { ReplayedQuery } from './replay.ts'
import { chosenSets, readResponses, thinned } from './requests.ts'
import { scoreTables } from './tables.ts'

interface Options {
  readonly responses: string
  readonly dir: string
  readonly set?: readonly string[]
  readonly limit?: number
  readonly provider?: string
  readonly model?: string
  readonly when: RewritePolicy['when']
  readonly results: boolean
}

async function main(options: Options): Promise<void> {
  const responses = readResponses(resolve(options.responses))
  const [first] = responses
  if (first === undefined) throw new SetError(`${options.responses} has no responses; record some first`)
  const route = { provider: options.provider ?? first.provider, model: options.model ?? first.model }
  const answered = new Set(responses.map(({ id }) => id.split('/')[0]!))
  const sets = chosenSets(loadSets(resolve(options.dir)), options.set ?? [...answered]).map(set => thinned(set, options.limit))
  const progress = createProgress()
  progress.stage('with and without rewrites', sets.length)
  const replayed: ReplayedQuery[] = []
  for (const set of sets) {
    replayed.push(...await replaySet(set, responses, route, options.when))
    progress.step()
  }
  progress.end()
  const tables = scoreTables(replayed)
  process.stdout.write(`${tables.map(toTerminal).join('\n\n')}\n`)
  if (!options.results) return
  writeSection({
    id: 'rewrite',
    title: `What rewrites by ${route.provider}/${route.model} are worth`,
    command: 'pnpm eval:rewrite:score',
    body: tables.map(table => toMarkdown(table)).join('\n\n'),
  })
}

await run(new Command('eval:rewrite:score')
  .description('Replays recorded responses through the parser and the ranker of the plugin: share of answers that could be used, and recall with and without. '
    + 'Refuses responses that are missing, of another route, or to another prompt.')
  .requiredOption('--responses <file>', 'JSON lines {id, provider, model, response}')
  .option('--dir <folder>', 'folder of the sets', SHARED_SETS)
  .option('--set <names...>', 'only these sets (default: those that were answered)')
  .option('--limit <n>', 'queries of each set, as prepared', wholeNumber)
  .option('--provider <id>', 'provider that must have answered (default: that of the first response)')
  .option('--model <id>', 'model that must have answered (default: that of the first response)')
  .addOption(new Option('--when <policy>', 'as prepared').choices(REWRITE_WHEN.filter(when => when !== 'never')).default('auto'))
  .option('--no-results', 'leave RESULTS.md as it is')
  .action(main))
