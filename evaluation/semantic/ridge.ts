/**
 * Corrects word vectors so that weighted sums of them come near the teacher's sentence vectors: ridge regression, solved by conjugate
 * gradients over all columns at once.
 * @module
 */

/** Rows of `(id, value)` pairs: a sparse matrix, each row of length 1. */
export interface SparseRows {
  /** `offsets[row]` to `offsets[row + 1]` are the entries of a row. */
  readonly offsets: Int32Array
  readonly ids: Int32Array
  readonly values: Float64Array
  readonly rowCount: number
}

/** Weighted, normalised rows of texts: an entry counts its weight times the root of its number of occurrences. */
export function sparseRows(texts: readonly (readonly number[])[], weights: Float64Array): SparseRows {
  const offsets = new Int32Array(texts.length + 1)
  const ids: number[] = []
  const values: number[] = []
  texts.forEach((text, row) => {
    const counts = new Map<number, number>()
    for (const id of text) counts.set(id, (counts.get(id) ?? 0) + 1)
    const entries = [...counts].map(([id, count]) => [id, weights[id]! * Math.sqrt(count)] as const)
    const length = Math.sqrt(entries.reduce((sum, [, value]) => sum + value * value, 0)) || 1
    for (const [id, value] of entries) {
      ids.push(id)
      values.push(value / length)
    }
    offsets[row + 1] = ids.length
  })
  return { offsets, ids: Int32Array.from(ids), values: Float64Array.from(values), rowCount: texts.length }
}

/** `out = A · x`, row-major with `columns` columns. */
function multiply({ offsets, ids, values, rowCount }: SparseRows, x: Float64Array, columns: number, out: Float64Array): void {
  out.fill(0)
  for (let row = 0; row < rowCount; row++) {
    const to = row * columns
    for (let at = offsets[row]!; at < offsets[row + 1]!; at++) {
      const from = ids[at]! * columns
      const value = values[at]!
      for (let column = 0; column < columns; column++) out[to + column]! += value * x[from + column]!
    }
  }
}

/** `out = Aᵀ · y`. */
function multiplyTransposed({ offsets, ids, values, rowCount }: SparseRows, y: Float64Array, columns: number, out: Float64Array): void {
  out.fill(0)
  for (let row = 0; row < rowCount; row++) {
    const from = row * columns
    for (let at = offsets[row]!; at < offsets[row + 1]!; at++) {
      const to = ids[at]! * columns
      const value = values[at]!
      for (let column = 0; column < columns; column++) out[to + column]! += value * y[from + column]!
    }
  }
}

/** Dot product of each column of `a` with the same column of `b`. */
function columnDots(a: Float64Array, b: Float64Array, columns: number): Float64Array {
  const dots = new Float64Array(columns)
  for (let at = 0; at < a.length; at++) dots[at % columns]! += a[at]! * b[at]!
  return dots
}

/**
 * Finds X that minimises `|A (E + X) − Y|² + λ |X|²` and returns `E + X`.
 * @param start - E, `entries × columns`, row-major.
 * @param targets - Y, `rows × columns`.
 * @param lambda - λ: how far a word may leave its start vector.
 */
export function correctVectors(
  rows: SparseRows,
  start: Float64Array,
  targets: Float32Array,
  { columns, lambda, steps, onStep = () => {} }: { columns: number; lambda: number; steps: number; onStep?: () => void },
): Float64Array {
  const predicted = new Float64Array(targets.length)
  multiply(rows, start, columns, predicted)
  const residuals = predicted.map((value, at) => targets[at]! - value)
  const gradient = new Float64Array(start.length)
  multiplyTransposed(rows, residuals, columns, gradient)

  const solution = new Float64Array(start.length)
  const residual = gradient.slice()
  const direction = gradient.slice()
  const image = new Float64Array(start.length)
  let squares = columnDots(residual, residual, columns)
  for (let step = 0; step < steps; step++) {
    multiply(rows, direction, columns, predicted)
    multiplyTransposed(rows, predicted, columns, image)
    for (let at = 0; at < image.length; at++) image[at]! += lambda * direction[at]!
    const curvature = columnDots(direction, image, columns)
    const alpha = squares.map((square, column) => curvature[column]! > 0 ? square / curvature[column]! : 0)
    for (let at = 0; at < solution.length; at++) {
      solution[at]! += alpha[at % columns]! * direction[at]!
      residual[at]! -= alpha[at % columns]! * image[at]!
    }
    const next = columnDots(residual, residual, columns)
    const beta = next.map((square, column) => squares[column]! > 0 ? square / squares[column]! : 0)
    for (let at = 0; at < direction.length; at++) direction[at] = residual[at]! + beta[at % columns]! * direction[at]!
    squares = next
    onStep()
  }
  return solution.map((value, at) => value + start[at]!)
}
