/**
 * The loops of a lexical search over postings. In WebAssembly they take a little more than half the time of the same loops in JavaScript,
 * whose numbers have 64 bits between two arrays of floats.
 *
 * Addresses are in bytes. Sums are pairs of float32, a score and a mass, as in `channels/bm25-score.ts`; a posting is an int32, its tool,
 * and at the same place of another array a float32, its value.
 * @module
 */

import {
  add, addFloats, assemble, block, branchIf, code, constant, eachOf, F32, firstFloat, get, greatestOfFloats, I32, increase, isZero, loadF32,
  loadFloat, loadFloatPair, loadI32, multiplyFloats, notGreaterFloat, replaceFloat, set, shiftLeft, splatFloat, storeFloat, storeFloatPair,
  tee, V128, zeroFloat, zeroVector,
} from './assembler.ts'
import type { Code, WasmFunction } from './assembler.ts'

/** Where a score goes. The last three are for a second place with weights of its own; its address is 0 when there is none. */
type Targets = [sums: number, weight: number, mass: number, otherSums: number, otherWeight: number, otherMass: number]

export interface PostingKernels {
  /** `best[tool] = max(best[tool], unit × value)` for each posting. */
  raise(tools: number, values: number, count: number, unit: number, best: number): void
  /**
   * Adds `weight × max(best[tool], unit × value)` to the score of each posting's tool and `mass` to its mass, and sets `best[tool]` to 0.
   * Where the greater of the two is 0 nothing is added.
   */
  take(tools: number, values: number, count: number, unit: number, best: number, ...targets: Targets): void
  /** The same where `best` is 0 everywhere and every value is above 0. */
  takeOnly(tools: number, values: number, count: number, unit: number, ...targets: Targets): void
  /** Adds `unit × value` to the score of each posting's tool that has one. */
  lift(tools: number, values: number, count: number, unit: number, sums: number): void
  /** `into[tool] += unit × value` for each posting. */
  add(tools: number, values: number, count: number, unit: number, into: number): void
  /** `best[tool] = max(best[tool], from[tool])` and `from[tool] = 0` for each posting. */
  move(tools: number, count: number, from: number, best: number): void
}

/** The address in an array of `2 ** shift` bytes for each tool of what belongs to the tool at an address. */
const placeIn = (array: number, tool: number, shift: number): Code =>
  code(get(array), get(tool), loadI32, constant(shift), shiftLeft, add)

const POSTING_PARAMETERS = [I32, I32, I32, F32]
const TARGET_PARAMETERS = [I32, F32, F32, I32, F32, F32]
const TOOLS = 0
const VALUES = 1
const COUNT = 2
const UNIT = 3
/** `unit × value` in the first lane. @param units - the unit in all lanes. */
const own = (units: number): Code => code(get(units), get(VALUES), loadFloat, multiplyFloats)
/** A loop over postings. */
const eachPosting = (...body: Code[]): Code => eachOf(TOOLS, COUNT, 2, 1, ...body, increase(VALUES, 4))
const spread = (float: number, vector: number): Code => get(float) + splatFloat + set(vector)

/** Sets two locals to what a target's sums are made of: the weight and 0, and 0 and the mass. */
function addends(target: number, weights: number): Code {
  return code(
    zeroVector, get(target + 1), replaceFloat(0), set(weights),
    zeroVector, get(target + 2), replaceFloat(1), set(weights + 1),
  )
}

/**
 * @param first - the first of the targets' parameters.
 * @param score - a local with the score in the first lane and zeros in the others.
 * @param place - a local for an address.
 * @param weights - the first of four locals, see {@link addends}.
 */
function addToTargets(first: number, score: number, place: number, weights: number): Code {
  const addOne = (target: number, addend: number): Code => code(
    placeIn(target, TOOLS, 3), tee(place), get(place), loadFloatPair,
    get(score), get(addend), multiplyFloats, addFloats, get(addend + 1), addFloats, storeFloatPair,
  )
  return addOne(first, weights) + block(get(first + 3), isZero, branchIf(0), addOne(first + 3, weights + 2))
}

/** A function that combines a number of each posting's tool with `unit × value`. */
const combining = (name: string, operation: Code): WasmFunction => ({
  name,
  parameters: [...POSTING_PARAMETERS, I32],
  locals: [I32, V128],
  body: code(spread(UNIT, 6), eachPosting(placeIn(4, TOOLS, 2), tee(5), get(5), loadFloat, own(6), operation, storeFloat)),
})

const take: WasmFunction = {
  name: 'take',
  parameters: [...POSTING_PARAMETERS, I32, ...TARGET_PARAMETERS],
  locals: [I32, V128, V128, V128, V128, V128, V128],
  body: code(
    spread(UNIT, 12), addends(5, 14), addends(8, 16),
    eachPosting(
      block(
        placeIn(4, TOOLS, 2), tee(11), loadFloat, own(12), greatestOfFloats, tee(13), firstFloat, zeroFloat, notGreaterFloat, branchIf(0),
        get(11), zeroVector, storeFloat,
        addToTargets(5, 13, 11, 14),
      ),
    ),
  ),
}

const takeOnly: WasmFunction = {
  name: 'takeOnly',
  parameters: [...POSTING_PARAMETERS, ...TARGET_PARAMETERS],
  locals: [I32, V128, V128, V128, V128, V128, V128],
  body: code(
    spread(UNIT, 11), addends(4, 13), addends(7, 15),
    eachPosting(own(11), set(12), addToTargets(4, 12, 10, 13)),
  ),
}

const lift: WasmFunction = {
  name: 'lift',
  parameters: [...POSTING_PARAMETERS, I32],
  locals: [I32, V128],
  body: code(
    spread(UNIT, 6),
    eachPosting(
      block(
        placeIn(4, TOOLS, 3), tee(5), loadF32, zeroFloat, notGreaterFloat, branchIf(0),
        get(5), get(5), loadFloat, own(6), addFloats, storeFloat,
      ),
    ),
  ),
}

const move: WasmFunction = {
  name: 'move',
  parameters: [I32, I32, I32, I32],
  locals: [I32, I32],
  body: eachOf(
    0, 1, 2, 1,
    placeIn(2, 0, 2), set(4),
    placeIn(3, 0, 2), tee(5), get(5), loadFloat, get(4), loadFloat, greatestOfFloats, storeFloat,
    get(4), zeroVector, storeFloat,
  ),
}

let compiled: WebAssembly.Module | undefined

/** @param memory - where the addresses of the returned functions are. */
export function postingKernelsIn(memory: WebAssembly.Memory): PostingKernels {
  compiled ??= assemble([combining('raise', greatestOfFloats), combining('add', addFloats), take, takeOnly, lift, move])
  return new WebAssembly.Instance(compiled, { host: { memory } }).exports as unknown as PostingKernels
}
