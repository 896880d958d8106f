/**
 * The words of one catalogue, indexed for scoring: what the lexical and the gloss channel share.
 * @module
 */

import { FIELDS } from '../catalog/types.ts'
import type { Catalog, CatalogTool, Field } from '../catalog/types.ts'
import { synonymsOf } from '../query/synonyms.ts'
import { buildPostings, patchPostings } from './bm25-index.ts'
import type { Bm25Parameters, Postings } from './bm25-index.ts'
import { idfOf } from './bm25-score.ts'
import { createSpeller } from './bm25-spelling.ts'
import type { Speller } from './bm25-spelling.ts'
import { Vocabulary } from './bm25-vocabulary.ts'
import { buildLists, patchLists, plainMemory } from './term-lists.ts'
import type { CatalogChanges, TermLists } from './term-lists.ts'
import type { ToolTerms } from './tool-terms.ts'

export interface LexicalIndex {
  readonly catalog: Catalog
  readonly postings: Postings
  /** By tool index. */
  readonly analyses: readonly ToolTerms[]
  /** The tools by the words of their names. */
  readonly names: TermLists
  /** Tools with Han characters in any text, ascending. */
  readonly hanTools: readonly number[]
  /** @returns the sum of the idfs of a tool's name. */
  nameMass(tool: number): number
  /** @returns the id of a term that at least one tool of this catalogue has. */
  term(term: string): number | undefined
  /** @returns the id of an ordered pair of neighbouring terms that at least one tool of this catalogue has. */
  pair(first: number, second: number): number | undefined
  /** @returns other terms of the same meaning, whether or not a tool has them. */
  synonyms(term: string): readonly string[]
  /** Made at the first call: few queries have a word that no tool has. */
  speller(): Speller
  /** @returns the fields of a tool that have a term. */
  fieldsOf(tool: number, term: number): readonly Field[]
  /** @returns the fields of a tool that have any of some terms. */
  fieldsWith(tool: number, terms: ReadonlySet<number>): readonly Field[]
}

/** Analyses that no catalogue uses are forgotten when they are more than those of the latest one. */
const SPARE_ANALYSES = 1_000

/** What an index is made of. */
interface Parts {
  readonly catalog: Catalog
  readonly analyses: readonly ToolTerms[]
  readonly postings: Postings
  readonly names: TermLists
  readonly hanTools: readonly number[]
}

/**
 * Makes a function that indexes catalogues. A catalogue is indexed once, a tool's text is analysed once for all catalogues, and an index
 * that differs from the latest one in a few tools is made of it.
 */
export function createLexicalIndexer(parameters: Bm25Parameters): (catalog: Catalog) => LexicalIndex {
  const indexes = new WeakMap<Catalog, LexicalIndex>()
  let vocabulary = new Vocabulary()
  let analyses = new Map<string, ToolTerms>()
  let latest: Parts | undefined

  function analysisOf(tool: CatalogTool): ToolTerms {
    let analysis = analyses.get(tool.contentHash)
    if (analysis === undefined) analyses.set(tool.contentHash, analysis = vocabulary.analyse(tool))
    return analysis
  }

  return (catalog) => {
    let index = indexes.get(catalog)
    if (index !== undefined) return index
    if (analyses.size > 2 * catalog.tools.length + SPARE_ANALYSES) {
      vocabulary = new Vocabulary()
      analyses = new Map()
      latest = undefined
    }
    const toolsBefore = latest?.catalog.tools ?? []
    const ofTools = latest?.analyses.slice(0, catalog.tools.length) ?? []
    for (let at = 0; at < catalog.tools.length; at++) {
      const tool = catalog.tools[at]!
      // Most tools of a changed catalogue are where they were.
      if (tool !== toolsBefore[at]) ofTools[at] = analysisOf(tool)
    }
    latest = (latest === undefined ? undefined : patched(latest, catalog, ofTools, vocabulary.size, parameters))
      ?? built(catalog, ofTools, vocabulary.size, parameters)
    indexes.set(catalog, index = lexicalIndex(latest, vocabulary))
    return index
  }
}

/** The value of every posting of a name. */
function onesFor(count: number): Float32Array {
  return new Float32Array(count).fill(1)
}

function built(catalog: Catalog, analyses: readonly ToolTerms[], termCount: number, parameters: Bm25Parameters): Parts {
  const postings = buildPostings(analyses, termCount, parameters)
  const ones = onesFor(analyses.reduce((most, { nameCount }) => Math.max(most, nameCount), 0))
  const names = buildLists(analyses.length, termCount, tool => analyses[tool]!.name, () => ones, plainMemory)
  const hanTools = [...analyses.keys()].filter(tool => analyses[tool]!.hasHan)
  return { catalog, analyses, postings, names, hanTools }
}

