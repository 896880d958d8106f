/**
 * Dot products of up to four vectors with many, 16 components an instruction: 15,000 × 256 in about half a millisecond, where a loop
 * in JavaScript takes ten. The rows are read once for all queries, since reading and widening them is most of the work. The
 * WebAssembly is assembled here, so that what runs is what is read.
 * @module
 */

/** Components must come in a multiple of this. */
export const LANES = 16

/** Vectors that one pass over the rows can compare. */
export const MOST_QUERIES = 4

/**
 * Raises each result to the greatest dot product of its row with any of the queries.
 * @param queries - address of the queries' int16 components, a multiple of 16, interleaved: 16 of the first, 16 of the second, …, the
 *   next 16 of the first.
 * @param rows - address of `count` int32, each the address of a row of at least `size` int8, a multiple of 16.
 * @param size - components that are compared, a multiple of {@link LANES}, at least one.
 * @param out - address of `count` int32, a multiple of 4; what they hold already counts.
 */
export type GreatestDots = (queries: number, rows: number, count: number, size: number, out: number) => void

const I32 = 0x7F
const V128 = 0x7B
const VOID = 0x40

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

/** Signed LEB128; unsigned numbers of these sizes are written alike as long as the sign bit stays clear. */
function signed(value: number): number[] {
  const bytes: number[] = []
  for (let rest = value; ; rest >>= 7) {
    const isLast = rest >= -64 && rest < 64
    bytes.push(rest & 127 | (isLast ? 0 : 128))
    if (isLast) return bytes
  }
}

function unsigned(value: number): number[] {
  return value < 128 ? [value] : [value & 127 | 128, ...unsigned(value >> 7)]
}

const get = (local: number): number[] => [0x20, local]
const set = (local: number): number[] => [0x21, local]
const tee = (local: number): number[] => [0x22, local]
const constant = (value: number): number[] => [0x41, ...signed(value)]
const add = [0x6A]
const subtract = [0x6B]
const lessUnsigned = [0x49]
const greaterSigned = [0x4A]
const isZero = [0x45]
const select = [0x1B]
const block = (...body: number[][]): number[] => [0x02, VOID, ...body.flat(), 0x0B]
const loop = (...body: number[][]): number[] => [0x03, VOID, ...body.flat(), 0x0B]
const branchIf = (depth: number): number[] => [0x0D, depth]
const loadI32 = [0x28, 2, 0]
const storeI32 = [0x36, 2, 0]
const zeroVector = [0xFD, 0x0C, ...Array.from({ length: 16 }, () => 0)]
const loadVector = (offset = 0): number[] => [0xFD, 0x00, 4, ...unsigned(offset)]
/** Eight int8, widened to int16. */
const loadWidened = (offset: number): number[] => [0xFD, 0x01, 3, ...unsigned(offset)]
/** Products of eight int16 pairs, neighbours added: four int32. */
const multiplyAddPairs = [0xFD, 0xBA, 0x01]
const addVectors = [0xFD, 0xAE, 0x01]
const greatestOfVectors = [0xFD, 0xB8, 0x01]
const firstLane = [0xFD, 0x1B, 0]
/** Four int32 out of those of two vectors, 0 to 3 and 4 to 7. */
const shuffle = (...lanes: number[]): number[] => [0xFD, 0x0D, ...lanes.flatMap(lane => [0, 1, 2, 3].map(byte => 4 * lane + byte))]

const increase = (local: number, by: number): number[] => [...get(local), ...constant(by), ...add, ...set(local)]

/** For the lanes a, b, c, d of one vector and e, f, g, h of another: a + c, e + g, b + d, f + h. */
const halfSums = (first: number, second: number): number[] => [
  ...get(first), ...get(second), ...shuffle(0, 4, 1, 5), ...get(first), ...get(second), ...shuffle(2, 6, 3, 7), ...addVectors,
]

/** The greatest of the lane sums of two to four vectors, in the first lane; a vector may come twice. LOW and HIGH are free by then. */
const greatestSum = ([a, b, c = a, d = b]: readonly number[]): number[] => [
  ...halfSums(a!, b!), ...set(LOW), ...halfSums(c!, d!), ...set(HIGH),
  ...get(LOW), ...get(HIGH), ...shuffle(0, 1, 4, 5), ...get(LOW), ...get(HIGH), ...shuffle(2, 3, 6, 7), ...addVectors, ...set(LOW),
  ...get(LOW), ...get(LOW), ...get(LOW), ...shuffle(2, 3, 0, 1), ...greatestOfVectors, ...set(LOW),
  ...get(LOW), ...get(LOW), ...get(LOW), ...shuffle(1, 0, 3, 2), ...greatestOfVectors,
]

/** The function for one number of queries. */
function bodyFor(queryCount: number): number[] {
  const sums = Array.from({ length: queryCount }, (_, query) => FIRST_SUM + query)
  const addProducts = sums.flatMap((sum, query) => [
    ...get(sum), ...get(AT), ...loadVector(32 * query), ...get(LOW), ...multiplyAddPairs, ...addVectors,
    ...get(AT), ...loadVector(32 * query + 16), ...get(HIGH), ...multiplyAddPairs, ...addVectors, ...set(sum),
  ])
  const keepGreatest = [
    ...greatestSum(queryCount === 1 ? [FIRST_SUM, FIRST_SUM] : sums), ...firstLane, ...tee(GREATEST), ...get(OUT), ...loadI32,
    ...get(GREATEST), ...get(OUT), ...loadI32, ...greaterSigned, ...select, ...set(GREATEST),
    ...get(OUT), ...get(GREATEST), ...storeI32,
  ]
  return [
    ...block(
      get(COUNT), isZero, branchIf(0),
      loop(
        sums.flatMap(sum => [...zeroVector, ...set(sum)]),
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
        keepGreatest,
        increase(OUT, 4),
        increase(ROWS, 4),
        get(COUNT), constant(1), subtract, tee(COUNT), branchIf(0),
      ),
    ),
    0x0B,
  ]
}

const vector = (bytes: readonly number[][]): number[] => [...unsigned(bytes.length), ...bytes.flat()]
const sized = (bytes: number[]): number[] => [...unsigned(bytes.length), ...bytes]
const section = (id: number, content: number[]): number[] => [id, ...sized(content)]
const name = (text: string): number[] => sized([...Buffer.from(text)])

function assemble(): Uint8Array<ArrayBuffer> {
  const counts = Array.from({ length: MOST_QUERIES }, (_, index) => index + 1)
  return Uint8Array.from([
    0x00, 0x61, 0x73, 0x6D, 1, 0, 0, 0,
    ...section(1, vector([[0x60, 5, I32, I32, I32, I32, I32, 0]])),
    ...section(2, vector([[...name('host'), ...name('memory'), 2, 0, 0]])),
    ...section(3, vector(counts.map(() => [0]))),
    ...section(7, vector(counts.map((count, index) => [...name(`dot${count}`), 0, index]))),
    ...section(10, vector(counts.map(count => sized([2, 4, I32, 2 + count, V128, ...bodyFor(count)])))),
  ])
}

let compiled: WebAssembly.Module | undefined

/**
 * @param memory - where the addresses of the returned functions are.
 * @returns the function for 1, 2, … {@link MOST_QUERIES} queries, in this order.
 */
export function greatestDotsIn(memory: WebAssembly.Memory): readonly GreatestDots[] {
  compiled ??= new WebAssembly.Module(assemble())
  const { exports } = new WebAssembly.Instance(compiled, { host: { memory } })
  return Array.from({ length: MOST_QUERIES }, (_, index) => exports[`dot${index + 1}`] as GreatestDots)
}
