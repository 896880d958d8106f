/**
 * Seeded randomness: the same seed gives the same draw on any machine.
 * @module
 */

/** Uniform numbers in [0, 1). */
export type Random = () => number

/**
 * The mulberry32 generator (Tommy Ettinger, public domain): 32 bits of state are plenty for drawing samples.
 * @param seed - any integer; only its low 32 bits count.
 */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6D2B79F5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** A 32-bit seed of a text (FNV-1a), so that each set or query has a stream of its own. */
export function seedOf(text: string): number {
  let hash = 0x811C9DC5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

/** An integer in 0 .. bound - 1. */
export function drawInteger(random: Random, bound: number): number {
  return Math.floor(random() * bound)
}

/** A shuffled copy (Fisher-Yates). */
export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const copy = [...items]
  for (let i = copy.length - 1; i > 0; i--) {
    const j = drawInteger(random, i + 1)
    const swapped = copy[i]!
    copy[i] = copy[j]!
    copy[j] = swapped
  }
  return copy
}

/** At most `size` items without replacement, in their original order; all of them when there are no more. */
export function sample<T>(items: readonly T[], size: number, random: Random): T[] {
  if (items.length <= size) return [...items]
  return shuffled(items.map((_, i) => i), random).slice(0, size).sort((a, b) => a - b).map(i => items[i]!)
}
