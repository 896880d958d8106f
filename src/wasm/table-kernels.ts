/**
 * The arithmetic of the word table: vectors of texts out of 4-bit components, 32 of them at a time. A loop in JavaScript takes six times
 * as long, and a hundred times before it is compiled, which is after the first search of a small catalogue.
 *
 * Addresses are in bytes; the number of components is a multiple of {@link COMPONENTS_AT_ONCE}.
 * @module
 */

import {
  absoluteFloats, acrossLanes, addFloats, assemble, code, constant, divideFloat, eachOf, F32, get, greatestOfFloats, I32, increase,
  interleaveFirst, interleaveLast, loadVector, multiplyFloats, narrowI16, narrowI32, roundFloats, set, shiftBytesLeft, shiftBytesRight,
  splatFloat, storeVector, tee, toFloat, toFloats, toIntegers, V128, widenBytes, widenI16, zeroVector,
} from './assembler.ts'
import type { WasmFunction } from './assembler.ts'

export const COMPONENTS_AT_ONCE = 32

export interface TableKernels {
  /**
   * Adds a multiple of a row to a vector.
   * @param row - two components a byte, the even one in the low half, each -8 to 7.
   */
  addRow(row: number, size: number, factor: number, into: number): void
  /** Adds a multiple of one vector of float32 to another. */
  addScaled(vector: number, size: number, factor: number, into: number): void
  /** @returns the sum of squares. */
  squares(vector: number, size: number): number
  /** Writes a vector as int8, the largest component as ±127; zeros for the zero vector. */
  store(vector: number, size: number, into: number): void
}

const LARGEST = code(constant(127), toFloat)

const addRow: WasmFunction = {
  name: 'addRow',
  parameters: [I32, I32, F32, I32],
  // The factor four times, 32 components, their even ones, their odd ones, 16 of them in their order, 8 of these.
  locals: [V128, V128, V128, V128, V128, V128],
  body: code(
    get(2), splatFloat, set(4),
    eachOf(
      3, 1, 2, COMPONENTS_AT_ONCE,
      get(0), loadVector(), tee(5), constant(4), shiftBytesLeft, constant(4), shiftBytesRight, set(6),
      get(5), constant(4), shiftBytesRight, set(7),
      ...[interleaveFirst, interleaveLast].map((interleave, sixteen) => code(
        get(6), get(7), interleave, set(8),
        ...widenBytes.map((widenToI16, eight) => code(
          get(8), widenToI16, set(9),
          ...widenI16.map((widenToI32, four) => {
            const offset = 4 * (16 * sixteen + 8 * eight + 4 * four)
            return code(
              get(3), get(9), widenToI32, toFloats, get(4), multiplyFloats, get(3), loadVector(offset), addFloats, storeVector(offset),
            )
          }),
        )),
      )),
      increase(0, COMPONENTS_AT_ONCE / 2),
    ),
  ),
}

const addScaled: WasmFunction = {
  name: 'addScaled',
  parameters: [I32, I32, F32, I32],
  locals: [V128],
  body: code(
    get(2), splatFloat, set(4),
    eachOf(
      0, 1, 2, 4,
      get(3), get(0), loadVector(), get(4), multiplyFloats, get(3), loadVector(), addFloats, storeVector(), increase(3, 16),
    ),
  ),
}

const squares: WasmFunction = {
  name: 'squares',
  parameters: [I32, I32],
  locals: [V128, V128],
  results: [F32],
  body: code(
    zeroVector, set(2),
    eachOf(0, 1, 2, 4, get(0), loadVector(), tee(3), get(3), multiplyFloats, get(2), addFloats, set(2)),
    acrossLanes(2, addFloats),
  ),
}

const store: WasmFunction = {
  name: 'store',
  parameters: [I32, I32, I32],
  // The first address and the size, once more; the greatest, then what makes it 127.
  locals: [I32, I32, V128],
  body: code(
    get(0), set(3), get(1), set(4), zeroVector, set(5),
    eachOf(3, 4, 2, 4, get(5), get(3), loadVector(), absoluteFloats, greatestOfFloats, set(5)),
    LARGEST, acrossLanes(5, greatestOfFloats), divideFloat, splatFloat, set(5),
    eachOf(
      0, 1, 2, 16,
      get(2),
      ...[0, 16, 32, 48].map(offset => code(
        get(0), loadVector(offset), get(5), multiplyFloats, roundFloats, toIntegers,
        offset % 32 === 0 ? '' : narrowI32,
      )),
      narrowI16, storeVector(),
      increase(2, 16),
    ),
  ),
}

let compiled: WebAssembly.Module | undefined

/** @param memory - where the addresses of the returned functions are. */
export function tableKernelsIn(memory: WebAssembly.Memory): TableKernels {
  compiled ??= assemble([addRow, addScaled, squares, store])
  return new WebAssembly.Instance(compiled, { host: { memory } }).exports as unknown as TableKernels
}
