/**
 * `pnpm eval:rewrite:auto`: when is a model worth asking, and what should its words count? Measured without one.
 * @module
 */

import { resolve } from 'node:path'
import { Command } from 'commander'
import { createProgress } from '../report/progress.ts'
import { writeSection } from '../report/results.ts'
import { toMarkdown, toTerminal } from '../report/table.ts'
import { loadSets, SetError, SHARED_SETS } from '../sets.ts'
import { run, wholeNumber } from './command.ts'
import { measureCertainty } from './certainty.ts'
import { measureParser } from './corpus.ts'
import { measureOverhead } from './overhead.ts'
import { thinned } from './requests.ts'
import { measureSimulated, mistakenTasks, translatedTasks } from './simulated.ts'
import { languageTable, overheadTable, parserTable, thresholdTable, weightTable } from './tables.ts'

interface Options {
  readonly dir: string
  readonly sample: number
  readonly results: boolean
}

async function main({ dir, sample, results }: Options): Promise<void> {
  const all = loadSets(resolve(dir)).filter(({ queries }) => queries.length > 0)
  if (all.length === 0) throw new SetError(`no judged set in ${resolve(dir)}; --dir says where sets are`)
  const sets = all.map(set => thinned(set, sample))
  const progress = createProgress()
  const judged = await measureCertainty(sets, progress)
  const translations = translatedTasks(all).map(task => ({ ...task, rewrites: task.rewrites.slice(0, sample) }))
  const translated = translations.length === 0 ? undefined : await measureSimulated('best case', translations, progress)
  const mistaken = await measureSimulated('worst case', mistakenTasks(sets.map(set => thinned(set, Math.ceil(sample / 4)))), progress)
  const bySize = sets.toSorted((a, b) => a.tools.length - b.tools.length)
  const overheads = []
  for (const set of [bySize[Math.floor(bySize.length / 2)]!, bySize.at(-1)!]) overheads.push(await measureOverhead(set, progress))
  progress.end()
  const tables = [
    thresholdTable(judged), languageTable(judged), weightTable(translated, mistaken), overheadTable(overheads),
    parserTable(measureParser()),
  ]
  process.stdout.write(`${tables.map(toTerminal).join('\n\n')}\n`)
  if (!results) return
  writeSection({
    id: 'rewrite-auto',
    title: 'When is a rewrite worth a model call?',
    command: 'pnpm eval:rewrite:auto',
    body: tables.map(table => toMarkdown(table)).join('\n\n'),
  })
}

await run(new Command('eval:rewrite:auto')
  .description('Measures when the local channels are sure enough to ask no model, and what a rewritten query should count. Needs no model.')
  .option('--dir <folder>', 'folder of the sets', SHARED_SETS)
  .option('--sample <n>', 'queries of each set, at most, at even distances', wholeNumber, 200)
  .option('--no-results', 'leave RESULTS.md as it is')
  .action(main))
