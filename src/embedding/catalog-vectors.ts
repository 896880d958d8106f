/**
 * The vectors of catalogues: made in the background when a catalogue becomes known, from memory, from disk, and from the model, in this
 * order.
 * @module
 */

import type { Catalog, CatalogTool } from '../catalog/types.ts'
import type { Attempts } from './attempts.ts'
import { createLoopTurns } from '../vectors/loop-turns.ts'
import { createFitness, scriptOf } from './fitness.ts'
import type { Fitness } from './fitness.ts'
import { createModelCheck } from './model-check.ts'
import type { ModelCheck } from './model-check.ts'
import { createReferences } from './noise-floor.ts'
import { EmbeddingError, reasonOf } from './provider.ts'
import type { EmbeddingProvider } from './provider.ts'
import type { Script } from './reference-tasks.ts'
import { createTextVectors } from './text-vectors.ts'
import { toolTexts, toolVector } from './tool-text.ts'
import type { VectorCache } from './vector-cache.ts'
import { createMatrix } from '../vectors/vector-matrix.ts'
import type { VectorMatrix } from '../vectors/vector-matrix.ts'
import type { StoredVector } from '../vectors/vector-rows.ts'
import { vectorKey } from './vector-segment.ts'

/** Vectors of one catalogue; rows are in the order of its tools. */
export type CatalogVectors =
  | { readonly state: 'ready'; readonly matrix: VectorMatrix; readonly noiseFloor: number; readonly script: Script | undefined }
  /** `embedded` of `total` tools have vectors; `done` resolves when that has ended, well or not. */
  | { readonly state: 'warming'; readonly embedded: number; readonly total: number; readonly done: Promise<void> }

export interface CatalogVectorsStore {
  /**
   * Begins what is missing and answers what there is.
   * @throws EmbeddingError when the latest attempt failed and it is not yet time for another, and after `dispose`.
   */
  of(catalog: Catalog): CatalogVectors
  /** Looks whether the model is the one whose vectors are kept, when that was long ago. */
  readonly model: ModelCheck
  /** How far the model is to be trusted with a language. */
  readonly fitness: Fitness
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

/** What a tool's vector is made of. */
interface ToolKeys {
  /** Keys of its texts. */
  readonly texts: readonly string[]
  /** Key of the vector they make together. */
  readonly row: string
}

interface Entry {
  readonly catalog: Catalog
  readonly stop: AbortController
  embedded: number
  matrix?: VectorMatrix
  noiseFloor?: number
  /** Script of most of its tools. */
  script?: Script | undefined
  placeOfRow?: ReadonlyMap<string, number>
  /** Set while it is worked on. */
  done?: Promise<void> | undefined
}

const OTHER_VECTORS = 'the model answers other vectors now'

/** The script that most tools describe themselves in. */
async function scriptOfTools({ tools }: Catalog): Promise<Script | undefined> {
  const counts = new Map<Script, number>()
  const turn = createLoopTurns()
  for (const { name, description } of tools) {
    await turn()
    const script = scriptOf(description === '' ? name : description)
    if (script !== undefined) counts.set(script, (counts.get(script) ?? 0) + 1)
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0]
}

/** Another model answers under the old name. */
class OtherModel extends EmbeddingError {}

export function createCatalogVectors({ provider, attempts, cache, maxCatalogs, warn }: Options): CatalogVectorsStore {
  const textVectors = createTextVectors({ provider, cache, warn })
  const references = createReferences(provider, cache)
  const model = createModelCheck(provider, cache)
  const fitness = createFitness(provider, cache)
  const toolKeys = new WeakMap<CatalogTool, ToolKeys>()
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
    const tools = await keysOf(entry.catalog)
    const rows = fromMemory(tools)
    const missing = entry.catalog.tools.filter((_, at) => !rows.has(tools[at]!.row))
    await model.load()
    try {
      if (missing.length > 0) await addMissing(entry, missing, rows)
    } catch (error: unknown) {
      if (!(error instanceof OtherModel)) throw error
      await startOver(entry)
      rows.clear()
      await addMissing(entry, entry.catalog.tools, rows)
    }
    if (new Set(Array.from(rows.values(), ({ length }) => length)).size > 1) {
      // The model is another one now: what it made before can't be compared with what it makes.
      rows.clear()
      await addMissing(entry, entry.catalog.tools, rows)
    }
    const inOrder = tools.map(({ row }) => rows.get(row)!)
    const matrix = await createMatrix(inOrder, inOrder[0]?.length ?? 0)
    entry.noiseFloor = await references.noiseFloor(matrix, entry.stop.signal)
    entry.script = await scriptOfTools(entry.catalog)
    // A query in the language of the tools is to find it measured.
    await fitness.trust(entry.script, entry.script, entry.stop.signal)
    await provider.prepare(entry.stop.signal)
    entry.stop.signal.throwIfAborted()
    entry.placeOfRow = new Map(tools.map(({ row }, place) => [row, place]))
    entry.matrix = matrix
    attempts.succeeded()
  }

