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
  const worse = (a: number, b: number): boolean => scores[a]! < scores[b]! || (scores[a] === scores[b] && a > b)
  let size = 0
  for (let at = 0; at < count; at++) {
    const tool = candidates[at]!
    if (size < heap.length) siftUp(heap, size++, tool, worse)
    else if (size > 0 && worse(heap[0]!, tool)) siftDown(heap, size, tool, worse)
  }
  return heap.sort((a, b) => worse(a, b) ? 1 : -1)
}

function siftUp(heap: Int32Array, from: number, tool: number, worse: (a: number, b: number) => boolean): void {
  let at = from
  while (at > 0) {
    const parent = (at - 1) >> 1
    if (!worse(tool, heap[parent]!)) break
    heap[at] = heap[parent]!
    at = parent
  }
  heap[at] = tool
}

function siftDown(heap: Int32Array, size: number, tool: number, worse: (a: number, b: number) => boolean): void {
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    if (child >= size) break
    if (child + 1 < size && worse(heap[child + 1]!, heap[child]!)) child++
    if (!worse(heap[child]!, tool)) break
    heap[at] = heap[child]!
    at = child
  }
  heap[at] = tool
}
