/**
 * WebAssembly modules written as lists of bytes, so that what runs is what is read: no compiler, no binary in the repository. Opcodes are
 * those of the WebAssembly core specification 2.0 (2022), chapters 5.4 and 5.5.
 *
 * An instruction, or several, is an array of bytes; a function's body is the concatenation of its instructions.
 * @module
 */

/** Instructions. */
export type Code = readonly number[]

export const I32 = 0x7F
export const F32 = 0x7D
export const V128 = 0x7B
const VOID = 0x40

/** A function that the module exports under its name. */
export interface WasmFunction {
  readonly name: string
  /** Types of the parameters, which are its first locals. */
  readonly parameters: readonly number[]
  /** Types of the locals after them. */
  readonly locals: readonly number[]
  /** Type of the result, if it has one. */
  readonly result?: number
  readonly body: Code
}

/** Signed LEB128. */
function signed(value: number): number[] {
  const bytes: number[] = []
  for (let rest = value; ; rest >>= 7) {
    const isLast = rest >= -64 && rest < 64
    bytes.push(rest & 127 | (isLast ? 0 : 128))
    if (isLast) return bytes
  }
}

/** Unsigned LEB128. */
function unsigned(value: number): number[] {
  return value < 128 ? [value] : [value & 127 | 128, ...unsigned(value >> 7)]
}

const vectorInstruction = (opcode: number, ...rest: number[]): Code => [0xFD, ...unsigned(opcode), ...rest]

export const get = (local: number): Code => [0x20, local]
export const set = (local: number): Code => [0x21, local]
export const tee = (local: number): Code => [0x22, local]
export const constant = (value: number): Code => [0x41, ...signed(value)]
export const zeroFloat: Code = [0x43, 0, 0, 0, 0]
export const add: Code = [0x6A]
export const subtract: Code = [0x6B]
export const and: Code = [0x71]
export const shiftLeft: Code = [0x74]
export const shiftRight: Code = [0x76]
export const lessUnsigned: Code = [0x49]
export const greaterSigned: Code = [0x4A]
export const isZero: Code = [0x45]
export const notGreaterFloat: Code = [0x5F]
export const select: Code = [0x1B]
export const block = (...body: Code[]): Code => [0x02, VOID, ...body.flat(), 0x0B]
export const loop = (...body: Code[]): Code => [0x03, VOID, ...body.flat(), 0x0B]
/** @param depth - how many blocks and loops stand between: of a block it leaves the end, of a loop the start. */
export const branchIf = (depth: number): Code => [0x0D, depth]

export const loadI32: Code = [0x28, 2, 0]
export const storeI32 = (offset = 0): Code => [0x36, 2, ...unsigned(offset)]
export const loadF32: Code = [0x2A, 2, 0]
/** 16 bytes. */
export const loadVector = (offset = 0): Code => vectorInstruction(0x00, 4, ...unsigned(offset))
export const storeVector = (offset = 0): Code => vectorInstruction(0x0B, 4, ...unsigned(offset))
/** One float32 or two in the first lanes, zeros in the others. */
export const loadFloat: Code = vectorInstruction(0x5C, 2, 0)
export const loadFloatPair: Code = vectorInstruction(0x5D, 2, 0)
/** The first lane or the first two. */
export const storeFloat: Code = vectorInstruction(0x5A, 2, 0, 0)
export const storeFloatPair: Code = vectorInstruction(0x5B, 2, 0, 0)
/** Eight int8, widened to int16. */
export const loadWidened = (offset: number): Code => vectorInstruction(0x01, 3, ...unsigned(offset))

export const zeroVector: Code = vectorInstruction(0x0C, ...Array.from({ length: 16 }, () => 0))
/** Four 32-bit lanes out of those of two vectors, 0 to 3 and 4 to 7. */
export const shuffle = (...lanes: number[]): Code =>
  vectorInstruction(0x0D, ...lanes.flatMap(lane => [0, 1, 2, 3].map(byte => 4 * lane + byte)))
/** Products of eight int16 pairs, neighbours added: four int32. */
export const multiplyAddPairs: Code = vectorInstruction(0xBA)
export const addVectors: Code = vectorInstruction(0xAE)
export const greatestOfVectors: Code = vectorInstruction(0xB8)
export const firstLane: Code = vectorInstruction(0x1B, 0)
/** A float in all four lanes. */
export const splatFloat: Code = vectorInstruction(0x13)
export const firstFloat: Code = vectorInstruction(0x1F, 0)
/** A float in the place of a lane. */
export const replaceFloat = (lane: number): Code => vectorInstruction(0x20, lane)
export const greaterFloats: Code = vectorInstruction(0x44)
/** The first sign bits of four 32-bit lanes. */
export const signBits: Code = vectorInstruction(0xA4)
export const multiplyFloats: Code = vectorInstruction(0xE6)
export const addFloats: Code = vectorInstruction(0xE4)
/** Lane by lane the second where it is greater than the first: one instruction, where the greatest by IEEE 754 takes eight. */
export const greatestOfFloats: Code = vectorInstruction(0xEB)
/** Four int32 as floats. */
export const toFloats: Code = vectorInstruction(0xFA)

export const increase = (local: number, by: number): Code => [...get(local), ...constant(by), ...add, ...set(local)]

const vector = (entries: readonly Code[]): number[] => [...unsigned(entries.length), ...entries.flat()]
const sized = (bytes: readonly number[]): number[] => [...unsigned(bytes.length), ...bytes]
const section = (id: number, content: readonly number[]): number[] => [id, ...sized(content)]
const name = (text: string): number[] => sized([...Buffer.from(text)])

/** @returns a module whose functions work on a memory that is imported as `host.memory`. */
export function assemble(functions: readonly WasmFunction[]): WebAssembly.Module {
  return new WebAssembly.Module(Uint8Array.from([
    0x00, 0x61, 0x73, 0x6D, 1, 0, 0, 0,
    ...section(1, vector(functions.map(({ parameters, result }) =>
      [0x60, ...vector(parameters.map(type => [type])), ...vector(result === undefined ? [] : [[result]])]))),
    ...section(2, vector([[...name('host'), ...name('memory'), 2, 0, 0]])),
    ...section(3, vector(functions.map((_, index) => unsigned(index)))),
    ...section(7, vector(functions.map((it, index) => [...name(it.name), 0, ...unsigned(index)]))),
    ...section(10, vector(functions.map(({ locals, body }) => sized([...vector(locals.map(type => [1, type])), ...body, 0x0B])))),
  ]))
}
