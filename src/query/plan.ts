/**
 * What a query asks for, before any channel ranks.
 * @module
 */

/** One analysed term of a natural-language query. */
export interface QueryTerm {
  /** The term as the index knows it (stemmed, folded). */
  readonly term: string
  /** The word as the user wrote it. */
  readonly surface: string
  /** Importance in 0..1; 0 keeps the term for display only. */
  readonly weight: number
  /**
   * `word`: a word or one part of an identifier; `whole`: an identifier as a whole, beside its parts; `pair` and `single`: two
   * neighbouring characters, or one, of a script written without spaces.
   */
  readonly kind: 'word' | 'whole' | 'pair' | 'single'
  /** Whether the word may be a misspelling: not when it is quoted, capitalised, short, or has a digit. */
  readonly correctable: boolean
}

/** One clause of a query with several intents; the whole query is not repeated here. */
export interface QueryClause {
  readonly text: string
  /** Where it stands in the query's text. */
  readonly start: number
  readonly terms: readonly QueryTerm[]
}

/** The parsed query. */
export interface QueryPlan {
  readonly query: string
  /** `select`: names only, load them; `natural`: rank. */
  readonly kind: 'select' | 'natural'
  /** Names asked for by `select:` or by being nothing but names, as written. */
  readonly names: readonly string[]
  /** Families or servers that restrict the answer (`server:github`), as written. */
  readonly families: readonly string[]
  /** Terms of which every one must match (`+word`). */
  readonly required: readonly QueryTerm[]
  /** The natural-language part with the grammar removed. */
  readonly text: string
  /** Terms in reading order, repeated when the query repeats them. */
  readonly terms: readonly QueryTerm[]
  /** The sentences of the query when it has two or more that say something; else empty. */
  readonly clauses: readonly QueryClause[]
  /** Whether the text has Han characters, which makes the gloss channel useful. */
  readonly hasHan: boolean
}
