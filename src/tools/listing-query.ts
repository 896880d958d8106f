/**
 * `status:` as a query: what there is to search, without searching.
 * @module
 */

/** `status:` for all families, `status:<id>` for the tools of one. */
const LISTING = /^\s*status:\s*(\S*)\s*$/i

/** @returns the id of a family, `''` for all of them, undefined when the query is no listing. */
export function readListing(query: string): string | undefined {
  return LISTING.exec(query)?.[1]
}
