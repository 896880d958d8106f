/**
 * The words of one catalogue, indexed for scoring: what the lexical and the gloss channel share.
 * @module
 */

import { FIELDS } from '../catalog/types.ts'
import type { Catalog, Field } from '../catalog/types.ts'
import { synonymsOf } from '../query/synonyms.ts'
import { buildPostings } from './bm25-index.ts'
import type { Bm25Parameters, Postings } from './bm25-index.ts'
import { createAccumulator, idfOf } from './bm25-score.ts'
import type { Accumulator } from './bm25-score.ts'
import { createSpeller } from './bm25-spelling.ts'
import type { Speller } from './bm25-spelling.ts'
import { Vocabulary } from './bm25-vocabulary.ts'
import type { ToolTerms } from './bm25-vocabulary.ts'

export interface LexicalIndex {
  readonly catalog: Catalog
  readonly postings: Postings
  /** By tool index. */
  readonly analyses: readonly ToolTerms[]
  readonly names: NamePostings
  /** Scratch space of the search that is running; a search is synchronous, so one is enough. */
  readonly scratch: {
    readonly whole: Accumulator
    readonly sentence: Accumulator
    readonly bestSentence: Float32Array
    /** By term; zero between searches. */
    readonly asked: Float32Array
  }
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

/** The tools by the words of their names; those with term `t` are at `offsets[t]` up to `offsets[t + 1]`, ascending. */
export interface NamePostings {
  readonly offsets: Int32Array
  readonly tools: Int32Array
  /** Sum of the idfs of a tool's name, by tool. */
  readonly masses: Float32Array
}

/** Analyses that no catalogue uses are forgotten when they are more than those of the latest one. */
const SPARE_ANALYSES = 1_000

/**
 * Makes a function that indexes catalogues. A catalogue is indexed once, and a tool's text is analysed once for all catalogues.
 */
export function createLexicalIndexer(parameters: Bm25Parameters): (catalog: Catalog) => LexicalIndex {
  const indexes = new WeakMap<Catalog, LexicalIndex>()
  let vocabulary = new Vocabulary()
  let analyses = new Map<string, ToolTerms>()

  return (catalog) => {
    let index = indexes.get(catalog)
    if (index !== undefined) return index
    if (analyses.size > 2 * catalog.tools.length + SPARE_ANALYSES) {
      vocabulary = new Vocabulary()
      analyses = new Map()
    }
    const terms = catalog.tools.map((tool) => {
      let analysis = analyses.get(tool.contentHash)
      if (analysis === undefined) analyses.set(tool.contentHash, analysis = vocabulary.analyse(tool))
      return analysis
    })
    indexes.set(catalog, index = lexicalIndex(catalog, terms, vocabulary, parameters))
    return index
  }
}

function lexicalIndex(catalog: Catalog, analyses: readonly ToolTerms[], vocabulary: Vocabulary, parameters: Bm25Parameters): LexicalIndex {
  const postings = buildPostings(analyses, vocabulary.size, parameters)
  const size = catalog.tools.length
  const known = (id: number | undefined): number | undefined => id !== undefined && idfOf(postings, id) > 0 ? id : undefined
  let speller: Speller | undefined
  return {
    catalog,
    postings,
    analyses,
    names: namePostings(analyses, postings, vocabulary.size),
    scratch: {
      whole: createAccumulator(size),
      sentence: createAccumulator(size),
      bestSentence: new Float32Array(size),
      asked: new Float32Array(vocabulary.size),
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

function namePostings(analyses: readonly ToolTerms[], postings: Postings, termCount: number): NamePostings {
  const offsets = new Int32Array(termCount + 1)
  for (const { name } of analyses) for (let at = 0; at < name.length; at++) offsets[name[at]! + 1]!++
  for (let term = 0; term < termCount; term++) offsets[term + 1]! += offsets[term]!
  const next = offsets.slice(0, termCount)
  const tools = new Int32Array(offsets[termCount]!)
  const masses = new Float32Array(analyses.length)
  for (let tool = 0; tool < analyses.length; tool++) {
    const { name } = analyses[tool]!
    for (let at = 0; at < name.length; at++) {
      tools[next[name[at]!]!++] = tool
      masses[tool]! += idfOf(postings, name[at]!)
    }
  }
  return { offsets, tools, masses }
}

function wordFrequencies({ words }: Vocabulary, { offsets }: Postings): Map<string, number> {
  const frequencies = new Map<string, number>()
  for (const [word, term] of words) {
    const frequency = term + 1 < offsets.length ? offsets[term + 1]! - offsets[term]! : 0
    if (frequency > 0) frequencies.set(word, frequency)
  }
  return frequencies
}
