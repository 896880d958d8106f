import { describe, expect, it } from 'vitest'
import { pairedBootstrap } from '../../evaluation/bootstrap.ts'
import { createRandom, drawInteger, sample, seedOf, shuffled } from '../../evaluation/random.ts'

const alternating = Array.from({ length: 100 }, (_, i) => i % 2)

describe('paired bootstrap', () => {
  it('gives the same interval for the same seed, and another for another', () => {
    const varied = Array.from({ length: 40 }, (_, i) => Math.sin(i))
    const once = pairedBootstrap([varied], 1)
    expect(pairedBootstrap([varied], 1)).toEqual(once)
    expect(pairedBootstrap([varied], 2)).not.toEqual(once)
  })

  it('brackets the mean by about two standard errors', () => {
    const { mean, low, high } = pairedBootstrap([alternating], 3)
    expect(mean).toBe(0.5)
    // the standard error of 100 coin flips is 0.05
    expect(low).toBeGreaterThan(0.36)
    expect(low).toBeLessThan(0.44)
    expect(high).toBeGreaterThan(0.56)
    expect(high).toBeLessThan(0.64)
  })

  it('is a point when all differences are equal', () => {
    expect(pairedBootstrap([[0.25, 0.25], [0.75]], 4)).toEqual({ mean: 0.5, low: 0.5, high: 0.5 })
  })

  it('weighs every set alike, whatever its size', () => {
    expect(pairedBootstrap([Array.from({ length: 99 }, () => 0), [1]], 5).mean).toBe(0.5)
  })
})

describe('seeded randomness', () => {
  it('repeats a stream by its seed', () => {
    const draws = (seed: number) => Array.from({ length: 5 }, createRandom(seed))
    expect(draws(1)).toEqual(draws(1))
    expect(draws(1)).not.toEqual(draws(2))
  })

  it('draws every integer below the bound about equally often', () => {
    const random = createRandom(7)
    const counts = [0, 0, 0, 0]
    for (let i = 0; i < 4_000; i++) counts[drawInteger(random, 4)]!++
    for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(120)
  })

  it('shuffles without losing or changing the original', () => {
    const items = [1, 2, 3, 4, 5, 6, 7, 8]
    const order = shuffled(items, createRandom(1))
    expect(order).not.toEqual(items)
    expect(order.toSorted((a, b) => a - b)).toEqual(items)
    expect(items).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })

  it('samples without replacement in the original order, and gives all when asked for more', () => {
    const items = Array.from({ length: 50 }, (_, i) => i)
    const drawn = sample(items, 10, createRandom(1))
    expect(new Set(drawn).size).toBe(10)
    expect(drawn).toEqual(drawn.toSorted((a, b) => a - b))
    expect(sample(items, 99, createRandom(1))).toEqual(items)
  })

  it('makes different seeds of different texts', () => {
    expect(seedOf('a')).toBe(seedOf('a'))
    expect(seedOf('a b')).not.toBe(seedOf('b a'))
  })
})
