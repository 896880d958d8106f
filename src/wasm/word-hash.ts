/**
 * The loop that fills a hash table with the words of a list: a tenth of the time that JavaScript takes that has not been compiled yet, and
 * a word table is read once.
 * @module
 */

import {
  add, and, assemble, block, branch, branchIf, code, constant, equal, get, I32, increase, isZero, lessUnsigned, loadI16, loadI8, loop,
  multiply, set, shiftLeft, shiftRight, storeI16, storeI32, subtract, tee, xor,
} from './assembler.ts'
import type { WasmFunction } from './assembler.ts'

/** Slots of the table are a power of 2. */
export const SLOT_BITS = 16
export const LINE_FEED = 10

const FACTOR = 0x01000193
const SPREAD = 0x9E3779B1

/** Multiplicative string hash; the high bits are taken at the end (Knuth, The Art of Computer Programming 3, 6.4). */
export const hashStep = (hash: number, unit: number): number => Math.imul(hash ^ unit, FACTOR)
export const slotOf = (hash: number): number => Math.imul(hash, SPREAD) >>> (32 - SLOT_BITS)
export const nextSlot = (slot: number): number => (slot + 1) & (2 ** SLOT_BITS - 1)

/**
 * Puts every word into the first slot from {@link slotOf} its hash that is 0: a uint16, its number from 1.
 * @param words - address of `length` bytes, one or more; each word ends with a line feed.
 * @param starts - address of uint32: for each word, from its number on, where the next one starts, counted from the first byte.
 * @param slots - address of the slots, all 0.
 */
export type FillSlots = (words: number, length: number, starts: number, slots: number) => void

const [WORDS, LENGTH, STARTS, SLOTS, AT, END, UNIT, HASH, SLOT, NUMBER] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const

const slotAddress = code(get(SLOTS), get(SLOT), constant(1), shiftLeft, add)

const fillSlots: WasmFunction = {
  name: 'fillSlots',
  parameters: [I32, I32, I32, I32],
  locals: [I32, I32, I32, I32, I32, I32],
  body: code(
    get(WORDS), tee(AT), get(LENGTH), add, set(END),
    loop(
      block(
        block(
          get(AT), loadI8, tee(UNIT), constant(LINE_FEED), equal, branchIf(0),
          get(HASH), get(UNIT), xor, constant(FACTOR), multiply, set(HASH),
          branch(1),
        ),
        get(HASH), constant(SPREAD | 0), multiply, constant(32 - SLOT_BITS), shiftRight, set(SLOT),
        block(
          loop(
            slotAddress, loadI16, isZero, branchIf(1),
            get(SLOT), constant(1), add, constant(2 ** SLOT_BITS - 1), and, set(SLOT),
            branch(0),
          ),
        ),
        increase(NUMBER, 1),
        slotAddress, get(NUMBER), storeI16,
        get(STARTS), get(NUMBER), constant(2), shiftLeft, add, get(AT), get(WORDS), subtract, constant(1), add, storeI32,
        constant(0), set(HASH),
      ),
      increase(AT, 1),
      get(AT), get(END), lessUnsigned, branchIf(0),
    ),
  ),
}

/** @param memory - where the addresses of the returned function are. */
export function fillSlotsIn(memory: WebAssembly.Memory): FillSlots {
  return new WebAssembly.Instance(assemble([fillSlots]), { host: { memory } }).exports.fillSlots as FillSlots
}
