/**
 * Makes the word table that ships: `pnpm semantic:train`. The same packages give the same bytes.
 *
 * Words start as the teacher's vectors of single words and are corrected until weighted sums of them come near the teacher's vectors of
 * whole texts; then they are projected onto fewer dimensions and rounded to 4 bits. No text of the evaluation sets is used.
 * @module
 */

import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { CONTINUATION } from '../../src/semantic/pieces.ts'
import { writeWordTable } from '../../src/semantic/table-format.ts'
import { createProgress } from '../report/progress.ts'
import { quantise, reduceDimensions } from './compress.ts'
import { TEACHER_PACKAGE, TEXT_PACKAGES } from './packages.ts'
import { correctVectors, sparseRows } from './ridge.ts'
import { TEACHER_DIMENSIONS, teacherVectors, teacherVocabulary } from './teacher.ts'
import { trainingTexts } from './texts.ts'
import { createVocabulary, entryProbabilities } from './vocabulary.ts'

/** The constant a of smooth inverse frequency (Arora, Liang and Ma 2017): a word of probability p counts a / (a + p). */
const SIF = 3e-3

/** How far the ridge lets a word leave its start vector, and the steps after which nothing changes in the fourth digit. */
const LAMBDA = 1
const STEPS = 25

const SHIPPED = fileURLToPath(new URL('../../data/semantic-words.bin', import.meta.url))
const MANIFEST = fileURLToPath(new URL('manifest.json', import.meta.url))

const options = new Command('semantic:train')
  .description('Trains the word table from the packages that evaluation/semantic/packages.ts pins; downloads what is missing.')
  .option('--dimensions <n>', 'components of a word vector, a multiple of 16', '256')
  .option('--out <file>', 'where the table is written', SHIPPED)
  .parse()
  .opts<{ dimensions: string; out: string }>()
const dimensions = Number(options.dimensions)

const progress = createProgress()
progress.stage('texts', 1)
const pieces = teacherVocabulary()
const known = new Set(pieces)
const texts = trainingTexts(word => known.has(word.toLowerCase()))
const vocabulary = createVocabulary(pieces, texts)
const { length } = vocabulary.entries
const probabilities = entryProbabilities(vocabulary, texts)
const weights = probabilities.map(p => SIF / (SIF + p))

progress.stage('teacher', texts.length)
const targets = await teacherVectors(texts.map(({ text }) => text))
centre(targets, TEACHER_DIMENSIONS, new Float64Array(texts.length).fill(1))
const start = Float64Array.from(await teacherVectors(vocabulary.entries.map(entry => entry.replace(CONTINUATION, ''))))
const rootProbabilities = probabilities.map(Math.sqrt)
centre(start, TEACHER_DIMENSIONS, rootProbabilities)

progress.stage('training', STEPS)
const rows = sparseRows(texts.map(({ text }) => vocabulary.idsOf(text)), weights)
const trained = correctVectors(rows, start, targets, {
  columns: TEACHER_DIMENSIONS, lambda: LAMBDA, steps: STEPS, onStep: () => { progress.step() },
})

progress.stage('compression', 1)
const reduced = reduceDimensions(trained, TEACHER_DIMENSIONS, rootProbabilities, dimensions)
const table = writeWordTable({
  words: vocabulary.entries, dimensions, weights: Float32Array.from(weights), ...quantise(reduced, dimensions),
})
progress.end()

mkdirSync(dirname(options.out), { recursive: true })
writeFileSync(options.out, table)
const sha256 = createHash('sha256').update(table).digest('hex')
if (options.out === SHIPPED) {
  const counts = Object.fromEntries(Object.keys(TEXT_PACKAGES).map(id => [id, texts.filter(({ source }) => source === id).length]))
  const textsSha256 = createHash('sha256').update(texts.map(({ text }) => text).join('\n')).digest('hex')
  writeFileSync(MANIFEST, `${JSON.stringify({
    table: { words: length, dimensions, bytes: table.length, sha256 },
    settings: { sif: SIF, lambda: LAMBDA, steps: STEPS },
    teacher: TEACHER_PACKAGE,
    texts: { count: texts.length, sha256: textsSha256, bySource: counts },
    sources: TEXT_PACKAGES,
  }, null, 2)}\n`)
}
process.stdout.write(`${length} words, ${dimensions} dimensions, ${table.length} bytes, SHA-256 ${sha256}\n`)

/** Subtracts the weighted mean of the rows. */
function centre(vectors: Float32Array | Float64Array, columns: number, rowWeights: Float64Array): void {
  const mean = new Float64Array(columns)
  const total = rowWeights.reduce((sum, weight) => sum + weight, 0)
  for (let at = 0; at < vectors.length; at++) mean[at % columns]! += rowWeights[Math.floor(at / columns)]! / total * vectors[at]!
  for (let at = 0; at < vectors.length; at++) vectors[at]! -= mean[at % columns]!
}
