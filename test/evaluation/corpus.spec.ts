import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CorpusError, verifyCorpus, type CorpusQuery } from '../../evaluation/corpus/integrity.ts'

const FROZEN = fileURLToPath(new URL('../../fixtures/corpus', import.meta.url))
const COMMAND = fileURLToPath(new URL('../../evaluation/corpus-verify.ts', import.meta.url))

let copy: string

beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'corpus-'))
  cpSync(FROZEN, copy, { recursive: true })
})

afterEach(() => { rmSync(copy, { recursive: true }) })

function edit(file: string, change: (text: string) => string): void {
  const before = readFileSync(join(copy, file), 'utf8')
  const after = change(before)
  expect(after, 'the edit must change something').not.toBe(before)
  writeFileSync(join(copy, file), after)
}

/** A forger's edit: the query changes and its hash with it, so that only the other checks can notice. */
function forgeQuery(position: number, change: (query: CorpusQuery) => object): void {
  edit('queries.jsonl', text => text.split('\n').map((line, i) =>
    i === position ? JSON.stringify(change(JSON.parse(line) as CorpusQuery)) : line).join('\n'))
  const hash = createHash('sha256').update(readFileSync(join(copy, 'queries.jsonl'))).digest('hex')
  edit('info.json', text => text.replace(/("queries.jsonl": ")[0-9a-f]{64}/, `$1${hash}`))
}

const verifyByCommand = (folder?: string) =>
  spawnSync(process.execPath, ['--experimental-strip-types', '--no-warnings', COMMAND, ...folder === undefined ? [] : [folder]], { encoding: 'utf8' })

describe('the frozen corpus', () => {
  it('is the one that info.json names', () => {
    expect(verifyCorpus(FROZEN).problems).toEqual([])
  })

  it('is at least as large and as varied as it was asked to be', () => {
    const { tools, queries } = verifyCorpus(FROZEN)
    expect(tools).toBeGreaterThanOrEqual(130)
    expect(queries.length).toBeGreaterThanOrEqual(360)
    expect(new Set(queries.map(query => query.kind)).size).toBe(9)
    expect(new Set(queries.map(query => query.lang)).size).toBe(9)
  })
})

describe('a changed corpus is found out', () => {
  it.each([
    ['a word of a definition', 'tools.json', 'Open a new pull request', 'Open a pull request'],
    ['a label', 'queries.jsonl', '"mcp__codeforge__create_release"', '"mcp__codeforge__create_branch"'],
    ['line ends', 'queries.jsonl', '\n', '\r\n'],
  ])('by its hash: %s', (_what, file, from, to) => {
    edit(file, text => text.replace(from, to))
    expect(verifyCorpus(copy).problems).toEqual([expect.stringMatching(new RegExp(`^${file}: SHA-256 is .* needs a new version$`))])
  })

  it.each<[string, (query: CorpusQuery) => object, RegExp]>([
    ['a relevant tool that is not there', query => ({ ...query, relevant: ['create_unicorn'] }), /^id-002: relevant tool "create_unicorn" is not in tools.json$/],
    ['an id used twice', query => ({ ...query, id: 'id-001' }), /^queries.jsonl: more than one query has the id "id-001"$/],
    ['a query asked twice', query => ({ ...query, query: 'MCP__codeforge__create_pull_request ' }), /^queries.jsonl: asked more than once/],
    ['an unknown language', query => ({ ...query, lang: 'tlh' }), /^languages: "tlh" is not in info.json$/],
    ['an unknown kind', query => ({ ...query, kind: 'riddle' }), /^kinds: "riddle" is not in info.json$/],
    ['an answerable query without labels', query => ({ ...query, relevant: [] }), /^id-002: exactly the no-match queries have no relevant tool$/],
    ['"any" with nothing to choose from', query => ({ ...query, mode: 'any' }), /^id-002: mode "any" needs at least two relevant tools$/],
  ])('by its labels, with the hash forged: %s', (_what, change, problem) => {
    forgeQuery(1, change)
    expect(verifyCorpus(copy).problems).toContainEqual(expect.stringMatching(problem))
  })

  it('by its counts, with the hash forged: a query too few', () => {
    edit('info.json', text => text.replace(/"queries": (\d+)/, (_, n: string) => `"queries": ${Number(n) + 1}`))
    expect(verifyCorpus(copy).problems).toEqual([expect.stringMatching(/^counts.queries: found \d+, info.json says \d+$/)])
  })

  it.each<[string, () => void, RegExp]>([
    ['a missing file', () => { unlinkSync(join(copy, 'tools.json')) }, /^tools.json: ENOENT/],
    ['a line that is no JSON', () => { edit('queries.jsonl', text => text.replace('{', '')) }, /^queries.jsonl:1: not JSON/],
    ['a field nobody knows', () => { forgeQuery(2, query => ({ ...query, weight: 2 })) }, /^queries.jsonl:3: .*additional properties/],
  ])('by its shape: %s', (_what, damage, message) => {
    damage()
    expect(() => verifyCorpus(copy)).toThrow(CorpusError)
    expect(() => verifyCorpus(copy)).toThrow(message)
  })
})

describe('eval:verify', () => {
  it('prints the table and exits 0 on the frozen corpus', () => {
    const { status, stdout, stderr } = verifyByCommand()
    expect(stderr).toBe('')
    expect(stdout).toMatch(/sibling-confusion/)
    expect(stdout).toMatch(/^Corpus 1\.0\.0: \d+ tools, \d+ queries; hashes, counts and labels hold\.$/m)
    expect(status).toBe(0)
  })

  it('names the file and exits 1 on a tampered copy', () => {
    edit('tools.json', text => text.replace('Create a branch.', 'Make a branch.'))
    const { status, stdout, stderr } = verifyByCommand(copy)
    expect(status).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/tools\.json: SHA-256 is/)
  })

  it('exits 1 with one line, not a stack trace, when there is nothing to check', () => {
    const { status, stderr } = verifyByCommand(join(copy, 'nowhere'))
    expect(status).toBe(1)
    expect(stderr).toMatch(/^The corpus can't be checked: info\.json: ENOENT in [^\n]*\n$/)
  })
})
