/**
 * WebAssembly modules written by hand, so that what runs is what is read: no compiler, no binary in the repository. Opcodes are those of
 * the WebAssembly core specification 2.0 (2022), chapters 5.4 and 5.5.
 *
 * Code is a string with a character for each byte: a search can't wait for arrays of bytes to be put together, which took 9 ms.
 * @module
 */

/** One instruction or several. */
export type Code = string

const byte = (...bytes: number[]): Code => String.fromCharCode(...bytes)

/** One after the other. */
export const code = (...parts: Code[]): Code => parts.join('')

export const I32 = 0x7F
export const F32 = 0x7D
export const V128 = 0x7B
const VOID = 0x40
const END = byte(0x0B)

/** A function that the module exports under its name. */
export interface WasmFunction {
  readonly name: string
  /** Types of the parameters, which are its first locals. */
  readonly parameters: readonly number[]
  /** Types of the locals after them. */
  readonly locals: readonly number[]
  /** Types of the results; none when left out. */
  readonly results?: readonly number[]
  readonly body: Code
}

/** Signed LEB128. */
function signed(value: number): Code {
  const isLast = value >= -64 && value < 64
  return isLast ? byte(value & 127) : byte(value & 127 | 128) + signed(value >> 7)
}

/** Unsigned LEB128. */
function unsigned(value: number): Code {
  return value < 128 ? byte(value) : byte(value & 127 | 128) + unsigned(value >> 7)
}

const vectorInstruction = (opcode: number, rest: Code = ''): Code => byte(0xFD) + unsigned(opcode) + rest
const memory = (align: number, offset = 0): Code => byte(align) + unsigned(offset)

export const get = (local: number): Code => byte(0x20, local)
export const set = (local: number): Code => byte(0x21, local)
export const tee = (local: number): Code => byte(0x22, local)
export const constant = (value: number): Code => byte(0x41) + signed(value)
export const zeroFloat: Code = byte(0x43, 0, 0, 0, 0)
export const add: Code = byte(0x6A)
export const subtract: Code = byte(0x6B)
export const multiply: Code = byte(0x6C)
export const and: Code = byte(0x71)
export const xor: Code = byte(0x73)
export const shiftLeft: Code = byte(0x74)
export const shiftRight: Code = byte(0x76)
export const lessUnsigned: Code = byte(0x49)
export const greaterSigned: Code = byte(0x4A)
export const equal: Code = byte(0x46)
export const isZero: Code = byte(0x45)
export const notGreaterFloat: Code = byte(0x5F)
export const select: Code = byte(0x1B)
export const block = (...body: Code[]): Code => code(byte(0x02, VOID), ...body, END)
export const loop = (...body: Code[]): Code => code(byte(0x03, VOID), ...body, END)
/** @param depth - how many blocks and loops stand between: of a block it leaves the end, of a loop the start. */
export const branchIf = (depth: number): Code => byte(0x0D, depth)
export const branch = (depth: number): Code => byte(0x0C, depth)

export const loadI32: Code = byte(0x28) + memory(2)
/** Unsigned. */
export const loadI8: Code = byte(0x2D) + memory(0)
export const loadI16: Code = byte(0x2F) + memory(1)
export const storeI16: Code = byte(0x3B) + memory(1)
export const storeI32: Code = byte(0x36) + memory(2)
export const loadF32: Code = byte(0x2A) + memory(2)
/** 16 bytes. */
export const loadVector = (offset = 0): Code => vectorInstruction(0x00, memory(4, offset))
export const storeVector = (offset = 0): Code => vectorInstruction(0x0B, memory(4, offset))
/** One float32 or two in the first lanes, zeros in the others. */
export const loadFloat: Code = vectorInstruction(0x5C, memory(2))
export const loadFloatPair: Code = vectorInstruction(0x5D, memory(2))
/** The first lane or the first two. */
export const storeFloat: Code = vectorInstruction(0x5A, memory(2) + byte(0))
export const storeFloatPair: Code = vectorInstruction(0x5B, memory(2) + byte(0))
/** Eight int8, widened to int16. */
export const loadWidened = (offset: number): Code => vectorInstruction(0x01, memory(3, offset))

export const zeroVector: Code = vectorInstruction(0x0C, byte(0).repeat(16))
/** Four 32-bit lanes out of those of two vectors, 0 to 3 and 4 to 7. */
export const shuffle = (...lanes: number[]): Code =>
  vectorInstruction(0x0D, code(...lanes.map(lane => byte(4 * lane, 4 * lane + 1, 4 * lane + 2, 4 * lane + 3))))
