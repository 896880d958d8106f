/**
 * Dot products of up to eight vectors with many, 16 components an instruction: 15,000 × 256 in about half a millisecond, where a loop
 * in JavaScript takes ten. The rows are read once for all queries, since reading and widening them is most of the work.
 * @module
 */

import {
  add, addVectors, assemble, block, branchIf, code, constant, firstLane, get, greaterSigned, greatestOfVectors, I32, increase, isZero,
  lessUnsigned, loadI32, loadVector, loadWidened, loop, multiplyAddPairs, select, set, shuffle, storeI32, subtract, tee, V128, zeroVector,
} from '../wasm/assembler.ts'
import type { Code } from '../wasm/assembler.ts'

/** Components must come in a multiple of this. */
export const LANES = 16

/** Vectors that one pass over the rows can compare. */
export const MOST_QUERIES = 8

/**
 * Raises each result to the greatest dot product of its row with any of the queries.
 * @param queries - address of the queries' int16 components, a multiple of 16, interleaved: 16 of the first, 16 of the second, …, the
 *   next 16 of the first.
 * @param rows - address of `count` int32, each the address of a row of at least `size` int8, a multiple of 16.
 * @param size - components that are compared, a multiple of {@link LANES}, at least one.
 * @param out - address of `count` int32, a multiple of 4; what they hold already counts.
 */
export type GreatestDots = (queries: number, rows: number, count: number, size: number, out: number) => void

/** Locals of a function: its parameters, then its variables, then one vector for each query. */
const QUERY = 0
const ROWS = 1
const COUNT = 2
const SIZE = 3
const OUT = 4
const END = 5
const AT = 6
const GREATEST = 7
const ROW = 8
const LOW = 9
const HIGH = 10
const FIRST_SUM = 11

/** For the lanes a, b, c, d of one vector and e, f, g, h of another: a + c, e + g, b + d, f + h. */
const halfSums = (first: number, second: number): Code =>
  code(get(first), get(second), shuffle(0, 4, 1, 5), get(first), get(second), shuffle(2, 6, 3, 7), addVectors)

/** The greatest of the lane sums of two to four vectors, in the first lane; a vector may come twice. LOW and HIGH are free by then. */
const greatestSum = ([a, b, c = a, d = b]: readonly number[]): Code => code(
  halfSums(a!, b!), set(LOW), halfSums(c!, d!), set(HIGH),
  get(LOW), get(HIGH), shuffle(0, 1, 4, 5), get(LOW), get(HIGH), shuffle(2, 3, 6, 7), addVectors, set(LOW),
  get(LOW), get(LOW), get(LOW), shuffle(2, 3, 0, 1), greatestOfVectors, set(LOW),
  get(LOW), get(LOW), get(LOW), shuffle(1, 0, 3, 2), greatestOfVectors,
)

/** The function for one number of queries. */
function bodyFor(queryCount: number): Code {
  const sums = Array.from({ length: queryCount }, (_, query) => FIRST_SUM + query)
  const addProducts = code(...sums.map((sum, query) => code(
    get(sum), get(AT), loadVector(32 * query), get(LOW), multiplyAddPairs, addVectors,
    get(AT), loadVector(32 * query + 16), get(HIGH), multiplyAddPairs, addVectors, set(sum),
  )))
  const keepGreatest = (some: readonly number[]): Code => some.length === 0 ? '' : code(
    greatestSum(some.length === 1 ? [some[0]!, some[0]!] : some), firstLane, tee(GREATEST), get(OUT), loadI32,
    get(GREATEST), get(OUT), loadI32, greaterSigned, select, set(GREATEST),
    get(OUT), get(GREATEST), storeI32,
  )
  return block(
    get(COUNT), isZero, branchIf(0),
    loop(
      ...sums.map(sum => zeroVector + set(sum)),
      get(QUERY), set(AT),
      get(ROWS), loadI32, tee(ROW), get(SIZE), add, set(END),
      loop(
        get(ROW), loadWidened(0), set(LOW),
        get(ROW), loadWidened(8), set(HIGH),
        addProducts,
        increase(AT, 32 * queryCount),
        increase(ROW, LANES),
        get(ROW), get(END), lessUnsigned, branchIf(0),
      ),
      keepGreatest(sums.slice(0, 4)), keepGreatest(sums.slice(4)),
      increase(OUT, 4),
      increase(ROWS, 4),
      get(COUNT), constant(1), subtract, tee(COUNT), branchIf(0),
    ),
  )
}

/** By number of queries, each compiled when there is a search with so many. */
const compiled = new Map<number, WebAssembly.Module>()

/**
 * @param queryCount - 1 to {@link MOST_QUERIES}.
 * @param memory - where the addresses of the returned function are.
 */
export function greatestDotsIn(memory: WebAssembly.Memory, queryCount: number): GreatestDots {
  let module = compiled.get(queryCount)
  if (module === undefined) {
    const locals = [I32, I32, I32, I32, V128, V128, ...Array.from({ length: queryCount }, () => V128)]
    module = assemble([{ name: 'greatestDots', parameters: [I32, I32, I32, I32, I32], locals, body: bodyFor(queryCount) }])
    compiled.set(queryCount, module)
  }
  return new WebAssembly.Instance(module, { host: { memory } }).exports.greatestDots as GreatestDots
}
