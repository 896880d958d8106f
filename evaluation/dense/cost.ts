/**
 * What dense retrieval costs the process that hosts it: time, memory, and the longest time its event loop stood still.
 * @module
 */

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { createRandom, sample } from '../random.ts'
import type { Progress } from '../report/progress.ts'
import type { QuerySet } from '../sets.ts'
import type { HostTask } from './host.ts'
import type { MeasuredModel } from './models.ts'

/** Tools that are embedded. */
const TOOLS = 1_000

/** Tools that are searched. */
const SEARCHED_TOOLS = 15_000

/** Queries that are embedded. */
const QUERIES = 50

const HOST = fileURLToPath(new URL('./host.ts', import.meta.url))

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

/**
 * Measures in a process that hosts nothing but the channel.
 * @param sets - tools and queries are taken from the largest one.
 * @throws Error when that process fails; what it said is on standard error.
 */
export async function measureCost(model: MeasuredModel, sets: readonly QuerySet[], progress: Progress): Promise<DenseCost> {
  const { config, modelFolder } = model
  const [largest] = [...sets].sort((a, b) => b.tools.length - a.tools.length)
  const task: HostTask = {
    config,
    modelFolder,
    tools: sample(largest!.tools, TOOLS, createRandom(1)),
    queries: sample(largest!.queries, QUERIES, createRandom(1)).map(({ query }) => query),
    searchedTools: SEARCHED_TOOLS,
  }
  progress.stage(`cost: ${task.tools.length} tools`, 1)
  const folder = mkdtempSync(join(tmpdir(), 'dense-host-'))
  try {
    const file = join(folder, 'task.json')
    writeFileSync(file, JSON.stringify(task))
    const child = spawn(process.execPath, [HOST, file], { stdio: ['ignore', 'pipe', 'inherit'] })
    const code = new Promise(resolve => child.once('close', resolve))
    const answer = await text(child.stdout)
    if (await code !== 0) throw new Error('the process that hosts the channel failed; see above')
    progress.step()
    return JSON.parse(answer) as DenseCost
  } finally {
    rmSync(folder, { recursive: true })
  }
}
