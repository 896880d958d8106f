/**
 * `pnpm eval:rewrite:prepare`: the requests that the plugin would make of the queries of judged sets, for any model to answer.
 * @module
 */

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Command, Option } from 'commander'
import { REWRITE_WHEN } from '../../src/rewrite/config.ts'
import type { RewritePolicy } from '../../src/rewrite/config.ts'
import { createProgress } from '../report/progress.ts'
import { loadSets, SetError, SHARED_SETS } from '../sets.ts'
import { DEFAULT_ROUTE, EVAL_FOLDER, run, wholeNumber } from './command.ts'
import { chosenSets, requestsOf, REQUESTS_FILE, thinned } from './requests.ts'

interface Options {
  readonly dir: string
  readonly set?: readonly string[]
  readonly limit?: number
  readonly provider: string
  readonly model: string
  readonly when: RewritePolicy['when']
  readonly out: string
}

async function main({ dir, set, limit, provider, model, when, out }: Options): Promise<void> {
  const sets = chosenSets(loadSets(resolve(dir)), set).map(chosen => thinned(chosen, limit))
  if (sets.length === 0) throw new SetError(`no judged set in ${resolve(dir)}; --dir says where sets are`)
  const progress = createProgress()
  progress.stage('requests', sets.length)
  const lines: string[] = []
  for (const chosen of sets) {
    for (const { request } of await requestsOf(chosen, { provider, model }, when)) lines.push(`${JSON.stringify(request)}\n`)
    progress.step()
  }
  progress.end()
  mkdirSync(dirname(out), { recursive: true })
  writeFileSync(out, lines.join(''))
  process.stdout.write(`${lines.length} requests of ${sets.length} sets for ${provider}/${model}: ${out}\n`)
}

await run(new Command('eval:rewrite:prepare')
  .description('Writes one JSON line for each query that the plugin would have rewritten: {id, provider, model, promptVersion, system, prompt, maxTokens}.\n'
    + 'Answer them with eval:rewrite:record, or with anything that writes lines {id, provider, model, response}; then eval:rewrite:score.')
  .option('--dir <folder>', 'folder of the sets', SHARED_SETS)
  .option('--set <names...>', 'only these sets')
  .option('--limit <n>', 'queries of each set, at most, at even distances', wholeNumber)
  .option('--provider <id>', 'provider route of DSH', DEFAULT_ROUTE.provider)
  .option('--model <id>', 'model of the route', DEFAULT_ROUTE.model)
  .addOption(new Option('--when <policy>', 'which queries').choices(REWRITE_WHEN.filter(when => when !== 'never')).default('auto'))
  .option('--out <file>', 'where the requests go', join(EVAL_FOLDER, REQUESTS_FILE))
  .action(main))
