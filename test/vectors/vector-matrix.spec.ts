import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../evaluation/random.ts'
import { unitVectors } from '../../src/embedding/provider.ts'
import { createMatrix } from '../../src/vectors/vector-matrix.ts'
import { createVectorRows, storeVector } from '../../src/vectors/vector-rows.ts'

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

describe('rows that catalogues share', () => {
  const vectorsOf = (count: number, size: number, seed: number) => Array.from({ length: count }, (_, at) => unitVector(size, seed + at))

  it('are found in any list of them, however often the memory has grown', () => {
    const counts = fc.integer({ min: 1, max: 60 })
    const sizes = fc.integer({ min: 2, max: 100 })
    fc.assert(fc.property(counts, sizes, fc.integer({ min: 0, max: 5 }), fc.nat(), (count, size, expected, seed) => {
      const rows = createVectorRows(size, 16, expected)
      const vectors = vectorsOf(count, size, seed)
      expect(vectors.map(vector => rows.add(storeVector(vector)))).toEqual([...vectors.keys()])
      const query = unitVector(size, seed - 1)
      const list = Int32Array.from([...vectors.keys()].filter(row => (row + seed) % 3 !== 0)).reverse()
      const cosines = new Float32Array(list.length)
      rows.cosines(list, [query], cosines)
      list.forEach((row, at) => expect(Math.abs(cosines[at]! - dot(query, vectors[row]!))).toBeLessThan(0.02))
      vectors.forEach((vector, row) => expect(rows.row(row)).toEqual(storeVector(vector)))
    }), { numRuns: 60 })
  })

  it('are compared at some places only, the others being left as they were', () => {
    const rows = createVectorRows(32, 16, 10)
    const vectors = vectorsOf(10, 32, 5)
    for (const vector of vectors) rows.add(storeVector(vector))
    const list = Int32Array.of(9, 3, 7)
    const cosines = Float32Array.of(5, 5, 5)
    rows.cosines(list, [vectors[7]!], cosines, Int32Array.of(2))
    expect([...cosines]).toEqual([5, 5, expect.closeTo(1, 2)])
  })

  it('are compared roughly by their first components, by whatever list was asked before', () => {
    const rows = createVectorRows(48, 16, 3)
    const vectors = vectorsOf(40, 48, 11)
    for (const vector of vectors) rows.add(storeVector(vector))
    const query = unitVector(48, 4)
    for (const list of [Int32Array.of(1, 2, 3), Int32Array.of(30, 20), Int32Array.of(1, 2, 3)]) {
      const exact = new Float32Array(list.length)
      rows.cosines(list, [query], exact)
      const { cosines: rough, above } = rows.roughCosines(list, [query])
      expect(rough.length).toBe(list.length)
      expect([...above(0)]).toEqual([...rough.keys()].filter(place => rough[place]! > 0))
      expect([...above(0.1)]).toEqual([...rough.keys()].filter(place => rough[place]! > Math.fround(0.1)))
      const all = [...rough]
      const some = rows.roughCosines(list, [query], Int32Array.of(1, 0))
      expect([...some.cosines]).toEqual([all[1], all[0]])
      expect([...some.above(0)]).toEqual([1, 0].flatMap((place, at) => all[place]! > 0 ? [at] : []))
      list.forEach((row, at) => {
        expect(Math.abs(all[at]! - dot(query.slice(0, 16), vectors[row]!.slice(0, 16)))).toBeLessThan(0.02)
        expect(all[at]).not.toBe(exact[at])
      })
    }
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
