/**
 * Run as a process of its own by `cost.ts`: hosts the dense channel as DSH would, with nothing else in memory, and measures what that
 * costs. In the evaluation's own process the garbage of eighteen sets would be measured with it.
 * @module
 */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createCatalogStore } from '../../src/catalog/store.ts'
import type { ToolDeclaration } from '../../src/catalog/types.ts'
import { createDenseChannel } from '../../src/channels/dense.ts'
import type { DenseChannel } from '../../src/channels/dense.ts'
import { topK } from '../../src/channels/top-k.ts'
import type { DenseConfig } from '../../src/dense-config.ts'
import { createE5Provider } from '../../src/embedding/e5.ts'
import { createHttpProvider } from '../../src/embedding/http.ts'
import type { EmbeddingProvider } from '../../src/embedding/provider.ts'
import { createMatrix } from '../../src/vectors/vector-matrix.ts'
import { storeVector } from '../../src/vectors/vector-rows.ts'
import { planQuery } from '../../src/query/planner.ts'
import { quantile } from '../metrics.ts'
import { createRandom } from '../random.ts'
import type { Random } from '../random.ts'
import type { DenseCost, Stall } from './cost.ts'

/** What the process is given, in a file. */
export interface HostTask {
  readonly config: DenseConfig
  readonly modelFolder: string
  readonly tools: readonly ToolDeclaration[]
  readonly queries: readonly string[]
  /** Tools of the search that is timed: vectors of random directions, since exact search takes as long for them. */
  readonly searchedTools: number
}

const SEARCHES = 200

const MEGABYTE = 1_048_576

/** Pause before anything is measured, in ms: what the start of a process leaves to do is no cost of dense. */
const SETTLING = 500

/** Longest measurement of an idle process, in ms. */
const LONGEST_IDLE = 20_000

interface Timed {
  readonly ms: number
  readonly stall: Stall
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** The monitor's own period is no stall. */
async function timed(work: () => Promise<unknown>): Promise<Timed> {
  const monitor = monitorEventLoopDelay({ resolution: 1 })
  let cpu = 0
  let last = cpuMs()
  const turns = setInterval(() => {
    const now = cpuMs()
    cpu = Math.max(cpu, now - last)
    last = now
  }, 1)
  monitor.enable()
  const startedAt = performance.now()
  await work()
  const ms = performance.now() - startedAt
  monitor.disable()
  clearInterval(turns)
  return { ms, stall: { wall: Math.max(0, monitor.max / 1e6 - 1), cpu } }
}

function randomVector(size: number, random: Random): Float32Array {
  const vector = Float32Array.from({ length: size }, () => random() - 0.5)
  const length = Math.hypot(...vector)
  return vector.map(value => value / length)
}

async function timeSearch(size: number, searchedTools: number): Promise<{ p50: number; p95: number }> {
  const random = createRandom(1)
  const rows = Array.from({ length: searchedTools }, () => storeVector(randomVector(size, random)))
  const matrix = await createMatrix(rows, size)
  const cosines = new Float32Array(searchedTools)
  const all = Int32Array.from(cosines.keys())
  const times = Array.from({ length: SEARCHES }, () => {
    const query = randomVector(size, random)
    const startedAt = performance.now()
    matrix.cosines([query], cosines)
    topK(all, searchedTools, cosines, 100)
    return performance.now() - startedAt
  })
  return { p50: quantile(times, 0.5), p95: quantile(times, 0.95) }
}

async function measure({ config, modelFolder, tools, queries, searchedTools }: HostTask): Promise<DenseCost> {
  const catalog = createCatalogStore().snapshot(tools)
  const cacheDir = mkdtempSync(join(tmpdir(), 'dense-cost-'))
  const provide = (): EmbeddingProvider => config.provider === 'http' ? createHttpProvider(config) : createE5Provider(config, modelFolder)
  const open = (provider: EmbeddingProvider): DenseChannel =>
    createDenseChannel({ ...config, cacheDir }, { provider, warn: message => process.stderr.write(`${message}\n`) })
  try {
    // The first plan of a process loads the language data of every search; that is no cost of dense.
    const plan = planQuery('warm up')
    await new Promise(resolve => setTimeout(resolve, SETTLING))
    const before = process.memoryUsage().rss
    const provider = provide()
    const cold = open(provider)
    const index = await timed(async () => cold.index(catalog).search(plan, 1))
    const coldIndex = cold.index(catalog)
    const memory = process.memoryUsage().rss - before
    const embedTimes: number[] = []
    for (const query of queries) {
      const startedAt = performance.now()
      await coldIndex.search(planQuery(query), 10)
      embedTimes.push(performance.now() - startedAt)
    }
    await cold.dispose()
    const warm = open(provide())
    const restart = await timed(async () => warm.index(catalog).search(plan, 1))
    await warm.dispose()
    const idle = await timed(async () => new Promise(resolve => setTimeout(resolve, Math.min(index.ms, LONGEST_IDLE))))
    const dimensions = provider.dimensions!
    const search = await timeSearch(dimensions, searchedTools)
    return {
      tools: catalog.tools.length,
      indexMs: index.ms,
      restartMs: restart.ms,
      indexStall: index.stall,
      restartStall: restart.stall,
      idleStall: idle.stall,
      memoryMegabytes: memory / MEGABYTE,
      embedMs: quantile(embedTimes, 0.5),
      dimensions,
      searchedTools,
      searchP50: search.p50,
      searchP95: search.p95,
    }
  } finally {
    rmSync(cacheDir, { recursive: true })
  }
}

process.stdout.write(JSON.stringify(await measure(JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as HostTask)))
