import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { storeVector } from '../../src/vectors/vector-rows.ts'
import { postingKernelsIn } from '../../src/wasm/posting-kernels.ts'
import { SCANNED_AT_ONCE, scanKernelsIn } from '../../src/wasm/scan-kernels.ts'
import { COMPONENTS_AT_ONCE, tableKernelsIn } from '../../src/wasm/table-kernels.ts'

/** Arrays of a memory of its own, one behind the other from an address that is not 0. */
function createArrays(): {
  readonly memory: WebAssembly.Memory
  readonly floats: (values: readonly number[]) => Float32Array
  readonly integers: (values: readonly number[]) => Int32Array
} {
  const memory = new WebAssembly.Memory({ initial: 1 })
  let next = 4
  function reserve(length: number): number {
    const address = next
    next += 4 * length
    return address
  }
  return {
    memory,
    floats(values) {
      const array = new Float32Array(memory.buffer, reserve(values.length), values.length)
      array.set(values)
      return array
    },
    integers(values) {
      const array = new Int32Array(memory.buffer, reserve(values.length), values.length)
      array.set(values)
      return array
    },
  }
}

const TOOLS = 12

/** Sixteenths, whose products and sums are exact in 32 bits. */
const number = fc.integer({ min: 0, max: 64 }).map(value => value / 16)
const numbers = (length: number): fc.Arbitrary<number[]> => fc.array(number, { minLength: length, maxLength: length })
const postingOf = fc.record({ tool: fc.integer({ min: 0, max: TOOLS - 1 }), value: number })
const postingsOf = fc.uniqueArray(postingOf, { selector: ({ tool }) => tool })

function changed(before: readonly number[], place: number, value: number): number[] {
  return before.map((old, at) => at === place ? value : old)
}

describe('the loops over postings', () => {
  it('do what they say', () => {
    fc.assert(fc.property(
      postingsOf, number, numbers(TOOLS), numbers(TOOLS), numbers(2 * TOOLS), numbers(2 * TOOLS), number, number, fc.boolean(),
      (postings, unit, best, from, sums, others, weight, mass, isTwice) => {
        const { memory, floats, integers } = createArrays()
        const kernels = postingKernelsIn(memory)
        const tools = integers(postings.map(({ tool }) => tool))
        const values = floats(postings.map(({ value }) => value))
        const own = postings.map(({ value }) => unit * value)
        /** What a loop makes of arrays, and what plain JavaScript makes of them. */
        function check(
          run: (arrays: Float32Array[]) => void, given: readonly number[][], step: (now: number[][], place: number) => number[][],
        ): void {
          const arrays = given.map(floats)
          run(arrays)
          expect(arrays.map(array => [...array])).toEqual([...postings.keys()].reduce<number[][]>(step, given.map(array => [...array])))
        }
        const at = [tools.byteOffset, values.byteOffset, postings.length, unit] as const

        check(([bests]) => kernels.raise(...at, bests!.byteOffset), [best], ([bests], place) => {
          const { tool } = postings[place]!
          return [changed(bests!, tool, Math.max(bests![tool]!, own[place]!))]
        })
        check(([into]) => kernels.add(...at, into!.byteOffset), [best], ([into], place) => {
          const { tool } = postings[place]!
          return [changed(into!, tool, into![tool]! + own[place]!)]
        })
        check(([into]) => kernels.lift(...at, into!.byteOffset), [sums], ([into], place) => {
          const { tool } = postings[place]!
          return [into![2 * tool] === 0 ? into! : changed(into!, 2 * tool, into![2 * tool]! + own[place]!)]
        })
        check(([moved, bests]) => kernels.move(at[0], at[2], moved!.byteOffset, bests!.byteOffset), [from, best],
          ([moved, bests], place) => {
            const { tool } = postings[place]!
            return [changed(moved!, tool, 0), changed(bests!, tool, Math.max(bests![tool]!, moved![tool]!))]
          })

        const added = (into: number[], tool: number, factor: number, score: number): number[] =>
          changed(changed(into, 2 * tool, into[2 * tool]! + factor * score), 2 * tool + 1, into[2 * tool + 1]! + mass)
        const targets = (into: Float32Array, other: Float32Array) =>
          [into.byteOffset, weight, mass, isTwice ? other.byteOffset : 0, 0.5, mass] as const
        check(([bests, into, other]) => kernels.take(...at, bests!.byteOffset, ...targets(into!, other!)), [best, sums, others],
          ([bests, into, other], place) => {
            const { tool } = postings[place]!
            const score = Math.max(bests![tool]!, own[place]!)
            if (score === 0) return [bests!, into!, other!]
            return [changed(bests!, tool, 0), added(into!, tool, weight, score), isTwice ? added(other!, tool, 0.5, score) : other!]
          })
        check(([into, other]) => kernels.takeOnly(...at, ...targets(into!, other!)), [sums, others], ([into, other], place) => {
          const { tool } = postings[place]!
          return [added(into!, tool, weight, own[place]!), isTwice ? added(other!, tool, 0.5, own[place]!) : other!]
        })
      },
    ))
  })
})

