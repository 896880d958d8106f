import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_JSON_CHARACTERS, MAX_JSON_DEPTH, MAX_JSON_NODES, canonicalJson, copyJson, cutText, sameJson } from '../../src/catalog/json.ts'

/** The same JSON with every object's keys written in the opposite order. */
function reverseKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(reverseKeys)
  return Object.fromEntries(Object.entries(value).reverse().map(([key, member]) => [key, reverseKeys(member)]))
}

function nest(levels: number): unknown {
  let value: unknown = 'bottom'
  for (let level = 0; level < levels; level += 1) value = { inner: value }
  return value
}

function countValues(value: unknown): number {
  let count = 0
  const rest: unknown[] = [value]
  while (rest.length > 0) {
    const next = rest.pop()
    count += 1
    if (typeof next === 'object' && next !== null) rest.push(...Object.values(next) as unknown[])
  }
  return count
}

describe('copying JSON', () => {
  it('gives an equal value and nothing cut, whatever the JSON', () => {
    fc.assert(fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      expect(copyJson(value)).toEqual({ value: JSON.parse(JSON.stringify(value)) as unknown, cuts: [] })
    }))
  })

  it('gives a frozen value that no change of the original reaches', () => {
    const original = { enum: ['a'], nested: { title: 'before' } }
    const { value } = copyJson(original)
    original.nested.title = 'after'
    original.enum.push('b')
    expect(value).toEqual({ enum: ['a'], nested: { title: 'before' } })
    expect(Object.isFrozen((value as typeof original).nested)).toBe(true)
    expect(Object.isFrozen((value as typeof original).enum)).toBe(true)
  })

  it('ends a cycle where it closes, and keeps what is merely shared', () => {
    const node: Record<string, unknown> = { title: 'node' }
    node.child = node
    expect(copyJson(node)).toEqual({ value: { title: 'node', child: {} }, cuts: ['cyclic schema'] })
    const shared = { title: 'shared' }
    expect(copyJson({ left: shared, right: shared })).toEqual({ value: { left: shared, right: shared }, cuts: [] })
  })

  it('ends a tree that is deeper than the stack', () => {
    expect(copyJson(nest(MAX_JSON_DEPTH))).toEqual({ value: nest(MAX_JSON_DEPTH), cuts: [] })
    const { value, cuts } = copyJson(nest(100_000))
    expect(cuts).toEqual([`schema of more than ${MAX_JSON_DEPTH} levels`])
    expect(JSON.stringify(value)).toBe(`${'{"inner":'.repeat(MAX_JSON_DEPTH)}{}${'}'.repeat(MAX_JSON_DEPTH)}`)
  })

  it('ends a small graph that unfolds to 2^60 values', () => {
    let doubled: unknown = 'leaf'
    for (let level = 0; level < 60; level += 1) doubled = { left: doubled, right: doubled }
    const { value, cuts } = copyJson(doubled)
    expect(cuts).toEqual([`schema of more than ${MAX_JSON_NODES} values`])
    expect(countValues(value)).toBeLessThanOrEqual(MAX_JSON_NODES)
  })

  it('cuts what has too many characters', () => {
    const text = 'x'.repeat(MAX_JSON_CHARACTERS / 2)
    const { value, cuts } = copyJson([text, text, text])
    expect(cuts).toEqual([`schema of more than ${MAX_JSON_CHARACTERS} characters`])
    expect((value as string[]).join('').length).toBe(MAX_JSON_CHARACTERS)
  })

  it('keeps names of the prototype as ordinary keys', () => {
    const value = JSON.parse('{"__proto__":{"type":"string"},"constructor":{"type":"number"}}') as object
    const copied = copyJson(value).value as object
    expect(Object.keys(copied)).toEqual(['__proto__', 'constructor'])
    expect(Object.getPrototypeOf(copied)).toBe(Object.prototype)
    expect(JSON.stringify(copied)).toBe(JSON.stringify(value))
  })

  it('leaves out what is not JSON, as JSON.stringify does', () => {
    const values = { nothing: undefined, call: () => 1, symbol: Symbol('s'), not: Number.NaN, list: [undefined, 1], kept: 'yes' }
    expect(copyJson(values).value).toEqual(JSON.parse(JSON.stringify(values)))
  })
})

describe('canonical JSON', () => {
  it('is the same for every order of keys, and says the same as the value', () => {
    fc.assert(fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const text = canonicalJson(copyJson(value).value)
      expect(canonicalJson(copyJson(reverseKeys(value)).value)).toBe(text)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
    }))
  })

  it('sorts by code units, not by a locale', () => {
    expect(canonicalJson({ ä: 1, z: 2, Z: 3, a: 4, _: 5 })).toBe('{"Z":3,"_":5,"a":4,"z":2,"ä":1}')
  })

  it('tells lone surrogates apart', () => {
    expect(canonicalJson(['\ud800'])).toBe(String.raw`["\ud800"]`)
    expect(canonicalJson(['\ud800'])).not.toBe(canonicalJson(['\ud801']))
  })
})

describe('comparing with a declaration', () => {
  it('knows a copy from its original, and from anything else', () => {
    fc.assert(fc.property(fc.jsonValue({ maxDepth: 5 }), fc.jsonValue({ maxDepth: 5 }), (value, other) => {
      const plain = JSON.parse(JSON.stringify(value)) as unknown
      expect(sameJson(copyJson(value).value, plain)).toBe(true)
      expect(sameJson(copyJson(value).value, other)).toBe(JSON.stringify(value) === JSON.stringify(other))
    }))
  })

  it('knows another order of keys from the same', () => {
    expect(sameJson({ a: 1, b: 2 }, { a: 1, b: 2 })).toBe(true)
    expect(sameJson({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(false)
  })
})

describe('cutting text', () => {
  it('never cuts a surrogate pair in two', () => {
    expect(cutText('ab😀', 3)).toBe('ab')
    expect(cutText('ab😀', 4)).toBe('ab😀')
    expect(cutText('abc', 2)).toBe('ab')
  })
})
