import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCatalogStore } from '../../src/catalog/store.ts'
import type { ToolDeclaration } from '../../src/catalog/types.ts'
import { createBm25Channel } from '../../src/channels/bm25.ts'
import { createLexicalIndexer } from '../../src/channels/lexical-index.ts'
import type { LexicalIndex } from '../../src/channels/lexical-index.ts'
import { createPairIds } from '../../src/channels/pair-ids.ts'
import { planQuery } from '../../src/query/planner.ts'
import { DEFAULT_RETRIEVAL } from '../../src/retrieval-defaults.ts'

const WORDS = ['issue', 'create', 'weather', 'city', 'mail', 'send', 'delete', 'file', 'page', 'open', 'user', 'report']

/** `count` tools; which text a tool has depends on its number and its version. */
function tools(versions: ReadonlyMap<number, number>): ToolDeclaration[] {
  return [...versions].map(([number, version]) => {
    const word = (at: number): string => WORDS[(number * 7 + version * 5 + at * at) % WORDS.length]!
    return {
      name: `${word(0)}_${word(1)}_${number}`,
      description: `${word(2)} ${word(3)} ${word(4)} of a ${word(5)}`,
      parameters: { type: 'object', properties: { [word(6)]: { type: 'string', description: word(7) } } },
    }
  })
}

/** Everything that a search reads, by words instead of ids. */
function content(index: LexicalIndex): unknown {
  const { postings, names, analyses, catalog } = index
  const list = ({ offsets, tools: listed, values }: typeof names, id: number): unknown =>
    Array.from(listed.subarray(offsets[id], offsets[id + 1]), (tool, at) => [catalog.tools[tool]!.name, values[offsets[id]! + at]])
  const known = ['issu', 'creat', 'weather', 'citi', 'mail', 'send', 'delet', 'file', 'page', 'open', 'user', 'report']
    .flatMap(word => index.term(word) ?? [])
  return {
    terms: known.map(id => [list(postings, id), list(names, id)]),
    sizes: [postings.tools.length, postings.values.length, names.tools.length],
    masses: analyses.map((_, tool) => index.nameMass(tool)),
  }
}

const changes = fc.array(fc.record({ number: fc.nat({ max: 79 }), what: fc.constantFrom('add', 'remove', 'change') }), { maxLength: 4 })

describe('an index that is made of the one before', () => {
  it('is the index of a catalogue that was never another', () => {
    fc.assert(fc.property(fc.array(changes, { minLength: 1, maxLength: 6 }), (rounds) => {
      const versions = new Map(Array.from({ length: 60 }, (_, number) => [number, 0]))
      const store = createCatalogStore()
      const indexOf = createLexicalIndexer(DEFAULT_RETRIEVAL)
      indexOf(store.snapshot(tools(versions)))
      for (const round of rounds) {
        for (const { number, what } of round) {
          if (what === 'remove') versions.delete(number)
          else versions.set(number, (versions.get(number) ?? 0) + (what === 'change' ? 1 : 0))
        }
        const catalog = store.snapshot(tools(versions))
        const fresh = createLexicalIndexer(DEFAULT_RETRIEVAL)(createCatalogStore().snapshot(tools(versions)))
        expect(content(indexOf(catalog))).toEqual(content(fresh))
      }
    }), { numRuns: 60 })
  })

  it('answers as that does, and the one before still answers as before', async () => {
    const versions = new Map(Array.from({ length: 50 }, (_, number) => [number, 0]))
    const store = createCatalogStore()
    const channel = createBm25Channel({ config: DEFAULT_RETRIEVAL, lexicalIndex: createLexicalIndexer(DEFAULT_RETRIEVAL) })
    const plan = planQuery('Send a mail with the weather report. Delete the open issue of a user.')
    const before = channel.index(store.snapshot(tools(versions)))
    const first = [...(await before.search(plan, 20)).scores as Float32Array]
    versions.set(50, 0)
    versions.set(7, 3)
    const after = await channel.index(store.snapshot(tools(versions))).search(plan, 20)
    const alone = createBm25Channel({ config: DEFAULT_RETRIEVAL, lexicalIndex: createLexicalIndexer(DEFAULT_RETRIEVAL) })
    const fresh = await alone.index(createCatalogStore().snapshot(tools(versions))).search(plan, 20)
    expect(after.tools).toEqual(fresh.tools)
    expect(after.scores).toEqual(fresh.scores)
    expect([...(await before.search(plan, 20)).scores as Float32Array]).toEqual(first)
    expect([...after.scores as Float32Array]).not.toEqual(first)
  })
})

it('a pair of numbers has the id it was given, and no other pair has one', () => {
  fc.assert(fc.property(fc.uniqueArray(fc.tuple(fc.nat(), fc.nat()), { maxLength: 3_000, selector: pair => pair.join() }), (pairs) => {
    const ids = createPairIds()
    for (const [id, [first, second]] of pairs.entries()) ids.set(first, second, id)
    pairs.forEach(([first, second], id) => expect(ids.get(first, second)).toBe(id))
    expect(ids.get(2 ** 31 - 2, 2 ** 31 - 3)).toBeUndefined()
  }), { numRuns: 10, examples: [[Array.from({ length: 5_000 }, (_, at): [number, number] => [at % 71, at])]] })
})
