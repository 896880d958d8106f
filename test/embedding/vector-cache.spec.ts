import { execFile } from 'node:child_process'
import { appendFile, copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createVectorCache } from '../../src/embedding/vector-cache.ts'
import type { VectorCache } from '../../src/embedding/vector-cache.ts'
import type { StoredVector } from '../../src/vectors/vector-rows.ts'
import { identityHash, recordBytes, vectorKey } from '../../src/embedding/vector-segment.ts'

const CACHE_MODULE = fileURLToPath(new URL('../../src/embedding/vector-cache.ts', import.meta.url))
const SEGMENT_MODULE = fileURLToPath(new URL('../../src/embedding/vector-segment.ts', import.meta.url))

let folder: string
let warnings: string[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vectors-'))
  warnings = []
})

afterEach(async () => { await rm(folder, { recursive: true }) })

function open(identity = 'model', maxBytes = 1_000_000): VectorCache {
  return createVectorCache({ folder, identity, maxBytes, warn: message => warnings.push(message) })
}

/** Vectors that say whose they are. */
function vectors(from: number, to: number, size = 8): Map<string, StoredVector> {
  return new Map(Array.from({ length: to - from }, (_, at) => [vectorKey(`text ${from + at}`), Int8Array.from({ length: size }, () => (from + at) % 100)]))
}

const keys = (from: number, to: number): Set<string> => new Set(vectors(from, to).keys())
const home = (identity = 'model'): string => join(folder, identityHash(identity))
const segments = async (): Promise<string[]> => (await readdir(home())).map(name => join(home(), name))

describe('vectors on disk', () => {
  it('are there after a restart, and nothing else is', async () => {
    await open().write(vectors(0, 10))
    expect(await open().read(keys(5, 15))).toEqual(vectors(5, 10))
    expect(warnings).toEqual([])
  })

  it('are none in a folder that does not exist', async () => {
    expect(await open().read(keys(0, 5))).toEqual(new Map())
  })

  it('are of one model alone', async () => {
    await open('model').write(vectors(0, 5))
    expect(await open('other').read(keys(0, 5))).toEqual(new Map())
    expect(await open('model').read(keys(0, 5))).toEqual(vectors(0, 5))
  })

  it('become one file when files are many, and none is lost', async () => {
    const cache = open()
    for (let part = 0; part < 12; part++) await cache.write(vectors(part * 10, part * 10 + 10))
    expect((await segments()).length).toBeLessThan(9)
    expect(await cache.read(keys(0, 120))).toEqual(vectors(0, 120))
  })

  it('stay within the bound: the newest are kept', async () => {
    const cache = open('model', 100 * recordBytes(8))
    for (let part = 0; part < 20; part++) await cache.write(vectors(part * 10, part * 10 + 10))
    const bytes = await Promise.all((await segments()).map(async file => (await stat(file)).size))
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(110 * recordBytes(8))
    expect(await cache.read(keys(190, 200))).toEqual(vectors(190, 200))
    expect((await cache.read(keys(0, 200))).size).toBeGreaterThan(80)
  })

  it('are forgotten when the model has changed', async () => {
    await open().write(vectors(0, 10))
    await open().clear()
    expect(await open().read(keys(0, 10))).toEqual(new Map())
  })

  it('of another size are left behind by newer ones', async () => {
    await open().write(vectors(0, 10, 8))
    await new Promise(resolve => setTimeout(resolve, 20))
    await open().write(vectors(10, 20, 4))
    expect(await open().read(keys(0, 20))).toEqual(vectors(10, 20, 4))
  })
})

describe('a catalogue that changes', () => {
  it('reads what it needs of files that were read before, and nothing when it needs nothing', async () => {
    const cache = open()
    await cache.write(vectors(0, 100))
    await cache.read(keys(0, 100))
    // Who reads more than single records reads this.
    const [file] = await segments()
    const bytes = await readFile(file!)
    bytes.fill(0, 0, 60)
    await writeFile(file!, bytes)
    expect(await cache.read(keys(98, 103))).toEqual(vectors(98, 100))
    expect(await cache.read(keys(200, 300))).toEqual(new Map())
    expect(warnings).toEqual([])
    expect(await open().read(keys(98, 103))).toEqual(new Map())
    expect(warnings.join()).toMatch(/is not of this model/)
  })

  it('finds what another process wrote or merged meanwhile', async () => {
    const cache = open()
    await cache.write(vectors(0, 100))
    await cache.read(keys(0, 100))
    for (let part = 10; part < 22; part++) await open().write(vectors(part * 10, part * 10 + 10))
    expect(await cache.read(keys(99, 220))).toEqual(vectors(99, 220))
    expect(warnings).toEqual([])
  })

  it('loses what was damaged meanwhile, alone', async () => {
    const cache = open()
    await cache.write(vectors(0, 100))
    await cache.read(keys(0, 100))
    const [file] = await segments()
    const bytes = await readFile(file!)
    bytes[bytes.length - 10]! ^= 0xFF
    await writeFile(file!, bytes)
    const last = [...keys(0, 100)].sort().slice(-3)
    expect([...(await cache.read(new Set(last))).keys()].sort()).toEqual(last.slice(0, 2))
    expect(warnings.join()).toMatch(/is damaged; 99 vectors of it are used/)
    expect((await cache.read(keys(0, 100))).size).toBe(99)
  })
})

