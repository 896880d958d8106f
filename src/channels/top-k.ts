/**
 * The best few of many scores.
 * @module
 */

/**
 * Keeps the `limit` best tools in a bounded heap whose root is the worst kept one: O(n log limit), no sorting of the rest.
 * @param candidates - tool indices; the first `count` are read.
 * @param scores - by tool index.
 * @returns tools best first, ties by index.
 */
export function topK(candidates: ArrayLike<number>, count: number, scores: ArrayLike<number>, limit: number): Int32Array {
  const heap = new Int32Array(Math.min(limit, count))
  let size = 0
  for (let at = 0; at < count; at++) {
    const tool = candidates[at]!
    if (size < heap.length) siftUp(heap, size++, tool, scores)
    else if (size > 0 && isWorse(heap[0]!, tool, scores)) siftDown(heap, tool, scores)
  }
  return heap.sort((a, b) => isWorse(a, b, scores) ? 1 : -1)
}

function isWorse(a: number, b: number, scores: ArrayLike<number>): boolean {
  return scores[a]! < scores[b]! || (scores[a] === scores[b] && a > b)
}

function siftUp(heap: Int32Array, from: number, tool: number, scores: ArrayLike<number>): void {
  let at = from
  while (at > 0) {
    const parent = (at - 1) >> 1
    if (!isWorse(tool, heap[parent]!, scores)) break
    heap[at] = heap[parent]!
    at = parent
  }
  heap[at] = tool
}

/** Puts a tool in the place of the root. */
function siftDown(heap: Int32Array, tool: number, scores: ArrayLike<number>): void {
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    if (child >= heap.length) break
    if (child + 1 < heap.length && isWorse(heap[child + 1]!, heap[child]!, scores)) child++
    if (!isWorse(heap[child]!, tool, scores)) break
    heap[at] = heap[child]!
    at = child
  }
  heap[at] = tool
}
