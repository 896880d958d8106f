/**
 * Ids of ordered pairs of numbers: a hash table in typed arrays. A catalogue has more pairs of neighbouring words than words, and a Map
 * would need a number of its own on the heap for each question.
 * @module
 */

export interface PairIds {
  get(first: number, second: number): number | undefined
  /** @param first - 0..2³¹−1, like the others; the pair is not there yet. */
  set(first: number, second: number, id: number): void
}

/** Columns of a slot; an id is kept plus one, so that 0 is an empty slot. */
const SLOT = 3

/** A table is at most half full. */
const FIRST_CAPACITY = 4_096

export function createPairIds(): PairIds {
  let capacity = FIRST_CAPACITY
  let slots = new Int32Array(capacity * SLOT)
  let size = 0

  /** The slot of a pair, or the empty one where it belongs. */
  function slotOf(first: number, second: number): number {
    // Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4): the high bits of the product are the mixed ones.
    let slot = (Math.imul(Math.imul(first, 0x9E3779B1) ^ second, 0x85EBCA6B) >>> 8) & (capacity - 1)
    for (;;) {
      const at = slot * SLOT
      if (slots[at + 2] === 0 || (slots[at] === first && slots[at + 1] === second)) return at
      slot = (slot + 1) & (capacity - 1)
    }
  }

  function put(first: number, second: number, storedId: number): void {
    const at = slotOf(first, second)
    slots[at] = first
    slots[at + 1] = second
    slots[at + 2] = storedId
  }

  function grow(): void {
    const old = slots
    capacity *= 2
    slots = new Int32Array(capacity * SLOT)
    for (let at = 0; at < old.length; at += SLOT) if (old[at + 2] !== 0) put(old[at]!, old[at + 1]!, old[at + 2]!)
  }

  return {
    get(first, second) {
      const stored = slots[slotOf(first, second) + 2]!
      return stored === 0 ? undefined : stored - 1
    },
    set(first, second, id) {
      if (2 * ++size > capacity) grow()
      put(first, second, id + 1)
    },
  }
}
