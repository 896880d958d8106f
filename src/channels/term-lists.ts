/**
 * Inverted lists in typed arrays, and a new catalogue's lists made of the previous one's: registries change by a tool or a server at a
 * time, and copying what stays is ten times as fast as sorting all of it in again. Both ways give the same lists.
 * @module
 */

/** Postings of term `t` are at `offsets[t]` up to `offsets[t + 1]`, ascending by tool. */
export interface TermLists {
  readonly offsets: Int32Array
  readonly tools: Int32Array
  /** Beside `tools`. */
  readonly values: Float32Array
}

/** Where the postings of lists are. */
export type PostingMemory = Pick<TermLists, 'tools' | 'values'>

/** Postings in arrays of their own. */
export function plainMemory(postingCount: number): PostingMemory {
  return { tools: new Int32Array(postingCount), values: new Float32Array(postingCount) }
}

/** One tool's part: each of its terms once, with a value. */
export interface ToolTermValues {
  readonly ids: Int32Array
  readonly values: Float32Array
}

/** How a catalogue differs from the one before. */
export interface CatalogChanges {
  /** By tool of the previous catalogue its place in the new one, ascending; −1 for a tool that is gone or has changed. */
  readonly places: Int32Array
  /** Tools of the new catalogue that are new or have changed, ascending. */
  readonly added: readonly number[]
  /** For each of `added` the first tool of the previous catalogue that is not before it. */
  readonly addedBefore: readonly number[]
  /** Tools of the previous catalogue whose place is −1, ascending. */
  readonly removed: readonly number[]
  /** Whether any other place is not the tool's own. */
  readonly isMoved: boolean
}

/**
 * @param termCount - every id is below it.
 * @param valuesOf - what it returns is read before the next call, and may be longer than the ids.
 * @param allocate - called once.
 */
export function buildLists<Memory extends PostingMemory>(
  toolCount: number, termCount: number, idsOf: (tool: number) => Int32Array, valuesOf: (tool: number) => Float32Array,
  allocate: (postingCount: number) => Memory,
): Memory & TermLists {
  const offsets = new Int32Array(termCount + 1)
  for (let tool = 0; tool < toolCount; tool++) {
    const ids = idsOf(tool)
    for (let at = 0; at < ids.length; at++) offsets[ids[at]! + 1]!++
  }
  for (let term = 0; term < termCount; term++) offsets[term + 1]! += offsets[term]!
  const next = offsets.slice(0, termCount)
  const memory = allocate(offsets[termCount]!)
  const { tools, values } = memory
  for (let tool = 0; tool < toolCount; tool++) {
    const ids = idsOf(tool)
    const ofTool = valuesOf(tool)
    for (let at = 0; at < ids.length; at++) {
      const posting = next[ids[at]!]!++
      tools[posting] = tool
      values[posting] = ofTool[at]!
    }
  }
  return { ...memory, offsets }
}

/** One posting less or more. */
interface Edit {
  /** A place in the previous lists. */
  readonly at: number
  readonly term: number
  /** The tool to put in before that place, −1 to leave out what is there. */
  readonly tool: number
  readonly value: number
}

/**
 * The lists that {@link buildLists} would build of the new catalogue. What lies between two changed postings is copied in one piece.
 * @param removedIds - the terms that each of `changes.removed` had.
 * @param added - the terms of each of `changes.added`.
 * @param allocate - called once.
 */
export function patchLists<Memory extends PostingMemory>(
  previous: TermLists, changes: CatalogChanges, removedIds: readonly Int32Array[], added: readonly ToolTermValues[], termCount: number,
  allocate: (postingCount: number) => Memory,
): Memory & TermLists {
  const differences = new Int32Array(termCount)
  const edits: Edit[] = []
  for (const [which, ids] of removedIds.entries()) {
    for (const term of ids) {
      differences[term]!--
      edits.push({ at: placeOf(previous, term, changes.removed[which]!), term, tool: -1, value: 0 })
    }
  }
  for (const [which, { ids, values }] of added.entries()) {
    for (const [place, term] of ids.entries()) {
      differences[term]!++
      edits.push({ at: placeOf(previous, term, changes.addedBefore[which]!), term, tool: changes.added[which]!, value: values[place]! })
    }
  }
  // What is put in at one place may be of several terms: the last of one list, the only one of the next.
  edits.sort((a, b) => a.at - b.at || a.term - b.term || a.tool - b.tool)

  const from = changes.isMoved ? placed(previous, changes.places) : previous.tools
  const offsets = shifted(previous.offsets, differences)
  const memory = allocate(offsets[termCount]!)
  const { tools, values } = memory
  let copied = 0
  let written = 0
  function copyTo(end: number): void {
    if (end <= copied) return
    tools.set(from.subarray(copied, end), written)
    values.set(previous.values.subarray(copied, end), written)
    written += end - copied
    copied = end
  }
  for (const { at, tool, value } of edits) {
    copyTo(at)
    if (tool < 0) {
      copied++
      continue
    }
    tools[written] = tool
    values[written++] = value
  }
  copyTo(from.length)
  return { ...memory, offsets }
}

/** The place of a term's first posting of a tool or one after it. */
function placeOf({ offsets, tools }: TermLists, term: number, tool: number): number {
  let low = startOf(offsets, term)
  let high = startOf(offsets, term + 1)
  while (low < high) {
    const middle = (low + high) >> 1
    if (tools[middle]! < tool) low = middle + 1
    else high = middle
  }
  return low
}

/** Where a term's postings begin, also for terms that are newer than the lists. */
function startOf(offsets: Int32Array, term: number): number {
  return offsets[Math.min(term, offsets.length - 1)]!
}

/** The tools of all postings by their new places. */
function placed({ tools }: TermLists, places: Int32Array): Int32Array {
  const moved = new Int32Array(tools.length)
  for (let at = 0; at < tools.length; at++) moved[at] = places[tools[at]!]!
  return moved
}

function shifted(before: Int32Array, differences: Int32Array): Int32Array {
  const offsets = new Int32Array(differences.length + 1)
  let shift = 0
  const known = before.length - 1
  for (let term = 0; term < differences.length; term++) {
    shift += differences[term]!
    offsets[term + 1] = before[term < known ? term + 1 : known]! + shift
  }
  return offsets
}
