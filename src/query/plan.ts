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
}

/** One clause of a query with several intents; the whole query is not repeated here. */
export interface QueryClause {
  readonly text: string
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
  readonly terms: readonly QueryTerm[]
  readonly clauses: readonly QueryClause[]
  /** Whether the text has Han characters, which makes the gloss channel useful. */
  readonly hasHan: boolean
}
