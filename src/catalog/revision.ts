/**
 * The revision of a catalogue: SHA-256 over the SHA-256 of blocks of content hashes, in tool order. After a change of a few tools the
 * blocks of the others are not read again.
 * @module
 */

import { hash } from 'node:crypto'

/** Tools of a block; of 4,000 tools, one change then costs 128 hashes read instead of 4,000. */
const BLOCK = 64

export interface Revision {
  /** Hex. */
  readonly revision: string
  /** Hex SHA-256 of each block. */
  readonly blocks: readonly string[]
}

const sha256 = (hashes: readonly string[]): string => hash('sha256', hashes.join('\n'), 'hex')

export function revisionOf(tools: readonly { readonly contentHash: string }[]): Revision {
  const blocks: string[] = []
  for (let from = 0; from < tools.length; from += BLOCK) blocks.push(blockAt(tools, from))
  return { revision: sha256(blocks), blocks }
}

/** @param changed - places of the tools in which these differ from those that `previous` is of, as many as these. */
export function revisionAfter(
  { blocks: before }: Revision, tools: readonly { readonly contentHash: string }[], changed: Iterable<number>,
): Revision {
  const blocks = [...before]
  for (const block of new Set(Array.from(changed, place => Math.floor(place / BLOCK)))) blocks[block] = blockAt(tools, block * BLOCK)
  return { revision: sha256(blocks), blocks }
}

function blockAt(tools: readonly { readonly contentHash: string }[], from: number): string {
  return sha256(tools.slice(from, from + BLOCK).map(({ contentHash }) => contentHash))
}
