/**
 * The file format of kept vectors: one immutable segment.
 *
 *     header   8 bytes magic · 32 bytes SHA-256 of the model's identity · uint32 components · uint32 records · uint32 CRC of these
 *     record   16 bytes key · components × int8 · uint32 CRC of key and components
 *
 * Numbers are little-endian. Each record has its own checksum, so that a damaged or truncated file loses the damaged records alone.
 * @module
 */

import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { createLoopTurns } from '../vectors/loop-turns.ts'
import type { StoredVector } from '../vectors/vector-rows.ts'

const MAGIC = Buffer.from('DTRVEC\0\x01', 'latin1')
const HEADER_BYTES = MAGIC.length + 32 + 4 + 4 + 4
const KEY_BYTES = 16
const CHECKSUM_BYTES = 4

/** A text's key: half of its SHA-256, as a binary string. */
export function vectorKey(text: string): string {
  return createHash('sha256').update(text).digest().toString('latin1', 0, KEY_BYTES)
}

/** Hex SHA-256 of a model's identity: the name of its folder. */
export function identityHash(identity: string): string {
  return createHash('sha256').update(identity).digest('hex')
}

/** Bytes that one vector takes in a segment. */
export function recordBytes(size: number): number {
  return KEY_BYTES + size + CHECKSUM_BYTES
}

/** @param vectors - at least one, all of one size. */
export async function writeSegment(identity: string, vectors: ReadonlyMap<string, StoredVector>): Promise<Buffer> {
  const size = vectors.values().next().value!.length
  const bytes = Buffer.alloc(HEADER_BYTES + vectors.size * recordBytes(size))
  let at = MAGIC.copy(bytes)
  at += bytes.write(identityHash(identity), at, 'hex')
  at = bytes.writeUInt32LE(size, at)
  at = bytes.writeUInt32LE(vectors.size, at)
  at = bytes.writeUInt32LE(crc32(bytes.subarray(0, at)), at)
  // In key order, so that equal contents are equal bytes.
  const sorted = [...vectors].sort(([a], [b]) => a < b ? -1 : 1)
  const turn = createLoopTurns()
  for (const [key, vector] of sorted) {
    await turn()
    const start = at
    at += bytes.write(key, at, 'latin1')
    bytes.set(new Uint8Array(vector.buffer, vector.byteOffset, size), at)
    at += size
    at = bytes.writeUInt32LE(crc32(bytes.subarray(start, at)), at)
  }
  return bytes
}

/**
 * Reads one record of a segment of which {@link readSegment} said where the key is.
 * @returns undefined when it is not there any more.
 */
export async function readRecord(file: FileHandle, key: string, place: number, size: number): Promise<StoredVector | undefined> {
  const stride = recordBytes(size)
  const { bytesRead, buffer } = await file.read(Buffer.alloc(stride), 0, stride, HEADER_BYTES + place * stride)
  return bytesRead === stride && buffer.toString('latin1', 0, KEY_BYTES) === key ? vectorOf(buffer, 0, size) : undefined
}

/** @returns undefined when the checksum does not fit. */
function vectorOf(bytes: Buffer, at: number, size: number): StoredVector | undefined {
  const end = at + KEY_BYTES + size
  if (bytes.readUInt32LE(end) !== crc32(bytes.subarray(at, end))) return undefined
  return Int8Array.from(new Int8Array(bytes.buffer, bytes.byteOffset + at + KEY_BYTES, size))
}

/** What a file holds. `foreign`: no segment, or of another model or format; `damaged`: some records are lost. */
export interface SegmentContents {
  readonly state: 'intact' | 'damaged' | 'foreign'
  /** Components of each vector. */
  readonly size: number
  readonly vectors: Map<string, StoredVector>
  /** Record number by key. */
  readonly places: Map<string, number>
}

/** Never throws: a file that is no segment of this model is `foreign` and holds nothing. */
export async function readSegment(identity: string, bytes: Buffer): Promise<SegmentContents> {
  const vectors = new Map<string, StoredVector>()
  const places = new Map<string, number>()
  const headerEnd = HEADER_BYTES - CHECKSUM_BYTES
  if (bytes.length < HEADER_BYTES
    || !bytes.subarray(0, MAGIC.length).equals(MAGIC)
    || bytes.toString('hex', MAGIC.length, MAGIC.length + 32) !== identityHash(identity)
    || bytes.readUInt32LE(headerEnd) !== crc32(bytes.subarray(0, headerEnd))) return { state: 'foreign', size: 0, vectors, places }
  const size = bytes.readUInt32LE(headerEnd - 8)
  const count = bytes.readUInt32LE(headerEnd - 4)
  const stride = recordBytes(size)
  const turn = createLoopTurns()
  for (let record = 0, at = HEADER_BYTES; record < count && at + stride <= bytes.length; record++, at += stride) {
    await turn()
    const vector = vectorOf(bytes, at, size)
    if (vector === undefined) continue
    const key = bytes.toString('latin1', at, at + KEY_BYTES)
    vectors.set(key, vector)
    places.set(key, record)
  }
  return { state: vectors.size === count ? 'intact' : 'damaged', size, vectors, places }
}