/** @returns undefined where it costs less to build anew. */
function patched(
  previous: Parts, catalog: Catalog, analyses: readonly ToolTerms[], termCount: number, parameters: Bm25Parameters,
): Parts | undefined {
  const changes = changesBetween(previous.catalog, previous.analyses, catalog, analyses)
  if (changes === undefined) return undefined
  const postings = patchPostings(previous.postings, previous.analyses, changes, analyses, termCount, parameters)
  if (postings === undefined) return undefined
  const names = patchLists(
    previous.names,
    changes,
    changes.removed.map(tool => previous.analyses[tool]!.name),
    changes.added.map(tool => ({ ids: analyses[tool]!.name, values: onesFor(analyses[tool]!.nameCount) })),
    termCount,
    plainMemory,
  )
  const kept = previous.hanTools.map(tool => changes.places[tool]!).filter(place => place >= 0)
  const hanTools = [...kept, ...changes.added.filter(tool => analyses[tool]!.hasHan)].sort((a, b) => a - b)
  return { catalog, analyses, postings, names, hanTools }
}

/** Above this share of changed tools an index is built anew. */
const MOST_CHANGES = 0.1

/** @returns undefined for more than {@link MOST_CHANGES}. */
function changesBetween(
  before: Catalog, oldAnalyses: readonly ToolTerms[], after: Catalog, newAnalyses: readonly ToolTerms[],
): CatalogChanges | undefined {
  const places = new Int32Array(before.tools.length).fill(-1)
  const added: number[] = []
  const addedBefore: number[] = []
  const removed: number[] = []
  const most = MOST_CHANGES * after.tools.length
  let old = 0
  let isMoved = false
  for (let tool = 0; tool < after.tools.length; tool++) {
    if (oldAnalyses[old] !== newAnalyses[tool]) {
      const { name } = after.tools[tool]!
      for (; old < before.tools.length && before.tools[old]!.name < name; old++) removed.push(old)
    }
    if (oldAnalyses[old] === newAnalyses[tool]) {
      isMoved ||= old !== tool
      places[old++] = tool
      continue
    }
    const { name } = after.tools[tool]!
    added.push(tool)
    addedBefore.push(old)
    if (before.tools[old]?.name === name) removed.push(old++)
    if (added.length + removed.length > most) return undefined
  }
  for (; old < before.tools.length; old++) removed.push(old)
  return added.length + removed.length > most ? undefined : { places, added, addedBefore, removed, isMoved }
}

function lexicalIndex(parts: Parts, vocabulary: Vocabulary): LexicalIndex {
  const { analyses, postings } = parts
  const known = (id: number | undefined): number | undefined => id !== undefined && idfOf(postings, id) > 0 ? id : undefined
  const idf = (term: number): number => idfOf(postings, term)
  const masses = new Float32Array(analyses.length)
  let speller: Speller | undefined
  return {
    ...parts,
    nameMass(tool) {
      if (masses[tool] === 0) masses[tool] = analyses[tool]!.sumOfName(idf)
      return masses[tool]!
    },
    term: term => known(vocabulary.id(term)),
    pair: (first, second) => known(vocabulary.pair(first, second)),
    synonyms: synonymsOf,
    speller: () => speller ??= createSpeller(wordFrequencies(vocabulary, postings)),
    fieldsOf: (tool, term) => {
      const { ids, frequencies } = analyses[tool]!
      const at = ids.indexOf(term)
      return at < 0 ? [] : FIELDS.filter((_, field) => frequencies[at * FIELDS.length + field]! > 0)
    },
    fieldsWith: (tool, terms) => {
      const { ids, frequencies } = analyses[tool]!
      const has = FIELDS.map(() => false)
      for (let at = 0, from = 0; at < ids.length; at++, from += FIELDS.length) {
        if (!terms.has(ids[at]!)) continue
        for (let field = 0; field < FIELDS.length; field++) if (frequencies[from + field]! > 0) has[field] = true
      }
      return FIELDS.filter((_, field) => has[field])
    },
  }
}

function wordFrequencies({ words }: Vocabulary, { offsets }: Postings): Map<string, number> {
  const frequencies = new Map<string, number>()
  for (const [word, term] of words) {
    const frequency = term + 1 < offsets.length ? offsets[term + 1]! - offsets[term]! : 0
    if (frequency > 0) frequencies.set(word, frequency)
  }
  return frequencies
}
