import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../evaluation/random.ts'
import { unitVectors } from '../../src/embedding/provider.ts'
import { createMatrix, storeVector } from '../../src/vectors/vector-matrix.ts'

function unitVector(size: number, seed: number): Float32Array {
  const random = createRandom(seed)
  return unitVectors([Array.from({ length: size }, () => random() - 0.5)], 1, size)[0]!
}

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, at) => sum + value * b[at]!, 0)

describe('exact search over 8-bit vectors', () => {
  it('gives the cosine of every row, for any number of rows and components', async () => {
    const counts = fc.integer({ min: 1, max: 40 })
    const sizes = fc.integer({ min: 2, max: 400 })
    await fc.assert(fc.asyncProperty(counts, sizes, fc.nat(), async (count, size, seed) => {
      const rows = Array.from({ length: count }, (_, at) => unitVector(size, seed + at))
      const matrix = await createMatrix(rows.map(storeVector), size)
      const query = unitVector(size, seed - 1)
      const cosines = new Float32Array(count)
      matrix.cosines([query], cosines)
      rows.forEach((row, at) => expect(Math.abs(cosines[at]! - dot(query, row))).toBeLessThan(0.01))
    }), { numRuns: 60 })
  })

  it('gives the greatest of several queries, however many there are and whatever was asked before', async () => {
    const counts = fc.integer({ min: 1, max: 40 })
    const sizes = fc.integer({ min: 2, max: 70 })
    const asked = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 })
    await fc.assert(fc.asyncProperty(counts, sizes, asked, fc.nat(), async (count, size, numbers, seed) => {
      const rows = Array.from({ length: count }, (_, at) => unitVector(size, seed + at))
      const matrix = await createMatrix(rows.map(storeVector), size)
      for (const number of numbers) {
        const queries = Array.from({ length: number }, (_, at) => unitVector(size, seed - 1 - at))
        const cosines = new Float32Array(count)
        matrix.cosines(queries, cosines)
        rows.forEach((row, at) =>
          expect(Math.abs(cosines[at]! - Math.max(...queries.map(query => dot(query, row))))).toBeLessThan(0.02))
      }
    }), { numRuns: 60 })
  })

  it('finds a row again by its own vector, among 3,000', async () => {
    const rows = Array.from({ length: 3_000 }, (_, at) => unitVector(384, at))
    const matrix = await createMatrix(rows.map(storeVector), 384)
    const cosines = new Float32Array(3_000)
    matrix.cosines([rows[1_234]!], cosines)
    expect(cosines.indexOf(Math.max(...cosines))).toBe(1_234)
    expect(cosines[1_234]).toBeCloseTo(1, 3)
    expect(matrix.row(1_234)).toEqual(storeVector(rows[1_234]!))
  })

  it('does not overflow on the largest vectors that agree in every component', async () => {
    const size = 16_384
    const flat = new Float32Array(size).fill(1 / Math.sqrt(size))
    const matrix = await createMatrix([storeVector(flat), storeVector(flat.map(value => -value))], size)
    const cosines = new Float32Array(2)
    matrix.cosines([flat], cosines)
    expect([...cosines]).toEqual([expect.closeTo(1, 2), expect.closeTo(-1, 2)])
  })

  it('has nothing of nothing', async () => {
    const matrix = await createMatrix([], 0)
    const cosines = new Float32Array(0)
    matrix.cosines([new Float32Array(0)], cosines)
    expect(matrix.count).toBe(0)
  })
})

describe('vectors that can not be compared are refused', () => {
  it.each<[string, number[][], number, number | undefined, RegExp]>([
    ['too few', [[1, 0]], 2, undefined, /1 vectors for 2 texts/],
    ['of no dimensions', [[]], 1, undefined, /vector of 0 dimensions/],
    ['of other dimensions than each other', [[1, 0], [1, 0, 0]], 2, undefined, /vector of 3 dimensions where 2/],
    ['of other dimensions than known', [[1, 0]], 1, 3, /vector of 2 dimensions where 3/],
    ['with NaN', [[1, Number.NaN]], 1, undefined, /not finite/],
    ['of zeros', [[0, 0]], 1, undefined, /of zeros/],
  ])('%s', (_what, vectors, count, size, message) => {
    expect(() => unitVectors(vectors, count, size)).toThrow(message)
  })

  it('and others are scaled to length 1', () => {
    expect(unitVectors([[3, 4]], 1, 2)).toEqual([Float32Array.of(0.6, 0.8)])
  })
})
