/**
 * What dense retrieval costs the process that hosts it: time, memory, and the longest time its event loop stood still.
 * @module
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createCatalogStore } from '../../src/catalog/store.ts'
import { createDenseChannel } from '../../src/channels/dense.ts'
import type { DenseChannel } from '../../src/channels/dense.ts'
import { topK } from '../../src/channels/top-k.ts'
import { createE5Provider } from '../../src/embedding/e5.ts'
import { createHttpProvider } from '../../src/embedding/http.ts'
import type { EmbeddingProvider } from '../../src/embedding/provider.ts'
import { createMatrix, storeVector } from '../../src/vectors/vector-matrix.ts'
import { planQuery } from '../../src/query/planner.ts'
import { quantile } from '../metrics.ts'
import { createRandom, sample } from '../random.ts'
import type { Random } from '../random.ts'
import type { Progress } from '../report/progress.ts'
import type { QuerySet } from '../sets.ts'
import type { MeasuredModel } from './models.ts'

/** Tools that are embedded. */
const TOOLS = 1_000

/** Tools that are searched: vectors of random directions, since exact search takes as long for them. */
const SEARCHED_TOOLS = 15_000
const SEARCHES = 200

export interface DenseCost {
  readonly tools: number
  /** From the first look at the catalogue to a usable index, nothing on disk, the model not loaded; ms. */
  readonly indexMs: number
  /** The same with every vector on disk; ms. */
  readonly restartMs: number
  /** Longest stalls of the host's event loop while that was done. */
  readonly indexStall: Stall
  readonly restartStall: Stall
  /** The same of an idle process on the same machine: what the machine itself adds. */
  readonly idleStall: Stall
  /** Resident memory that the model and the index took, in MB. */
  readonly memoryMegabytes: number
  /** Median time to embed one query, in ms. */
  readonly embedMs: number
  readonly dimensions: number
  readonly searchedTools: number
  /** Time of an exact search over so many, in ms. */
  readonly searchP50: number
  readonly searchP95: number
}

/** The longest time in which the event loop did not turn, in ms. */
export interface Stall {
  /** By the clock; other processes on the machine count. */
  readonly wall: number
  /** By the processor time of the host's thread: what its own work took, whatever else the machine does. */
  readonly cpu: number
}

interface Timed {
  readonly ms: number
  readonly stall: Stall
}

const MEGABYTE = 1_048_576

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

async function timeSearch(size: number): Promise<{ p50: number; p95: number }> {
  const random = createRandom(1)
  const rows = Array.from({ length: SEARCHED_TOOLS }, () => storeVector(randomVector(size, random)))
  const matrix = await createMatrix(rows, size)
  const cosines = new Float32Array(SEARCHED_TOOLS)
  const all = Int32Array.from(cosines.keys())
  const times = Array.from({ length: SEARCHES }, () => {
    const query = randomVector(size, random)
    const startedAt = performance.now()
    matrix.cosines([query], cosines)
    topK(all, SEARCHED_TOOLS, cosines, 100)
    return performance.now() - startedAt
  })
  return { p50: quantile(times, 0.5), p95: quantile(times, 0.95) }
}

/** @param sets - tools and queries are taken from the largest one. */
export async function measureCost(model: MeasuredModel, sets: readonly QuerySet[], progress: Progress): Promise<DenseCost> {
  const { config, modelFolder } = model
  const [largest] = [...sets].sort((a, b) => b.tools.length - a.tools.length)
  const catalog = createCatalogStore().snapshot(sample(largest!.tools, TOOLS, createRandom(1)))
  const queries = sample(largest!.queries, 50, createRandom(1))
  const cacheDir = mkdtempSync(join(tmpdir(), 'dense-cost-'))
  const provide = (): EmbeddingProvider => config.provider === 'http' ? createHttpProvider(config) : createE5Provider(config, modelFolder)
  const open = (provider: EmbeddingProvider): DenseChannel =>
    createDenseChannel({ ...config, cacheDir }, { provider, warn: message => process.stderr.write(`${message}\n`) })
  try {
    progress.stage(`cost: ${catalog.tools.length} tools`, 2)
    // The first plan of a process loads the language data of every search; that is no cost of dense.
    const plan = planQuery('warm up')
    const before = process.memoryUsage().rss
    const provider = provide()
    const cold = open(provider)
    const coldIndex = cold.index(catalog)
    const index = await timed(async () => coldIndex.search(plan, 1))
    const memory = process.memoryUsage().rss - before
    const embedTimes: number[] = []
    for (const { query } of queries) {
      const startedAt = performance.now()
      await coldIndex.search(planQuery(query), 10)
      embedTimes.push(performance.now() - startedAt)
    }
    await cold.dispose()
    progress.step()
    const warm = open(provide())
    const warmIndex = warm.index(catalog)
    const restart = await timed(async () => warmIndex.search(plan, 1))
    await warm.dispose()
    progress.step()
    const idle = await timed(async () => new Promise(resolve => setTimeout(resolve, Math.min(index.ms, 20_000))))
    const dimensions = provider.dimensions!
    const search = await timeSearch(dimensions)
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
      searchedTools: SEARCHED_TOOLS,
      searchP50: search.p50,
      searchP95: search.p95,
    }
  } finally {
    rmSync(cacheDir, { recursive: true })
  }
}
