import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOurs } from '../../evaluation/engines/ours.ts'
import { baseline } from '../../evaluation/engines/baseline.ts'
import { measureAblations } from '../../evaluation/probes/ablations.ts'
import { measureScale } from '../../evaluation/probes/scale.ts'
import { measureTies } from '../../evaluation/probes/ties.ts'
import { measureQuality } from '../../evaluation/recall/measure.ts'
import { loadSets } from '../../evaluation/sets.ts'
import { DEFAULT_RETRIEVAL } from '../../src/retrieval-defaults.ts'

const COMMAND = fileURLToPath(new URL('../../evaluation/recall.ts', import.meta.url))

const run = promisify(execFile)

const silent = { stage: () => undefined, step: () => undefined, end: () => undefined }

let folder: string

const tools = [
  { name: 'get_weather', description: 'Weather forecast of a city.', parameters: { properties: { city: { type: 'string' } } } },
  { name: 'list_issues', description: 'List the open issues of a repository.', parameters: {} },
  { name: 'send_mail', description: 'Send a letter to somebody.', parameters: {} },
]

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dsh-tool-retriever-recall-'))
  mkdirSync(join(folder, 'tiny'))
  writeFileSync(join(folder, 'tiny', 'tools.json'), JSON.stringify(tools))
  writeFileSync(join(folder, 'tiny', 'queries.jsonl'), [
    { id: '1', query: 'weather in Paris', relevant: ['get_weather'], lang: 'en' },
    { id: '2', query: 'forecst', relevant: ['get_weather'], lang: 'en' },
    { id: '3', query: 'issues and a letter', relevant: ['list_issues', 'send_mail'], lang: 'en' },
  ].map(query => JSON.stringify(query)).join('\n'))
})

afterAll(() => rmSync(folder, { recursive: true }))

describe('eval:recall', { timeout: 60_000 }, () => {
  it('measures a set beside the baseline and writes every answer', async () => {
    const { stdout } = await run(process.execPath,
      [COMMAND, '--dir', folder, '--out', folder, '--engine', 'baseline', '--no-probes', '--no-results'], { cwd: tmpdir() })
    expect(stdout).toContain('All sets: plain mean over 1 sets, in per cent')
    const { quality } = JSON.parse(readFileSync(join(folder, 'recall.json'), 'utf8')) as { quality: { macro: Record<string, unknown> } }
    expect(quality.macro['ours']).toMatchObject({ recall1: (1 + 1 + 0.5) / 3, recall8: 1, mrr10: 1, empty: 0 })
    expect(quality.macro['baseline']).toMatchObject({ recall1: 0.5, recall8: 2 / 3, empty: 1 / 3 })
    expect(readFileSync(join(folder, 'recall-answers.jsonl'), 'utf8').trimEnd().split('\n')).toHaveLength(6)
  })

  it('says what is missing where there are no sets, and measures the own corpus', async () => {
    const missing = join(folder, 'missing')
    const { stdout, stderr } = await run(process.execPath, [COMMAND, '--dir', missing, '--out', folder, '--engine', 'baseline'])
    expect(stderr).toContain(`no judged sets in ${missing}. A set is a folder with tools.json and queries.jsonl; --dir says where they are.`)
    expect(stdout).toMatch(/^Own frozen corpus by kind of query/)
  })

  it('names the sets that exist when one is asked for that does not', async () => {
    await expect(run(process.execPath, [COMMAND, '--dir', folder, '--set', 'huge'])).rejects.toMatchObject({
      code: 2, stdout: '', stderr: `eval:recall: no set "huge" in ${folder}; there are: tiny\n`,
    })
  })
})

describe('ablations', () => {
  it('take out what they say: whole, one channel, one rule', async () => {
    const reports = await measureAblations(loadSets(folder), DEFAULT_RETRIEVAL, silent)
    const recall8 = (label: string) => reports.find(report => report.label.startsWith(label))!.macro.recall8
    expect(recall8('all of it')).toBe(1)
    expect(recall8('without spelling')).toBeLessThan(1)
    expect(recall8('without sentences')).toBe(1)
    expect(recall8('only channel bm25')).toBe(1)
  })
})

describe('stress', () => {
  it('finds no effect of the order of registration on ours', async () => {
    const { engines: [ours] } = await measureTies(loadSets(folder), [createOurs()], silent)
    expect(ours).toMatchObject({ sets: 1, spread: 0, changed: 0 })
  })

  it('asks the same queries of a catalogue with distractors', async () => {
    const sets = loadSets(folder)
    const engines = [createOurs(), baseline]
    const { runs } = await measureQuality(sets, engines, silent)
    const distractors = [{ name: 'get_weather', description: 'A stranger of the same name is left out.' },
      ...Array.from({ length: 9 }, (_, i) => ({ name: `forecst_${i}`, description: 'forecst' }))]
    const { engines: [ours] } = await measureScale(sets, distractors, engines, runs, silent)
    expect(ours).toMatchObject({ own: 1, large: 2 / 3 })
  })
})
