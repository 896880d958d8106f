import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { measureCost } from '../../evaluation/dense/cost.ts'
import type { MeasuredModel } from '../../evaluation/dense/models.ts'
import { createProgress } from '../../evaluation/report/progress.ts'
import type { QuerySet } from '../../evaluation/sets.ts'
import { resolveDense } from '../../src/dense-config.ts'
import type { DenseConfig } from '../../src/dense-config.ts'
import { writeTinyE5 } from '../support/tiny-e5.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dense-evaluation-'))
  writeTinyE5(folder)
})

afterAll(() => { rmSync(folder, { recursive: true }) })

const set = {
  name: 'small',
  catalogLang: 'en',
  tools: Array.from({ length: 30 }, (_, at) => ({ name: `create_event_${at}`, description: `Create event number ${at}.` })),
  queries: [{ id: '1', query: 'create an event', relevant: ['create_event_1'], lang: 'en' }],
} as unknown as QuerySet

const model = (change: Partial<DenseConfig> = {}): MeasuredModel => ({
  id: 'tiny', label: 'tiny', modelFolder: folder,
  config: resolveDense({ offline: true, wait: true, timeoutMs: 60_000, ...change }) as DenseConfig,
})

describe('the cost of dense retrieval', { timeout: 60_000 }, () => {
  it('is measured in a process that hosts nothing else', async () => {
    const cost = await measureCost(model(), [set], createProgress())
    expect(cost).toMatchObject({ tools: 30, dimensions: 384, searchedTools: 15_000 })
    const { indexMs, restartMs, embedMs, searchP50, memoryMegabytes, indexStall } = cost
    expect([indexMs, restartMs, embedMs, searchP50, memoryMegabytes, indexStall.cpu].filter(value => !(value > 0))).toEqual([])
  })

  it('is no figure at all when that process fails', async () => {
    const broken: MeasuredModel = { ...model(), config: { ...model().config, provider: 'http', url: 'no address' } }
    await expect(measureCost(broken, [set], createProgress())).rejects.toThrow('the process that hosts the channel failed')
  })
})
