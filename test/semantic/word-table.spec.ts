import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import manifest from '../../evaluation/semantic/manifest.json' with { type: 'json' }
import { quantise, reduceDimensions } from '../../evaluation/semantic/compress.ts'
import { correctVectors, sparseRows } from '../../evaluation/semantic/ridge.ts'
import { piecesOf } from '../../src/semantic/pieces.ts'
import { readWordTable, writeWordTable } from '../../src/semantic/table-format.ts'
import { createWordList } from '../../src/semantic/word-list.ts'
import { createWordTable, loadWordTable } from '../../src/semantic/word-table.ts'
import { semanticWords } from '../../src/semantic/words.ts'

const DATA = {
  words: ['##er', 'cat', 'fe', 'feed'],
  dimensions: 2,
  weights: Float32Array.of(0.5, 1, 0.25, 1),
  scales: Float32Array.of(1, 1, 1, 0.5),
  // (1, 0), (0, -7), (3, 3), (7, -1); the even component is in the low half
  nibbles: Uint8Array.of(0x01, 0x90, 0x33, 0xf7),
}

const bag = (...words: string[]) => words.map(word => ({ word, weight: 1 }))

describe('the words of a text', () => {
  it('are the parts of identifiers, without accents, digits and other scripts', () => {
    expect(semanticWords('createHTMLPage2 for Café-users 日本語 v10')).toEqual(['create', 'html', 'page', 'for', 'cafe', 'users', 'v'])
  })

  it('of an endless text are read to a limit', () => {
    expect(semanticWords('word '.repeat(10_000)).length).toBeLessThan(200)
  })
})

describe('a word outside the table', () => {
  const idOf = (entry: string): number | undefined => { const id = DATA.words.indexOf(entry); return id < 0 ? undefined : id }

  it('is spelled by the longest pieces from the left', () => {
    expect(piecesOf('feeder', idOf)).toEqual([3, 0])
    expect(piecesOf('cat', idOf)).toEqual([1])
  })

  it('is nothing when some part has no piece', () => {
    expect(piecesOf('feedx', idOf)).toEqual([])
    expect(piecesOf('', idOf)).toEqual([])
  })
})

describe('the file of the table', () => {
  it('reads as it was written', () => {
    const { words, nibbles, ...read } = readWordTable(writeWordTable(DATA))
    const listed = [...DATA.words].sort((a, b) => words.idOf(a)! - words.idOf(b)!)
    expect({ ...read, words: listed, nibbles: Uint8Array.from(nibbles) }).toEqual(DATA)
    expect(words.length).toBe(DATA.words.length)
  })

  it('is refused when it is another file or cut short', () => {
    const bytes = writeWordTable(DATA)
    expect(() => readWordTable(bytes.subarray(0, bytes.length - 1))).toThrow('cut short')
    expect(() => readWordTable(Buffer.from('something else entirely'))).toThrow('no word table')
  })

  it('that ships is the one that the manifest describes', () => {
    const bytes = readFileSync(new URL('../../data/semantic-words.bin', import.meta.url))
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(manifest.table.sha256)
    expect(bytes.length).toBeLessThanOrEqual(4_000_000)
    expect(manifest.table).toMatchObject({ bytes: bytes.length, words: readWordTable(bytes).words.length })
  })
})