describe('files that are not what they should be', () => {
  /** Writes two segments, spoils the first, and reads. */
  async function spoiled(spoil: (file: string) => Promise<void>): Promise<Map<string, StoredVector>> {
    await open().write(vectors(0, 10))
    const [file] = await segments()
    await open().write(vectors(10, 20))
    await spoil(file!)
    return open().read(keys(0, 20))
  }

  const flip = (at: number) => async (file: string): Promise<void> => {
    const bytes = await readFile(file)
    bytes[at < 0 ? bytes.length + at : at]! ^= 0xFF
    await writeFile(file, bytes)
  }

  it.each<[string, (file: string) => Promise<void>, number, RegExp]>([
    ['a flipped byte loses its record', flip(-10), 19, /is damaged; 9 vectors of it are used/],
    ['a truncated file loses its end', async file => truncate(file, (await stat(file)).size - recordBytes(8) - 3), 18, /is damaged; 8 vectors/],
    ['a damaged header loses the file', flip(45), 10, /is not of this model; 0 vectors/],
    ['an empty file has nothing', async file => writeFile(file, ''), 10, /is not of this model/],
    ['a text has nothing', async file => writeFile(file, 'hello '.repeat(50)), 10, /is not of this model/],
    ['bytes at the end do no harm', async file => appendFile(file, 'more'), 20, /^$/],
  ])('%s', async (_what, spoil, left, warning) => {
    const found = await spoiled(spoil)
    expect(found.size).toBe(left)
    for (const [key, vector] of found) expect(vector).toEqual(vectors(0, 20).get(key))
    expect(warnings.join()).toMatch(warning)
  })

  it('are repaired: what was lost is written again, and the next start has nothing to say', async () => {
    await spoiled(flip(-10))
    warnings = []
    await open().write(vectors(0, 10))
    expect(await open().read(keys(0, 20))).toEqual(vectors(0, 20))
    expect(warnings).toEqual([])
  })

  it('of another model, under a name of this one, are not used', async () => {
    await open('other').write(vectors(0, 10))
    await mkdir(home(), { recursive: true })
    const [name] = await readdir(home('other'))
    await copyFile(join(home('other'), name!), join(home(), name!))
    expect(await open().read(keys(0, 10))).toEqual(new Map())
    expect(warnings.join()).toMatch(/is not of this model/)
    expect(await open('other').read(keys(0, 10))).toEqual(vectors(0, 10))
  })

  it('and were never ours, are left alone', async () => {
    await open().write(vectors(0, 10))
    await writeFile(join(home(), 'notes.txt'), 'mine')
    await open().clear()
    expect(await readdir(home())).toEqual(['notes.txt'])
  })
})

describe('several processes at once', () => {
  /** Writes 40 parts of 5 vectors, each its own segment, so that compactions of all processes overlap. */
  const writer = (from: number): string => `
    import { createVectorCache } from ${JSON.stringify(CACHE_MODULE)}
    import { vectorKey } from ${JSON.stringify(SEGMENT_MODULE)}
    const cache = createVectorCache({ folder: ${JSON.stringify(folder)}, identity: 'model', maxBytes: 1e9, warn: message => console.log(message) })
    for (let part = 0; part < 40; part++) {
      const texts = Array.from({ length: 5 }, (_, at) => ${from} + part * 5 + at)
      await cache.write(new Map(texts.map(text => [vectorKey('text ' + text), Int8Array.from({ length: 8 }, () => text % 100)])))
      await cache.read(new Set())
    }`

  it('lose nothing', async () => {
    const run = async (from: number) => promisify(execFile)(process.execPath, ['--no-warnings', '--input-type=module', '--eval', writer(from)])
    const outputs = await Promise.all([run(0), run(200), run(100)])
    expect(outputs.map(({ stdout, stderr }) => stdout + stderr)).toEqual(['', '', ''])
    expect(await open().read(keys(0, 400))).toEqual(vectors(0, 400))
    expect((await segments()).filter(file => file.endsWith('.tmp'))).toEqual([])
  })
})
