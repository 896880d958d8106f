/**
 * From trained vectors to the table that ships: fewer dimensions, 4 bits each.
 * @module
 */

import { EigenvalueDecomposition, Matrix } from 'ml-matrix'
import { LARGEST_NIBBLE } from '../../src/semantic/table-format.ts'

/** Components beyond this share of a vector's components are cut off: a few outliers must not coarsen the rest. */
const SCALE_QUANTILE = 0.97

/** Power of a dimension's standard deviation that is divided out: between keeping the spread (0) and whitening it away (1). */
const WHITENING = 0.5

/**
 * Projects vectors onto their strongest directions.
 * @param vectors - `rows × columns`, row-major, centred.
 * @param rowWeights - how much each row counts for the directions.
 * @returns `rows × dimensions`.
 */
export function reduceDimensions(vectors: Float64Array, columns: number, rowWeights: Float64Array, dimensions: number): Float64Array {
  const rowCount = vectors.length / columns
  const covariance = Matrix.zeros(columns, columns)
  const accumulated = new Float64Array(columns * columns)
  const totalWeight = rowWeights.reduce((sum, weight) => sum + weight, 0)
  for (let row = 0; row < rowCount; row++) {
    const share = rowWeights[row]! / totalWeight
    for (let a = 0; a < columns; a++) {
      const scaled = share * vectors[row * columns + a]!
      for (let b = a; b < columns; b++) accumulated[a * columns + b]! += scaled * vectors[row * columns + b]!
    }
  }
  for (let a = 0; a < columns; a++) {
    for (let b = a; b < columns; b++) {
      covariance.set(a, b, accumulated[a * columns + b]!)
      covariance.set(b, a, accumulated[a * columns + b]!)
    }
  }
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(covariance, { assumeSymmetric: true })
  const strongest = realEigenvalues.map((_, index) => index).sort((a, b) => realEigenvalues[b]! - realEigenvalues[a]!).slice(0, dimensions)
  const reduced = new Float64Array(rowCount * dimensions)
  strongest.forEach((eigenvector, dimension) => {
    const axis = Float64Array.from({ length: columns }, (_, column) => eigenvectorMatrix.get(column, eigenvector))
    // an eigenvector has no sign of its own
    const sign = axis.reduce((best, value) => Math.abs(value) > Math.abs(best) ? value : best, 0) < 0 ? -1 : 1
    const unit = sign / Math.max(realEigenvalues[eigenvector]!, 1e-12) ** (WHITENING / 2)
    for (let row = 0; row < rowCount; row++) {
      let sum = 0
      for (let column = 0; column < columns; column++) sum += axis[column]! * vectors[row * columns + column]!
      reduced[row * dimensions + dimension] = unit * sum
    }
  })
  return reduced
}

/** Rounds each row to 4-bit signed integers with a scale of its own. */
export function quantise(vectors: Float64Array, dimensions: number): { readonly scales: Float32Array; readonly nibbles: Uint8Array } {
  const rowCount = vectors.length / dimensions
  const scales = new Float32Array(rowCount)
  const nibbles = new Uint8Array(rowCount * dimensions / 2)
  for (let row = 0; row < rowCount; row++) {
    const values = vectors.subarray(row * dimensions, (row + 1) * dimensions)
    const magnitudes = values.map(Math.abs).sort()
    const scale = (magnitudes[Math.floor(SCALE_QUANTILE * (dimensions - 1))]! || 1) / LARGEST_NIBBLE
    scales[row] = scale
    const nibble = (component: number): number =>
      Math.max(-LARGEST_NIBBLE, Math.min(LARGEST_NIBBLE, Math.round(values[component]! / scale))) & 15
    for (let component = 0; component < dimensions; component += 2) {
      nibbles[(row * dimensions + component) / 2] = nibble(component) | nibble(component + 1) << 4
    }
  }
  return { scales, nibbles }
}
