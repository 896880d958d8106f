/**
 * Vectors on disk, so that a restart embeds nothing and a changed catalogue only what changed.
 *
 * A folder for each model holds immutable segments, each written under another name and renamed when it is complete, and named by the
 * SHA-256 of its bytes. Nothing is ever changed in place, so that any number of processes write at once without a lock and lose nothing;
 * a lock file would have to be broken when its owner dies. When segments are many, one that holds them all replaces them: it is
 * there before they are removed, and two processes that do it at the same time write the same bytes to the same name.
 * @module
 */

import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, stat, unlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { StoredVector } from '../vectors/vector-rows.ts'
import { identityHash, readRecord, readSegment, recordBytes, writeSegment } from './vector-segment.ts'

export interface VectorCache {
  /** The kept vectors of these keys, all of one size; a file that can't be read is as good as none. */
  read(keys: ReadonlySet<string>): Promise<Map<string, StoredVector>>
  /** Keeps vectors; resolves when they are on disk. @throws when the folder can't be written. */
  write(vectors: ReadonlyMap<string, StoredVector>): Promise<void>
  /** Forgets everything, when the model no longer answers vectors that fit. */
  clear(): Promise<void>
}

export interface VectorCacheOptions {
  /** Folder of all models' vectors. */
  readonly folder: string
  /** See `EmbeddingProvider.identity`. */
  readonly identity: string
  /** Bound of the model's segments together. */
  readonly maxBytes: number
  /** Told of files that were damaged or could not be read. */
  readonly warn: (message: string) => void
}

const SEGMENT = /^[0-9a-f]{64}\.vec$/
const UNFINISHED = /^[0-9a-f-]{36}\.tmp$/

/** More segments than this become one; each is one read at a start. */
const MOST_SEGMENTS = 8

/** A file that another process began so many ms ago and did not finish will not be finished. */
const UNFINISHED_AGE = 3_600_000

/** How often the folder is listed again because another process replaced segments while they were read. */
const LISTINGS = 4

/** Records whose places are remembered, in all segments: about 10 MB. Segments beyond that are read whole each time. */
const MOST_PLACES = 100_000

/** Reading one record in so many by itself takes as long as reading the file. */
const SCATTERED = 8

interface Segment {
  readonly name: string
  readonly modified: number
  readonly size: number
  readonly intact: boolean
  readonly vectors: Map<string, StoredVector>
  /** Whether `vectors` is all that it holds, rather than those of the wanted keys. */
  readonly isWhole: boolean
  readonly isEmpty: boolean
}

/** Where the records of a segment are; segments never change, so it holds for as long as the file exists. */
interface Places {
  readonly size: number
  readonly of: ReadonlyMap<string, number>
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}