describe('the list of words', () => {
  it('finds the place of every word and of no other text', () => {
    const word = fc.stringMatching(/^[a-z#]{1,6}$/)
    const lists = fc.uniqueArray(word, { minLength: 1, maxLength: 200 })
    fc.assert(fc.property(lists, fc.array(fc.oneof(word, fc.string()), { maxLength: 50 }), (words, others) => {
      const list = createWordList(Buffer.from(words.join('\n')), words.length)
      expect(words.map(entry => list.idOf(entry))).toEqual([...words.keys()])
      for (const other of others) if (!words.includes(other)) expect(list.idOf(other)).toBeUndefined()
    }))
  })

  it('finds every word of the table that ships', () => {
    const bytes = readFileSync(new URL('../../data/semantic-words.bin', import.meta.url))
    const { words } = readWordTable(bytes)
    const listed = bytes.toString('latin1', 16, 16 + bytes.readUInt32LE(12)).split('\n')
    expect(listed).toHaveLength(words.length)
    expect(listed.filter((word, id) => words.idOf(word) !== id)).toEqual([])
    expect(listed.filter(word => words.idOf(`${word}é`) !== undefined)).toEqual([])
  })
})

describe('a text vector', () => {
  const table = createWordTable(readWordTable(writeWordTable(DATA)))

  it('is the weighted sum of its words, of length 1', () => {
    expect([...table.vectorOf(bag('cat'))!]).toEqual([0, -1])
    // feed: (7, -1) · .5, er: (1, 0) · .5
    const [x, y] = [3.5 + 0.5, -0.5]
    const length = Math.hypot(x, y)
    expect([...table.vectorOf(bag('feeder'))!]).toEqual([Math.fround(x / length), Math.fround(y / length)])
  })

  it('counts a repeated word by the root of its number', () => {
    const [x, y] = table.vectorOf(bag('feed', 'feed', 'feed', 'feed', 'cat'))!
    expect(x! / y!).toBeCloseTo(7 / (-1 - 7), 5)
  })

  it('of nothing known is undefined', () => {
    expect(table.vectorOf(bag('xyz'))).toBeUndefined()
    expect(table.vectorOf([])).toBeUndefined()
  })
})

describe('the table that ships', () => {
  const table = loadWordTable()
  const cosine = (a: string, b: string): number => {
    const [left, right] = [a, b].map(text => table.vectorOf(bag(...semanticWords(text)))!)
    return left!.reduce((sum, value, at) => sum + value * right![at]!, 0)
  }

  it.each([
    ['remove a file', 'delete a document', 'weather forecast'],
    ['purchase a ticket', 'buy tickets', 'compile the code'],
    ['how warm will it be tomorrow', 'weather forecast', 'list pull requests'],
    ['organise a meeting', 'create a calendar event', 'convert currency'],
  ])('finds %s nearer to %s than to %s', (text, near, far) => {
    expect(cosine(text, near)).toBeGreaterThan(cosine(text, far) + 0.1)
  })
})

describe('training', () => {
  it('brings weighted sums of words nearer to their targets, and λ holds words back', () => {
    const rows = sparseRows([[0, 1], [1, 2], [0]], Float64Array.of(1, 1, 1))
    const targets = Float32Array.of(1, 0, 0, 1, 0.5, 0.5)
    const fit = (lambda: number): { error: number; moved: number } => {
      const vectors = correctVectors(rows, new Float64Array(6), targets, { columns: 2, lambda, steps: 20 })
      let error = 0
      for (let row = 0; row < rows.rowCount; row++) {
        for (let column = 0; column < 2; column++) {
          let sum = 0
          for (let at = rows.offsets[row]!; at < rows.offsets[row + 1]!; at++) {
            sum += rows.values[at]! * vectors[rows.ids[at]! * 2 + column]!
          }
          error += (sum - targets[row * 2 + column]!) ** 2
        }
      }
      return { error, moved: vectors.reduce((sum, value) => sum + value * value, 0) }
    }
    expect(fit(0).error).toBeLessThan(1e-12)
    expect(fit(10).error).toBeGreaterThan(fit(1).error)
    expect(fit(10).moved).toBeLessThan(fit(1).moved)
  })

  it('keeps the directions in which vectors differ most', () => {
    const vectors = Float64Array.of(10, 0, 0, -10, 0, 0, 0, 1, 0, 0, -1, 0)
    const reduced = reduceDimensions(vectors, 3, Float64Array.of(1, 1, 1, 1), 1)
    expect(Math.sign(reduced[0]!)).toBe(-Math.sign(reduced[1]!))
    expect(Math.abs(reduced[0]!)).toBeGreaterThan(1)
    expect(reduced[2]).toBeCloseTo(0, 9)
  })

  it('rounds to 4 bits within half a step, save for what is cut off', () => {
    fc.assert(fc.property(fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 16, maxLength: 16 }), (values) => {
      const { scales, nibbles } = quantise(Float64Array.from(values), 16)
      const read = (component: number): number => {
        const pair = nibbles[component >> 1]!
        return scales[0]! * (component % 2 === 0 ? pair << 28 >> 28 : pair << 24 >> 28)
      }
      const limit = 7 * scales[0]!
      values.forEach((value, component) => {
        const clipped = Math.max(-limit, Math.min(limit, value))
        expect(Math.abs(read(component) - clipped)).toBeLessThanOrEqual(scales[0]! / 2 + 1e-6)
      })
    }))
  })
})
