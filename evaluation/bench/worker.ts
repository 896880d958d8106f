/**
 * One engine on one catalogue, in a process of its own: what building, updating and asking cost in time and memory.
 *
 * Arguments: engine id, file with `{tools, queries}`. Prints an {@link EngineCost} as JSON. Needs `--expose-gc`.
 * @module
 */

import { readFileSync } from 'node:fs'
import type { ToolDeclaration } from '../../src/catalog/types.ts'
import type { Engine } from '../engines/engine.ts'
import { quantile } from '../metrics.ts'
import type { BenchQuery } from './catalogs.ts'

export interface Quantiles {
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

export interface EngineCost {
  readonly buildMs: number
  /** The build and one answer: what an engine leaves to its first search counts too. */
  readonly firstAnswerMs: number
  /** Median of changing one tool and getting one answer, for the same reason. */
  readonly updateMs: number
  /** The same of the first {@link FIRST_UPDATES}, whose code has hardly run before. */
  readonly firstUpdateMs: number
  readonly all: Quantiles
  readonly english: Quantiles
  /** Resident memory above the bare process, with the tools, the engine's code, its index and what queries left, in bytes. */
  readonly residentBytes: number
  /** The same when V8 has given back the empty pages that it keeps for later, as it does where memory is short. */
  readonly neededBytes: number
  /** Live memory above that of the tools themselves, in bytes. */
  readonly liveBytes: number
}

/** Queries asked before the clock counts. */
const WARM_UP = 40

/** Every query is asked once in each pass, and its best time counts: other work of the machine is not the engine's. */
const PASSES = 3

/** Changes that are timed, if they fit into some seconds. */
const UPDATES = 101
const FIRST_UPDATES = 7
const UPDATES_MS = 5_000

const ENGINES: Readonly<Record<string, () => Promise<Engine>>> = {
  ours: async () => (await import('../engines/ours.ts')).createOurs(),
  baseline: async () => (await import('../engines/baseline.ts')).baseline,
  minisearch: async () => (await import('../engines/minisearch.ts')).minisearch,
  orama: async () => (await import('../engines/orama.ts')).orama,
}

function memory(flavor: 'regular' | 'last-resort' = 'regular'): { readonly resident: number; readonly live: number } {
  for (let i = 0; i < 2; i++) gc!({ type: 'major', execution: 'sync', flavor })
  const { rss, heapUsed, external } = process.memoryUsage()
  return { resident: rss, live: heapUsed + external }
}

function quantiles(times: readonly number[]): Quantiles {
  return { p50: quantile(times, 0.5), p95: quantile(times, 0.95), p99: quantile(times, 0.99) }
}

async function timed(action: () => unknown): Promise<number> {
  const startedAt = performance.now()
  await action()
  return performance.now() - startedAt
}

async function measure(engineId: string, file: string): Promise<EngineCost> {
  const bare = memory()
  const { tools, queries } = JSON.parse(readFileSync(file, 'utf8')) as { tools: ToolDeclaration[]; queries: BenchQuery[] }
  const withTools = memory()
  const engine = await ENGINES[engineId]!()
  const startedAt = performance.now()
  const index = await engine.build(tools)
  const buildMs = performance.now() - startedAt
  const probe = queries.find(({ isEnglish }) => isEnglish)!.query
  await index.search(probe, 10)
  const firstAnswerMs = performance.now() - startedAt
  // Before anything is timed: what gives pages back forgets compiled code, too.
  for (const { query } of queries) await index.search(query, 10)
  const after = memory()
  const needed = memory('last-resort')
  for (const { query } of queries.slice(0, WARM_UP)) await index.search(query, 10)
  const times = queries.map(() => Infinity)
  for (let pass = 0; pass < PASSES; pass++) {
    for (const [i, { query }] of queries.entries()) times[i] = Math.min(times[i]!, await timed(() => index.search(query, 10)))
  }
  const updates: number[] = []
  const until = performance.now() + UPDATES_MS
  for (let i = 0; i < UPDATES && (i < FIRST_UPDATES || performance.now() < until); i++) {
    const tool = tools[Math.floor((i + 0.5) * tools.length / UPDATES)]!
    updates.push(await timed(async () => {
      await index.replace({ ...tool, description: `${tool.description ?? ''} Changed ${i} times.` })
      await index.search(probe, 10)
    }))
  }
  return {
    buildMs,
    firstAnswerMs,
    updateMs: quantile(updates, 0.5),
    firstUpdateMs: quantile(updates.slice(0, FIRST_UPDATES), 0.5),
    all: quantiles(times),
    english: quantiles(times.filter((_, i) => queries[i]!.isEnglish)),
    residentBytes: after.resident - bare.resident,
    neededBytes: needed.resident - bare.resident,
    liveBytes: after.live - withTools.live,
  }
}

const [engineId, file] = process.argv.slice(2)
process.stdout.write(JSON.stringify(await measure(engineId!, file!)))