/** The first 8 bytes of two vectors in turn, and the last. */
export const interleaveFirst: Code = vectorInstruction(0x0D, code(...Array.from({ length: 8 }, (_, at) => byte(at, 16 + at))))
export const interleaveLast: Code = vectorInstruction(0x0D, code(...Array.from({ length: 8 }, (_, at) => byte(8 + at, 24 + at))))
/** Of each byte, by a number of bits. */
export const shiftBytesLeft: Code = vectorInstruction(0x6B)
export const shiftBytesRight: Code = vectorInstruction(0x6C)
/** The first and the last half of a vector's signed integers as integers of twice the size. */
export const widenBytes: readonly [first: Code, last: Code] = [vectorInstruction(0x87), vectorInstruction(0x88)]
export const widenI16: readonly [first: Code, last: Code] = [vectorInstruction(0xA7), vectorInstruction(0xA8)]
/** Signed integers of two vectors as integers of half the size, the nearest where one is too great. */
export const narrowI32: Code = vectorInstruction(0x85)
export const narrowI16: Code = vectorInstruction(0x65)
/** Products of eight int16 pairs, neighbours added: four int32. */
export const multiplyAddPairs: Code = vectorInstruction(0xBA)
export const addVectors: Code = vectorInstruction(0xAE)
export const greatestOfVectors: Code = vectorInstruction(0xB8)
export const firstLane: Code = vectorInstruction(0x1B, byte(0))
/** A float in all four lanes. */
export const splatFloat: Code = vectorInstruction(0x13)
export const firstFloat: Code = vectorInstruction(0x1F, byte(0))
/** A float in the place of a lane. */
export const replaceFloat = (lane: number): Code => vectorInstruction(0x20, byte(lane))
export const greaterFloats: Code = vectorInstruction(0x44)
/** The first sign bits of four 32-bit lanes. */
export const signBits: Code = vectorInstruction(0xA4)
export const multiplyFloats: Code = vectorInstruction(0xE6)
export const addFloats: Code = vectorInstruction(0xE4)
/** Lane by lane the second where it is greater than the first: one instruction, where the greatest by IEEE 754 takes eight. */
export const greatestOfFloats: Code = vectorInstruction(0xEB)
export const absoluteFloats: Code = vectorInstruction(0xE0)
export const roundFloats: Code = vectorInstruction(0x6A)
/** Four floats as int32, 0 for what is no number. */
export const toIntegers: Code = vectorInstruction(0xF8)
export const divideFloat: Code = byte(0x95)
/** One int32 as a float, and four. */
export const toFloat: Code = byte(0xB2)
export const toFloats: Code = vectorInstruction(0xFA)

export const increase = (local: number, by: number): Code => get(local) + constant(by) + add + set(local)

/**
 * A loop over an array from end to end; with no elements it does nothing.
 * @param array - a local with its address, which becomes that of its end.
 * @param count - a local with the number of elements, a multiple of `atOnce`; it is changed.
 * @param shift - an element has `2 ** shift` bytes.
 */
export const eachOf = (array: number, count: number, shift: number, atOnce: number, ...body: Code[]): Code => block(
  get(count), isZero, branchIf(0),
  get(array), get(count), constant(shift), shiftLeft, add, set(count),
  loop(...body, increase(array, atOnce << shift), get(array), get(count), lessUnsigned, branchIf(0)),
)

/** What an operation makes of the four floats of a vector. @param vector - a local, which is changed. */
export const acrossLanes = (vector: number, operation: Code): Code => code(
  get(vector), get(vector), get(vector), shuffle(2, 3, 0, 1), operation, set(vector),
  get(vector), get(vector), get(vector), shuffle(1, 0, 3, 2), operation, firstFloat,
)

const vector = (entries: readonly Code[]): Code => unsigned(entries.length) + code(...entries)
const sized = (content: Code): Code => unsigned(content.length) + content
const section = (id: number, content: Code): Code => byte(id) + sized(content)
const types = (of: readonly number[]): Code => vector(of.map(type => byte(type)))

const PAGE_BYTES = 65_536

/** @returns a memory of so many bytes at least, all 0, that never grows. */
export function memoryOf(bytes: number): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: Math.max(1, Math.ceil(bytes / PAGE_BYTES)) })
}

/** @returns a module whose functions work on a memory that is imported as `host.memory`. */
export function assemble(functions: readonly WasmFunction[]): WebAssembly.Module {
  return new WebAssembly.Module(Uint8Array.from(Buffer.from(code(
    '\0asm', byte(1, 0, 0, 0),
    section(1, vector(functions.map(({ parameters, results = [] }) => byte(0x60) + types(parameters) + types(results)))),
    section(2, vector([code(sized('host'), sized('memory'), byte(2, 0, 0))])),
    section(3, vector(functions.map((_, index) => unsigned(index)))),
    section(7, vector(functions.map(({ name }, index) => sized(name) + byte(0) + unsigned(index)))),
    section(10, vector(functions.map(({ locals, body }) => sized(vector(locals.map(type => byte(1, type))) + body + END)))),
  ), 'latin1')))
}
