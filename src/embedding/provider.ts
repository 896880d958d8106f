/**
 * What makes vectors of texts: one interface, whoever computes them.
 * @module
 */

/** The vectors of a contiguous part of the texts that were given. */
export type OnVectors = (from: number, vectors: readonly Float32Array[]) => void

/** Vectors are finite, of length 1, and all of one size; whatever else a model or an endpoint answers is an {@link EmbeddingError}. */
export interface EmbeddingProvider {
  /** Everything that decides what a text's vector is, as one string: vectors of equal identity can be compared and kept. */
  readonly identity: string
  /** Size of the vectors, once one was made. */
  readonly dimensions: number | undefined
  /** Loads what is needed to answer queries at once; embeds nothing. */
  prepare(signal: AbortSignal): Promise<void>
  /** Answers before documents that wait. */
  embedQueries(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>
  /** @param onVectors - called for each batch when it is there, in any order. */
  embedDocuments(texts: readonly string[], signal: AbortSignal, onVectors: OnVectors): Promise<void>
  /** Aborts what runs and frees what is held; resolves when nothing is left. */
  dispose(): Promise<void>
}

/** Why there are no vectors, in words for the person who configured them: what is wrong and what mends it. */
export class EmbeddingError extends Error {
  override readonly name = 'EmbeddingError'
  /** Whether trying again is pointless until somebody mends something. */
  readonly permanent: boolean

  constructor(message: string, { permanent = false }: { readonly permanent?: boolean } = {}) {
    super(message)
    this.permanent = permanent
  }
}

/** Any failure in one line. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/**
 * Scales vectors to length 1.
 * @param size - what every vector must have; `undefined`: they must agree.
 * @throws EmbeddingError when they can't be compared: wrong number, wrong size, NaN, infinite, all zero.
 */
export function unitVectors(vectors: readonly ArrayLike<number>[], count: number, size: number | undefined): Float32Array[] {
  if (vectors.length !== count) throw new EmbeddingError(`the model answered ${vectors.length} vectors for ${count} texts`)
  const expected = size ?? vectors[0]?.length
  return vectors.map((vector) => {
    if (vector.length === 0 || vector.length !== expected) {
      throw new EmbeddingError(`the model answered a vector of ${vector.length} dimensions where ${expected ?? 'some'} were expected; `
        + 'is it an embedding model, and the same one as before?')
    }
    let squares = 0
    for (let at = 0; at < vector.length; at++) squares += vector[at]! ** 2
    if (!Number.isFinite(squares) || squares === 0) {
      throw new EmbeddingError(`the model answered a vector ${squares === 0 ? 'of zeros' : 'with values that are not finite numbers'}`)
    }
    const length = Math.sqrt(squares)
    const unit = new Float32Array(vector.length)
    for (let at = 0; at < unit.length; at++) unit[at] = vector[at]! / length
    return unit
  })
}