  /** Before anything is embedded that would stand beside what another model made. @throws OtherModel when it did. */
  async function checkModel(signal: AbortSignal): Promise<void> {
    if (!await model.run(signal)) throw new OtherModel(OTHER_VECTORS)
  }

  async function startOver(entry: Entry): Promise<void> {
    warn('the model answers other vectors than before under the same name, so that all tools are embedded again')
    references.forget()
    fitness.forget()
    for (const [revision, other] of entries) {
      if (other === entry) continue
      other.stop.abort(new EmbeddingError(OTHER_VECTORS))
      entries.delete(revision)
    }
    await cache.clear()
    await model.accept()
  }

  async function keysOf({ tools }: Catalog): Promise<readonly ToolKeys[]> {
    const all: ToolKeys[] = []
    const turn = createLoopTurns()
    for (const tool of tools) {
      await turn()
      let keys = toolKeys.get(tool)
      if (keys === undefined) {
        const texts = toolTexts(tool).map(vectorKey)
        toolKeys.set(tool, keys = { texts, row: texts.join('') })
      }
      all.push(keys)
    }
    return all
  }

  /** Rows that another catalogue in memory has. */
  function fromMemory(tools: readonly ToolKeys[]): Map<string, StoredVector> {
    const rows = new Map<string, StoredVector>()
    for (const { matrix, placeOfRow } of [...entries.values()].reverse()) {
      for (const { row } of tools) {
        const place = rows.has(row) ? undefined : placeOfRow?.get(row)
        if (place !== undefined) rows.set(row, matrix!.row(place))
      }
    }
    return rows
  }

  /** Adds the rows of tools that no catalogue in memory has. */
  async function addMissing(entry: Entry, missing: readonly CatalogTool[], rows: Map<string, StoredVector>): Promise<void> {
    const { catalog: { tools }, stop: { signal } } = entry
    const turn = createLoopTurns()
    const texts = new Map<string, string>()
    for (const tool of missing) {
      await turn()
      const keys = toolKeys.get(tool)!.texts
      for (const [at, text] of toolTexts(tool).entries()) texts.set(keys[at]!, text)
    }
    const vectors = await textVectors.of(texts, signal, checkModel, (left) => {
      entry.embedded = Math.floor(tools.length - missing.length * left / texts.size)
    })
    for (const tool of missing) {
      await turn()
      const keys = toolKeys.get(tool)!
      rows.set(keys.row, toolVector(keys.texts.map(key => vectors.get(key)!)))
    }
  }

  function drop(reason: string): void {
    for (const { stop } of entries.values()) stop.abort(new EmbeddingError(reason))
    entries.clear()
  }

  return {
    model,
    fitness,
    of(catalog) {
      if (isDisposed) throw new EmbeddingError('the dense channel was unloaded', { permanent: true })
      const entry = entryOf(catalog)
      if (entry.matrix !== undefined) return { state: 'ready', matrix: entry.matrix, noiseFloor: entry.noiseFloor!, script: entry.script }
      const done = entry.done ?? begin(entry)
      return { state: 'warming', embedded: entry.embedded, total: catalog.tools.length, done }
    },
    forget() {
      references.forget()
      fitness.forget()
      drop(OTHER_VECTORS)
      last = last.then(async () => {
        await cache.clear()
        await model.accept()
      }).catch((error: unknown) => warn(`old vectors can not be removed: ${reasonOf(error)}`))
    },
    async dispose() {
      isDisposed = true
      drop('the dense channel was unloaded')
      await last
    },
  }
}
