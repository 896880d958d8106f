/**
 * The vectors of catalogues: made in the background when a catalogue becomes known, from memory, from disk, and from the model, in this
 * order.
 * @module
 */

import type { Catalog, CatalogTool } from '../catalog/types.ts'
import type { Attempts } from './attempts.ts'
import { createLoopTurns } from '../vectors/loop-turns.ts'
import { createReferences } from './noise-floor.ts'
import { EmbeddingError, reasonOf } from './provider.ts'
import type { EmbeddingProvider } from './provider.ts'
import { toolText } from './tool-text.ts'
import type { VectorCache } from './vector-cache.ts'
import { createMatrix, storeVector } from '../vectors/vector-matrix.ts'
import type { StoredVector, VectorMatrix } from '../vectors/vector-matrix.ts'
import { vectorKey } from './vector-segment.ts'

/** Vectors of one catalogue; rows are in the order of its tools. */
export type CatalogVectors =
  | { readonly state: 'ready'; readonly matrix: VectorMatrix; readonly noiseFloor: number }
  /** `embedded` of `total` tools have vectors; `done` resolves when that has ended, well or not. */
  | { readonly state: 'warming'; readonly embedded: number; readonly total: number; readonly done: Promise<void> }

export interface CatalogVectorsStore {
  /**
   * Begins what is missing and answers what there is.
   * @throws EmbeddingError when the latest attempt failed and it is not yet time for another, and after `dispose`.
   */
  of(catalog: Catalog): CatalogVectors
  /** Forgets every vector, in memory and on disk: the model answers others now, which can't be compared with them. */
  forget(): void
  /** Stops what runs; resolves when nothing is left of it. Vectors that are there already are kept on disk. */
  dispose(): Promise<void>
}

interface Options {
  readonly provider: EmbeddingProvider
  readonly attempts: Attempts
  readonly cache: VectorCache
  /** Catalogues in memory, 1 or more. */
  readonly maxCatalogs: number
  readonly warn: (message: string) => void
}

/** New vectors are written to disk in parts of so many, so that what interrupts a long run costs little of it. */
const VECTORS_AT_ONCE = 256

interface Entry {
  readonly catalog: Catalog
  readonly stop: AbortController
  embedded: number
  matrix?: VectorMatrix
  noiseFloor?: number
  rowOfKey?: ReadonlyMap<string, number>
  /** Set while it is worked on. */
  done?: Promise<void> | undefined
}

