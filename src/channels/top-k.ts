/**
 * The best few of many scores.
 * @module
 */

/**
 * Keeps the `limit` best tools in a bounded heap whose root is the worst kept one: O(n log limit), no sorting of the rest, and one
 * comparison for most of it.
 * @param candidates - tool indices; the first `count` are read.
 * @param scores - by tool index.
 * @returns tools best first, ties by index.
 */
export function topK(candidates: Int32Array, count: number, scores: Float32Array, limit: number): Int32Array {
  const heap = new Int32Array(Math.min(limit, count))
  if (heap.length === 0) return heap
  for (let size = 0; size < heap.length; size++) siftUp(heap, size, candidates[size]!, scores)
  let worst = scores[heap[0]!]!
  for (let at = heap.length; at < count; at++) {
    const tool = candidates[at]!
    if (scores[tool]! < worst || !isWorse(heap[0]!, tool, scores)) continue
    siftDown(heap, tool, scores, heap.length)
    worst = scores[heap[0]!]!
  }
  return sortHeap(heap, scores)
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

/** Steps in which scores are told apart by {@link bestByClass}. */
const CLASSES = 1_024

/**
 * The best tools by rough score, in no order: at least `least` of those with a score above 0, if there are so many, and those that are
 * in the same 1,024th as the last of them. Two looks at each score and no comparison between two, for lists of which the order does not
 * count yet.
 * @param scores - by tool index, at most 1 (plus rounding).
 * @param into - scratch space for all tools; the result is a part of it, ascending by index.
 */
export function bestByClass(scores: Float32Array, least: number, into: Int32Array): Int32Array {
  const sizes = new Int32Array(CLASSES + 1)
  for (let tool = 0; tool < scores.length; tool++) if (scores[tool]! > 0) sizes[classOf(scores[tool]!)]!++
  let lowest = CLASSES
  for (let found = sizes[lowest]!; found < least && lowest > 0;) found += sizes[--lowest]!
  let count = 0
  for (let tool = 0; tool < scores.length; tool++) {
    if (scores[tool]! > 0 && classOf(scores[tool]!) >= lowest) into[count++] = tool
  }
  return into.subarray(0, count)
}

function classOf(score: number): number {
  return Math.min(CLASSES, (score * CLASSES) | 0)
}
