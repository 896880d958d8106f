/**
 * Loops over one number, or one pair of numbers, of every tool: four tools at a time, where JavaScript looks at one.
 *
 * Addresses are in bytes and those of float32; counts of tools are multiples of {@link SCANNED_AT_ONCE}, so that arrays are that much
 * longer than the tools at most, and 0 there.
 * @module
 */

import {
  acrossLanes, add, and, assemble, block, branchIf, code, constant, eachOf, F32, get, greaterFloats, greatestOfFloats, I32, increase,
  isZero, loadVector, multiplyFloats, set, shiftLeft, shiftRight, shuffle, signBits, splatFloat, storeI32, storeVector,
  subtract, tee, toFloats, V128, zeroVector,
} from './assembler.ts'
import type { Code, WasmFunction } from './assembler.ts'

export const SCANNED_AT_ONCE = 4

export interface ScanKernels {
  /** @returns the greatest first number of any pair; 0 for none. */
  greatestOfPairs(pairs: number, count: number): number
  /**
   * Writes the tools whose first number of a pair is above a floor, ascending.
   * @param floor - 0 or more.
   * @param into - room for `count` int32 and one more.
   * @returns how many they are.
   */
  pairsAbove(pairs: number, count: number, floor: number, into: number): number
  /** The same for numbers that are not in pairs. */
  above(numbers: number, count: number, floor: number, into: number): number
  /** Makes each of `count` int32 the float32 that is its product with a float32. */
  scale(integers: number, count: number, factors: number): void
}

/** A loop over four tools at a time. */
const eachFour = (numbers: number, count: number, shift: number, ...body: Code[]): Code =>
  eachOf(numbers, count, shift, SCANNED_AT_ONCE, ...body)

const four = (address: number): Code => get(address) + loadVector()
const fourOfPairs = (address: number): Code => code(four(address), get(address), loadVector(16), shuffle(0, 2, 4, 6))

const greatestOfPairs: WasmFunction = {
  name: 'greatestOfPairs',
  parameters: [I32, I32],
  locals: [V128],
  results: [F32],
  body: code(
    zeroVector, set(2),
    eachFour(0, 1, 3, get(2), fourOfPairs(0), greatestOfFloats, set(2)),
    acrossLanes(2, greatestOfFloats),
  ),
}

function scan(name: string, shift: number, load: (address: number) => Code): WasmFunction {
  const [numbers, count, floor, into, tool, bits, next, floors] = [0, 1, 2, 3, 4, 5, 6, 7] as const
  return {
    name,
    parameters: [I32, I32, F32, I32],
    locals: [I32, I32, I32, V128],
    results: [I32],
    body: code(
      get(floor), splatFloat, set(floors),
      get(into), set(next),
      eachFour(
        numbers, count, shift,
        block(
          load(numbers), get(floors), greaterFloats, signBits, tee(bits), isZero, branchIf(0),
          // Each is written, and the place moves on when it counts.
          ...[0, 1, 2, 3].map(lane => code(
            get(next), get(tool), constant(lane), add, storeI32,
            get(next), get(bits), constant(lane), shiftRight, constant(1), and, constant(2), shiftLeft, add, set(next),
          )),
        ),
        increase(tool, SCANNED_AT_ONCE),
      ),
      get(next), get(into), subtract, constant(2), shiftRight,
    ),
  }
}

const scale: WasmFunction = {
  name: 'scale',
  parameters: [I32, I32, I32],
  locals: [],
  body: eachFour(0, 1, 2, get(0), four(0), toFloats, four(2), multiplyFloats, storeVector(), increase(2, 4 * SCANNED_AT_ONCE)),
}

let compiled: WebAssembly.Module | undefined

/** @param memory - where the addresses of the returned functions are. */
export function scanKernelsIn(memory: WebAssembly.Memory): ScanKernels {
  compiled ??= assemble([greatestOfPairs, scan('pairsAbove', 3, fourOfPairs), scan('above', 2, four), scale])
  return new WebAssembly.Instance(compiled, { host: { memory } }).exports as unknown as ScanKernels
}