export function createCatalogVectors({ provider, attempts, cache, maxCatalogs, warn }: Options): CatalogVectorsStore {
  const references = createReferences(provider, cache)
  const toolKeys = new WeakMap<CatalogTool, string>()
  /** By revision, least recently used first. */
  const entries = new Map<string, Entry>()
  /** Catalogues are worked on one after the other: agents that start together have most tools in common. */
  let last: Promise<void> = Promise.resolve()
  let isDisposed = false

  function entryOf(catalog: Catalog): Entry {
    const known = entries.get(catalog.revision)
    if (known !== undefined) {
      entries.delete(catalog.revision)
      entries.set(catalog.revision, known)
      return known
    }
    const entry: Entry = { catalog, stop: new AbortController(), embedded: 0 }
    entries.set(catalog.revision, entry)
    for (const [revision, { stop }] of entries) {
      if (entries.size <= maxCatalogs) break
      entries.delete(revision)
      stop.abort(new EmbeddingError('other catalogues took the place of this one'))
    }
    return entry
  }

  function begin(entry: Entry): Promise<void> {
    attempts.check()
    last = last.then(() => attempt(entry))
    entry.done = last
    return last
  }

  /** Never rejects. */
  async function attempt(entry: Entry): Promise<void> {
    try {
      // The catalogue before this one may have failed: what it failed of is not asked for again at once.
      if (isAllowed() && !entry.stop.signal.aborted) await build(entry)
    } catch (error: unknown) {
      if (!entry.stop.signal.aborted) attempts.failed(error)
    } finally {
      entry.done = undefined
    }
  }

  function isAllowed(): boolean {
    try {
      attempts.check()
      return true
    } catch {
      return false
    }
  }

  async function build(entry: Entry): Promise<void> {
    const keys = await keysOf(entry.catalog)
    const vectors = fromMemory(keys)
    const missing = new Set(keys.filter(key => !vectors.has(key)))
    if (missing.size > 0) for (const [key, vector] of await readCache(missing)) vectors.set(key, vector)
    entry.embedded = vectors.size
    const known = [...vectors.values()]
    await embedMissing(entry, keys, vectors)
    const { dimensions } = provider
    if (dimensions !== undefined && known.some(({ length }) => length !== dimensions)) {
      await cache.clear()
      vectors.clear()
      await embedMissing(entry, keys, vectors)
    }
    const rows = keys.map(key => vectors.get(key)!)
    const matrix = await createMatrix(rows, rows[0]?.length ?? 0)
    entry.noiseFloor = await references.noiseFloor(matrix, entry.stop.signal)
    await provider.prepare(entry.stop.signal)
    entry.stop.signal.throwIfAborted()
    entry.rowOfKey = new Map(keys.map((key, row) => [key, row]))
    entry.matrix = matrix
    attempts.succeeded()
  }

  async function keysOf({ tools }: Catalog): Promise<readonly string[]> {
    const keys: string[] = []
    const turn = createLoopTurns()
    for (const tool of tools) {
      await turn()
      let key = toolKeys.get(tool)
      if (key === undefined) toolKeys.set(tool, key = vectorKey(toolText(tool)))
      keys.push(key)
    }
    return keys
  }

  /** Vectors that another catalogue in memory has. */
  function fromMemory(keys: readonly string[]): Map<string, StoredVector> {
    const vectors = new Map<string, StoredVector>()
    for (const { matrix, rowOfKey } of [...entries.values()].reverse()) {
      for (const key of keys) {
        const row = vectors.has(key) ? undefined : rowOfKey?.get(key)
        if (row !== undefined) vectors.set(key, matrix!.row(row))
      }
    }
    return vectors
  }

  async function readCache(keys: ReadonlySet<string>): Promise<Map<string, StoredVector>> {
    try {
      return await cache.read(keys)
    } catch (error: unknown) {
      warn(`vectors can not be read from disk, so that they are computed: ${reasonOf(error)}`)
      return new Map()
    }
  }

  async function writeCache(vectors: ReadonlyMap<string, StoredVector>): Promise<void> {
    try {
      await cache.write(vectors)
    } catch (error: unknown) {
      warn(`vectors can not be kept on disk, so that they are computed again after a restart: ${reasonOf(error)}; check dense.cacheDir`)
    }
  }

  /** Adds what is missing. Texts of similar length are neighbours, so that little of a batch is padding. */
  async function embedMissing(entry: Entry, keys: readonly string[], vectors: Map<string, StoredVector>): Promise<void> {
    entry.stop.signal.throwIfAborted()
    const texts = new Map<string, string>()
    for (const [row, key] of keys.entries()) if (!vectors.has(key)) texts.set(key, toolText(entry.catalog.tools[row]!))
    const todo = [...texts].sort(([, a], [, b]) => a.length - b.length)
    let unwritten = new Map<string, StoredVector>()
    let writing = Promise.resolve()
    const flush = (): void => {
      const part = unwritten
      unwritten = new Map()
      writing = writing.then(() => writeCache(part))
    }
    try {
      await provider.embedDocuments(todo.map(([, text]) => text), entry.stop.signal, (from, batch) => {
        for (const [at, vector] of batch.entries()) {
          const key = todo[from + at]![0]
          const stored = storeVector(vector)
          vectors.set(key, stored)
          unwritten.set(key, stored)
        }
        entry.embedded = vectors.size
        if (unwritten.size >= VECTORS_AT_ONCE) flush()
      })
    } finally {
      flush()
      await writing
    }
  }

  function drop(reason: string): void {
    for (const { stop } of entries.values()) stop.abort(new EmbeddingError(reason))
    entries.clear()
  }

  return {
    of(catalog) {
      if (isDisposed) throw new EmbeddingError('the dense channel was unloaded', { permanent: true })
      const entry = entryOf(catalog)
      if (entry.matrix !== undefined) return { state: 'ready', matrix: entry.matrix, noiseFloor: entry.noiseFloor! }
      const done = entry.done ?? begin(entry)
      return { state: 'warming', embedded: entry.embedded, total: catalog.tools.length, done }
    },
    forget() {
      references.forget()
      drop('the model answers other vectors now')
      last = last.then(() => cache.clear()).catch((error: unknown) => warn(`old vectors can not be removed: ${reasonOf(error)}`))
    },
    async dispose() {
      isDisposed = true
      drop('the dense channel was unloaded')
      await last
    },
  }
}
