/**
 * The best few of many scores.
 * @module
 */

/**
 * The best few of scores that come one by one: a bounded heap whose root is the worst that is kept. O(n log limit), no sorting of the
 * rest, and one comparison for most of it.
 */
export class Best {
  /** What is below it need not be offered. */
  least = -Infinity
  readonly #heap: Int32Array
  readonly #scores: Float32Array
  #size = 0

  /** @param limit - 1 or more. @param scores - by tool index; that of a tool is set before it is offered, and stays. */
  constructor(limit: number, scores: Float32Array) {
    this.#heap = new Int32Array(limit)
    this.#scores = scores
  }

  /** @param tool - offered once. */
  offer(tool: number): void {
    const heap = this.#heap
    const scores = this.#scores
    if (this.#size < heap.length) siftUp(heap, this.#size++, tool, scores)
    else if (isWorse(heap[0]!, tool, scores)) siftDown(heap, tool, scores, heap.length)
    else return
    if (this.#size === heap.length) this.least = scores[heap[0]!]!
  }

  /** @returns the tools that are kept, best first, ties by index. Nothing can be offered any more. */
  take(): Int32Array {
    return sortHeap(this.#heap.subarray(0, this.#size), this.#scores)
  }
}

/**
 * The best of many tools.
 * @param candidates - tool indices, each once; the first `count` are read.
 * @param scores - by tool index.
 * @returns tools best first, ties by index.
 */
export function topK(candidates: Int32Array, count: number, scores: Float32Array, limit: number): Int32Array {
  const best = new Best(Math.min(limit, count), scores)
  for (let at = 0; at < count; at++) if (scores[candidates[at]!]! >= best.least) best.offer(candidates[at]!)
  return best.take()
}

/** Takes the worst off the heap again and again: best first, in place. */
function sortHeap(heap: Int32Array, scores: Float32Array): Int32Array {
  for (let end = heap.length - 1; end > 0; end--) {
    const worst = heap[0]!
    siftDown(heap, heap[end]!, scores, end)
    heap[end] = worst
  }
  return heap
}

function isWorse(a: number, b: number, scores: Float32Array): boolean {
  return scores[a]! < scores[b]! || (scores[a] === scores[b] && a > b)
}

function siftUp(heap: Int32Array, from: number, tool: number, scores: Float32Array): void {
  let at = from
  while (at > 0) {
    const parent = (at - 1) >> 1
    if (!isWorse(tool, heap[parent]!, scores)) break
    heap[at] = heap[parent]!
    at = parent
  }
  heap[at] = tool
}

/** Puts a tool in the place of the root of a heap of `size`. */
function siftDown(heap: Int32Array, tool: number, scores: Float32Array, size: number): void {
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    if (child >= size) break
    if (child + 1 < size && isWorse(heap[child + 1]!, heap[child]!, scores)) child++
    if (!isWorse(heap[child]!, tool, scores)) break
    heap[at] = heap[child]!
    at = child
  }
  heap[at] = tool
}

/** @returns the scores of some tools, beside them. */
export function scoresOf(tools: Int32Array, scores: Float32Array): Float32Array {
  const picked = new Float32Array(tools.length)
  for (let at = 0; at < tools.length; at++) picked[at] = scores[tools[at]!]!
  return picked
}

/** Steps in which scores are told apart by {@link floorOf}. */
const CLASSES = 1_024

/** Of so many scores one is looked at. */
const SAMPLING = 16

/** How many times as many as are needed a floor is estimated for; the second where too few are above the first. */
const MARGINS = [1.5, 4]

/**
 * The best of many without comparing any two: those above a floor that is estimated by a sample.
 * @param count - how many there are at least, if so many are above 0.
 * @param scores - at most 1 (plus rounding).
 * @param above - which of them are above a floor.
 * @returns what `above` returned: nothing that is left out is better than what is in it.
 */
export function atLeast(count: number, scores: Float32Array, above: (floor: number) => Int32Array): Int32Array {
  for (const margin of MARGINS) {
    const found = above(floorOf(scores, 1, 1, margin * count))
    if (found.length >= count) return found
  }
  return above(0)
}

/**
 * Estimates by a sample what about `count` of many scores are above.
 * @param width - values from one score to the next.
 * @param most - no score is greater, plus rounding.
 * @returns a multiple of a 1,024th of the greatest, or 0.
 */
export function floorOf(scores: Float32Array, width: number, most: number, count: number): number {
  const sizes = new Int32Array(CLASSES + 1)
  const unit = CLASSES / most
  for (let at = 0; at < scores.length; at += SAMPLING * width) {
    if (scores[at]! > 0) sizes[Math.min(CLASSES, (scores[at]! * unit) | 0)]!++
  }
  let lowest = CLASSES
  for (let found = SAMPLING * sizes[lowest]!; found < count && lowest > 0;) found += SAMPLING * sizes[--lowest]!
  return lowest / unit
}
