/**
 * Makes `data/gloss.bin`, the Chinese-English word list of the gloss channel: `pnpm gloss:make`.
 * @module
 */

import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { encodeWordList } from './encode.ts'
import { readCedict, readFrequencies } from './sources.ts'
import { makeWordList } from './word-list.ts'

const list = makeWordList(await readCedict(), readFrequencies())
const bytes = encodeWordList(list)
writeFileSync(fileURLToPath(new URL('../../data/gloss.bin', import.meta.url)), bytes)

const sha256 = createHash('sha256').update(bytes).digest('hex')
console.log(`data/gloss.bin: ${list.words.length} words, ${list.folds.size} folded characters, ${bytes.length} bytes, SHA-256 ${sha256}`)