describe('the loops over every tool', () => {
  const count = fc.integer({ min: 0, max: 10 }).map(fours => SCANNED_AT_ONCE * fours)

  it('find the greatest, and those above a floor, in pairs and alone', () => {
    fc.assert(fc.property(count.chain(length => numbers(2 * length)), number, (values, floor) => {
      const { memory, floats, integers } = createArrays()
      const scan = scanKernelsIn(memory)
      const array = floats(values)
      const found = integers(Array.from({ length: values.length + 1 }, () => -1))
      const first = values.filter((_, at) => at % 2 === 0)
      const places = (of: readonly number[]): number[] => [...of.keys()].filter(place => of[place]! > floor)
      expect(scan.greatestOfPairs(array.byteOffset, first.length)).toBe(Math.max(0, ...first))
      expect([...found.subarray(0, scan.pairsAbove(array.byteOffset, first.length, floor, found.byteOffset))]).toEqual(places(first))
      expect([...found.subarray(0, scan.above(array.byteOffset, values.length, floor, found.byteOffset))]).toEqual(places(values))
    }))
  })

  it('make floats of integers', () => {
    const integer = fc.integer({ min: -(2 ** 16), max: 2 ** 16 })
    fc.assert(fc.property(count.chain(length => fc.array(integer, { minLength: length, maxLength: length })), (values) => {
      const { memory, floats, integers } = createArrays()
      const array = integers(values)
      const factors = floats(values.map((_, at) => at / 8))
      scanKernelsIn(memory).scale(array.byteOffset, values.length, factors.byteOffset)
      expect([...new Float32Array(memory.buffer, array.byteOffset, values.length)]).toEqual(values.map((value, at) => value * (at / 8)))
    }))
  })
})

describe('the arithmetic of the word table', () => {
  const size = fc.constantFrom(1, 2, 3).map(blocks => COMPONENTS_AT_ONCE * blocks)
  const nibble = fc.integer({ min: -8, max: 7 })

  it('adds rows of half bytes, and vectors', () => {
    const nibbles = (length: number): fc.Arbitrary<number[]> => fc.array(nibble, { minLength: length, maxLength: length })
    fc.assert(fc.property(size.chain(length => fc.tuple(nibbles(length), numbers(length))), number,
      ([components, before], factor) => {
        const { memory, floats } = createArrays()
        const kernels = tableKernelsIn(memory)
        const into = floats(before)
        const rowAt = 32_768
        const row = new Uint8Array(memory.buffer, rowAt, components.length / 2)
        row.forEach((_, at) => row[at] = (components[2 * at]! & 15) | (components[2 * at + 1]! & 15) << 4)
        kernels.addRow(rowAt, components.length, factor, into.byteOffset)
        expect([...into]).toEqual(before.map((value, at) => value + factor * components[at]!))
        const sum = floats(before)
        kernels.addScaled(into.byteOffset, into.length, 0.5, sum.byteOffset)
        expect([...sum]).toEqual(before.map((value, at) => value + 0.5 * into[at]!))
        expect(kernels.squares(sum.byteOffset, sum.length)).toBeCloseTo(sum.reduce((total, value) => total + value * value, 0), 0)
      }))
  })

  it('stores a vector as the rest of the code does', () => {
    const component = fc.double({ min: -3, max: 3, noNaN: true })
    fc.assert(fc.property(size.chain(length => fc.array(component, { minLength: length, maxLength: length })), (values) => {
      const { memory, floats } = createArrays()
      const vector = floats(values)
      const stored = new Int8Array(memory.buffer, 32_768, values.length).fill(1)
      tableKernelsIn(memory).store(vector.byteOffset, vector.length, stored.byteOffset)
      if (vector.every(value => value === 0)) expect(stored.every(value => value === 0)).toBe(true)
      // Halves may be rounded either way.
      else storeVector(vector).forEach((value, at) => expect(Math.abs(value - stored[at]!)).toBeLessThanOrEqual(1))
    }))
  })
})
