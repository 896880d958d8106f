import { describe, expect, it } from 'vitest'
import { mean, meanScores, ndcgAt, quantile, recallAt, reciprocalRankAt, scoreAnswer } from '../../evaluation/metrics.ts'

const ranked = ['a', 'b', 'c', 'd', 'e', 'f']
const all = (...relevant: string[]) => ({ relevant, any: false })
const any = (...relevant: string[]) => ({ relevant, any: true })

describe('recall', () => {
  it('is the share of the relevant tools that were found', () => {
    expect(recallAt(1, ranked, all('a', 'c'))).toBe(0.5)
    expect(recallAt(3, ranked, all('a', 'c'))).toBe(1)
    expect(recallAt(5, ranked, all('f', 'x'))).toBe(0)
    expect(recallAt(8, ranked, all('f', 'x', 'y', 'a'))).toBe(0.5)
  })

  it('is 1 as soon as one of several alternatives is found', () => {
    expect(recallAt(1, ranked, any('b', 'c'))).toBe(0)
    expect(recallAt(2, ranked, any('b', 'c'))).toBe(1)
    expect(recallAt(8, ranked, any('b', 'c'))).toBe(1)
  })

  it('is 0 for an empty answer', () => {
    expect(recallAt(8, [], all('a'))).toBe(0)
  })
})

describe('reciprocal rank', () => {
  it('is 1 / rank of the first relevant tool', () => {
    expect(reciprocalRankAt(10, ranked, all('d', 'b'))).toBe(1 / 2)
    expect(reciprocalRankAt(10, ranked, all('x'))).toBe(0)
  })

  it('looks no deeper than k', () => {
    expect(reciprocalRankAt(3, ranked, all('d'))).toBe(0)
    expect(reciprocalRankAt(4, ranked, all('d'))).toBe(1 / 4)
  })
})

describe('nDCG', () => {
  it('is 1 for the best order, whatever else follows', () => {
    expect(ndcgAt(5, ranked, all('b', 'a'))).toBe(1)
    expect(ndcgAt(5, ranked, all('a'))).toBe(1)
  })

  it('discounts by log2(rank + 1) against the best order', () => {
    // gains at ranks 2 and 4; best at ranks 1 and 2
    expect(ndcgAt(5, ranked, all('b', 'd'))).toBeCloseTo((1 / Math.log2(3) + 1 / Math.log2(5)) / (1 + 1 / Math.log2(3)), 12)
    expect(ndcgAt(5, ranked, all('c'))).toBeCloseTo(0.5, 12)
  })

  it('does not ask for more relevant tools than k places can hold', () => {
    expect(ndcgAt(5, ranked, all(...ranked))).toBe(1)
  })

  it('counts the first of alternatives only', () => {
    expect(ndcgAt(5, ranked, any('c', 'd'))).toBeCloseTo(0.5, 12)
    expect(ndcgAt(5, ranked, any('a', 'b'))).toBe(1)
  })
})

describe('all metrics of an answer', () => {
  it('are those at their depths', () => {
    expect(scoreAnswer(ranked, all('f'))).toEqual({ recall1: 0, recall5: 0, recall8: 1, mrr10: 1 / 6, ndcg5: 0, empty: 0 })
    expect(scoreAnswer([], all('f'))).toEqual({ recall1: 0, recall5: 0, recall8: 0, mrr10: 0, ndcg5: 0, empty: 1 })
  })

  it('are averaged one by one', () => {
    const means = meanScores([scoreAnswer(ranked, all('a')), scoreAnswer([], all('a'))])
    expect(means).toEqual({ recall1: 0.5, recall5: 0.5, recall8: 0.5, mrr10: 0.5, ndcg5: 0.5, empty: 0.5 })
  })
})

describe('means and quantiles', () => {
  it('a mean of nothing is not a number', () => {
    expect(mean([1, 2, 6])).toBe(3)
    expect(mean([])).toBeNaN()
  })

  it('a quantile is a value that was measured', () => {
    const values = [9, 1, 8, 2, 7, 3, 6, 4, 5, 10]
    expect(quantile(values, 0.5)).toBe(5)
    expect(quantile(values, 0.95)).toBe(10)
    expect(quantile(values, 0.9)).toBe(9)
    expect(quantile(values, 0)).toBe(1)
    expect(quantile([], 0.5)).toBeNaN()
  })
})
