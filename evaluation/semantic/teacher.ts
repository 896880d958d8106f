/**
 * The teacher: all-MiniLM-L6-v2 (4-bit ONNX) run locally on one thread, its vectors cached by text so that a second run of the
 * training costs nothing.
 * @module
 */

import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { env, pipeline } from '@huggingface/transformers'
import { CACHE_FOLDER, TEACHER_PACKAGE, unpackedFolder } from './packages.ts'

/** Length of a teacher vector. */
export const TEACHER_DIMENSIONS = 384

const MODEL = 'onnx-community/all-MiniLM-L6-v2-ONNX'

/** Texts per call; of about equal length, so that little of a batch is padding. */
const BATCH_SIZE = 32

/** Bytes of SHA-256 that identify a text in the cache. */
const KEY_BYTES = 16
const RECORD_BYTES = KEY_BYTES + TEACHER_DIMENSIONS * Float32Array.BYTES_PER_ELEMENT

/** Folder that holds `onnx-community/…`, as `env.localModelPath` of transformers.js wants it. */
export function teacherModels(): string {
  return join(unpackedFolder(TEACHER_PACKAGE), 'package/model/')
}

/** The teacher's word pieces, in its own order: by frequency in the text it was made from. */
export function teacherVocabulary(): string[] {
  return readFileSync(join(teacherModels(), MODEL, 'vocab.txt'), 'utf8').trimEnd().split('\n')
}

function keyOf(text: string): string {
  return createHash('sha256').update(text).digest().subarray(0, KEY_BYTES).toString('latin1')
}

function readCache(file: string): Map<string, Float32Array> {
  const vectors = new Map<string, Float32Array>()
  if (!existsSync(file)) return vectors
  const bytes = readFileSync(file)
  // a record cut short by an interrupted run is left out
  for (let at = 0; at + RECORD_BYTES <= bytes.length; at += RECORD_BYTES) {
    const vector = bytes.buffer.slice(bytes.byteOffset + at + KEY_BYTES, bytes.byteOffset + at + RECORD_BYTES)
    vectors.set(bytes.toString('latin1', at, at + KEY_BYTES), new Float32Array(vector))
  }
  return vectors
}

/**
 * Mean-pooled, normalised vectors of texts, row-major `texts.length × 384`, in the order of the texts.
 * @param onProgress - called after each batch with the number of texts embedded so far in this run, and of all that are missing.
 */
export async function teacherVectors(
  texts: readonly string[],
  onProgress: (done: number, missing: number) => void = () => {},
): Promise<Float32Array> {
  const file = join(CACHE_FOLDER, `${TEACHER_PACKAGE.name}-${TEACHER_PACKAGE.version}.vectors`)
  mkdirSync(dirname(file), { recursive: true })
  const cache = readCache(file)
  const missing = [...new Set(texts.filter(text => !cache.has(keyOf(text))))].sort((a, b) => a.length - b.length)
  if (missing.length > 0) {
    env.allowRemoteModels = false
    env.localModelPath = teacherModels()
    // one thread: sums are then always made in the same order
    const extract = await pipeline('feature-extraction', MODEL, {
      dtype: 'q4', device: 'cpu', session_options: { intraOpNumThreads: 1, interOpNumThreads: 1 },
    })
    for (let start = 0; start < missing.length; start += BATCH_SIZE) {
      const batch = missing.slice(start, start + BATCH_SIZE)
      const output = await extract(batch, { pooling: 'mean', normalize: true })
      const values = output.data as Float32Array
      const records = Buffer.alloc(batch.length * RECORD_BYTES)
      batch.forEach((text, i) => {
        const vector = values.slice(i * TEACHER_DIMENSIONS, (i + 1) * TEACHER_DIMENSIONS)
        cache.set(keyOf(text), vector)
        records.write(keyOf(text), i * RECORD_BYTES, 'latin1')
        records.set(new Uint8Array(vector.buffer), i * RECORD_BYTES + KEY_BYTES)
      })
      appendFileSync(file, records)
      onProgress(start + batch.length, missing.length)
    }
    await extract.dispose()
  }
  const all = new Float32Array(texts.length * TEACHER_DIMENSIONS)
  texts.forEach((text, i) => all.set(cache.get(keyOf(text))!, i * TEACHER_DIMENSIONS))
  return all
}