export function createVectorCache({ folder, identity, maxBytes, warn }: VectorCacheOptions): VectorCache {
  const home = join(folder, identityHash(identity))
  /** Of intact segments that were read, by name: a catalogue that changed reads only what it needs of them. */
  const places = new Map<string, Places>()

  async function names(): Promise<string[]> {
    try {
      return (await readdir(home)).sort()
    } catch (error: unknown) {
      if (isMissing(error)) return []
      throw error
    }
  }

  async function readWhole(name: string): Promise<Segment> {
    const file = join(home, name)
    const [bytes, { mtimeMs }] = await Promise.all([readFile(file), stat(file)])
    const { state, size, vectors, places: of } = await readSegment(identity, bytes)
    if (state !== 'intact') {
      warn(`the vector cache file ${file} is ${state === 'damaged' ? 'damaged' : 'not of this model'}; ${vectors.size} vectors of it are used, `
        + 'the others are computed again')
    }
    places.delete(name)
    const remembered = [...places.values()].reduce((sum, { of: { size: records } }) => sum + records, 0)
    if (state === 'intact' && remembered + of.size <= MOST_PLACES) places.set(name, { size, of })
    return { name, modified: mtimeMs, size, intact: state === 'intact', vectors, isWhole: true, isEmpty: vectors.size === 0 }
  }

  /** Reads the records of these keys alone. @returns undefined when they are many, or one of them is not what it was. */
  async function readSome(name: string, { size, of }: Places, keys: ReadonlySet<string>): Promise<Segment | undefined> {
    const wanted = [...keys].filter(key => of.has(key))
    if (wanted.length > of.size / SCATTERED) return undefined
    const vectors = new Map<string, StoredVector>()
    const { mtimeMs } = await stat(join(home, name))
    const file = wanted.length === 0 ? undefined : await open(join(home, name))
    try {
      for (const key of wanted) {
        const vector = await readRecord(file!, key, of.get(key)!, size)
        if (vector === undefined) return undefined
        vectors.set(key, vector)
      }
    } finally {
      await file?.close()
    }
    return { name, modified: mtimeMs, size, intact: true, vectors, isWhole: false, isEmpty: of.size === 0 }
  }

  async function readOne(name: string, keys: ReadonlySet<string> | undefined): Promise<Segment> {
    const known = keys === undefined ? undefined : places.get(name)
    const some = known === undefined ? undefined : await readSome(name, known, keys!)
    return some ?? readWhole(name)
  }

  /**
   * Every segment, newest first. A segment that vanishes was replaced by one that holds all of it, so the folder is listed again.
   * @param keys - of the vectors that are wanted; all when left out.
   */
  async function readAll(keys?: ReadonlySet<string>): Promise<Segment[]> {
    const read = new Map<string, Segment>()
    for (let listing = 0; listing < LISTINGS; listing++) {
      let vanished = false
      const present = (await names()).filter(entry => SEGMENT.test(entry))
      for (const name of places.keys()) if (!present.includes(name)) places.delete(name)
      for (const name of present) {
        if (read.has(name)) continue
        try {
          read.set(name, await readOne(name, keys))
        } catch (error: unknown) {
          if (isMissing(error)) vanished = true
          else warn(`the vector cache file ${join(home, name)} can not be read: ${String(error)}`)
        }
      }
      if (!vanished) break
    }
    return [...read.values()].sort((a, b) => b.modified - a.modified || (a.name < b.name ? -1 : 1))
  }

  /** Adds a segment under the hash of its bytes. @returns its name. */
  async function add(vectors: ReadonlyMap<string, StoredVector>): Promise<string> {
    const bytes = await writeSegment(identity, vectors)
    const name = `${createHash('sha256').update(bytes).digest('hex')}.vec`
    await mkdir(home, { recursive: true })
    const unfinished = join(home, `${randomUUID()}.tmp`)
    try {
      await writeFile(unfinished, bytes, { flag: 'wx', flush: true })
      await rename(unfinished, join(home, name))
    } catch (error: unknown) {
      await unlink(unfinished).catch(() => {})
      throw error
    }
    return name
  }

  async function remove(name: string): Promise<void> {
    await unlink(join(home, name)).catch((error: unknown) => {
      if (!isMissing(error)) warn(`the vector cache file ${join(home, name)} can not be removed: ${String(error)}`)
    })
  }

  /** Replaces segments by one with the newest vectors that the bound allows; only what was read is removed. */
  async function compact(read: readonly Segment[]): Promise<void> {
    const segments = await Promise.all(read.map(async segment => segment.isWhole ? segment : readWhole(segment.name)))
    const size = sizeOf(segments)
    const most = Math.max(1, Math.floor(maxBytes / recordBytes(size)))
    const kept = new Map<string, StoredVector>()
    for (const { vectors } of segments.filter(segment => segment.size === size)) {
      for (const [key, vector] of vectors) if (kept.size < most && !kept.has(key)) kept.set(key, vector)
    }
    const name = kept.size > 0 ? await add(kept) : undefined
    for (const segment of segments) if (segment.name !== name) await remove(segment.name)
  }

  async function removeUnfinished(): Promise<void> {
    for (const name of (await names()).filter(entry => UNFINISHED.test(entry))) {
      const { mtimeMs } = await stat(join(home, name)).catch(() => ({ mtimeMs: Date.now() }))
      if (Date.now() - mtimeMs > UNFINISHED_AGE) await remove(name)
    }
  }

  return {
    async read(keys) {
      const found = new Map<string, StoredVector>()
      const segments = await readAll(keys)
      const size = sizeOf(segments)
      for (const segment of segments) {
        if (segment.size !== size) continue
        let isUsed = false
        for (const [key, vector] of segment.vectors) {
          if (!keys.has(key) || found.has(key)) continue
          found.set(key, vector)
          isUsed = true
        }
        // What is used counts as new, so that the bound drops what nobody asks for.
        if (isUsed) await utimes(join(home, segment.name), new Date(), new Date()).catch(() => {})
      }
      if (segments.some(({ intact }) => !intact)) await compact(segments).catch((error: unknown) => warn(`the vector cache in ${home} can not be repaired: ${String(error)}`))
      return found
    },
    async write(vectors) {
      if (vectors.size === 0) return
      await add(vectors)
      const segments = (await names()).filter(entry => SEGMENT.test(entry))
      const bytes = await Promise.all(segments.map(async name => (await stat(join(home, name)).catch(() => ({ size: 0 }))).size))
      if (segments.length <= MOST_SEGMENTS && bytes.reduce((sum, size) => sum + size, 0) <= maxBytes) return
      await compact(await readAll())
      await removeUnfinished()
    },
    async clear() {
      for (const name of await names()) if (SEGMENT.test(name)) await remove(name)
    },
  }
}

/** The size of the newest intact vectors: a model that answers others now has left the older ones behind. */
function sizeOf(segments: readonly Segment[]): number {
  return segments.find(({ isEmpty }) => !isEmpty)?.size ?? 0
}
