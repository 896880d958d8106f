import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildCatalog } from '../src/catalog/store.ts'
import type { CatalogTool } from '../src/catalog/types.ts'
import type { ChannelId } from '../src/channels/channel.ts'
import { isDestructive } from '../src/destructive.ts'
import { fuse } from '../src/fusion.ts'
import type { RankedList } from '../src/fusion.ts'

const list = (channel: ChannelId, tools: readonly number[], weight = 1, scores = tools.map((_, at) => 100 - at)): RankedList =>
  ({ channel, weight, tools, scores })

const toolCalled = (name: string): CatalogTool => buildCatalog([{ name, description: '' }]).tools[0]!

const order = (lists: readonly RankedList[], destructive: readonly number[] = [], rankConstant = 10): number[] =>
  fuse(lists, { rankConstant, isDestructive: tool => destructive.includes(tool) }).map(({ tool }) => tool)

describe('weighted reciprocal rank fusion', () => {
  it('adds weight / (k + rank) over the lists', () => {
    const [first] = fuse([list('bm25', [7, 8]), list('semantic', [8, 7], 0.5)], { rankConstant: 5, isDestructive: () => false })
    expect(first).toMatchObject({ tool: 7, ranks: { bm25: 1, semantic: 2 } })
    expect(first!.score).toBeCloseTo(1 / 6 + 0.5 / 7, 12)
  })

  it('prefers what two lists have to what one has', () => expect(order([list('bm25', [1, 3]), list('semantic', [2, 3])])).toEqual([3, 1, 2]))
  it('follows the heavier list', () => {
    expect(order([list('bm25', [1, 2]), list('semantic', [2, 1], 2)])).toEqual([2, 1])
    expect(order([list('bm25', [1, 2], 2), list('semantic', [2, 1])])).toEqual([1, 2])
  })
  it('ignores a list of weight 0', () => expect(order([list('bm25', [1]), list('semantic', [2], 0)])).toEqual([1]))
  it('of nothing is nothing', () => expect(order([])).toEqual([]))
})

describe('an exact name', () => {
  it('is never outranked, however many lists say otherwise', () => {
    const others = [list('bm25', [1, 2, 9], 100), list('semantic', [1, 2], 100), list('gloss', [1], 100)]
    expect(order([list('exact', [9], 0.01), ...others])[0]).toBe(9)
    expect(order(others)[0]).toBe(1)
  })
  it('keeps its place among exact names', () => expect(order([list('exact', [9, 4]), list('bm25', [4, 9], 100)])).toEqual([9, 4]))
})

describe('a tie', () => {
  it('goes to the first by name', () => expect(order([list('bm25', [2, 5], 1, [3, 3])])).toEqual([2, 5]))
  it('never puts what cannot be taken back first', () => {
    expect(order([list('bm25', [2, 5], 1, [3, 3])], [2])).toEqual([5, 2])
    expect(order([list('bm25', [2, 5]), list('semantic', [5, 2])], [2])).toEqual([5, 2])
  })
  it('is none when the evidence differs', () => expect(order([list('bm25', [2, 5], 1, [3, 2])], [2])).toEqual([2, 5]))
})

it.each(['delete_issue', 'removeUser', 'DropTable', 'cancel-order', 'files.purge'])('%s cannot be taken back', name => expect(isDestructive(toolCalled(name))).toBe(true))
it.each(['get_issue', 'list_dropdowns', 'undelete', 'clearance_check', 'search'])('%s can', name => expect(isDestructive(toolCalled(name))).toBe(false))

it('does not depend on the order of the lists', () => {
  const ranking = fc.uniqueArray(fc.nat(20), { maxLength: 10 })
  fc.assert(fc.property(ranking, ranking, ranking, (a, b, c) => {
    const lists = [list('exact', a), list('bm25', b), list('semantic', c, 0.5)]
    expect(order([...lists].reverse())).toEqual(order(lists))
  }))
})
