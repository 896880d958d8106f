/**
 * What one finished call does to the selection.
 * @module
 */

import { DISPATCH_TOOL, SEARCH_TOOL } from '../tools/contract.ts'
import { readDispatch } from '../tools/dispatch-arguments.ts'
import { readListing } from '../tools/listing-query.ts'
import { guidedName, listedTools } from '../tools/rendering.ts'

/** DSH's tool that reads a skill to the model. */
const SKILL_TOOL = 'skill'

/** The outcome of one call, top-level or nested, as the log keeps it. */
export interface LoggedOutcome {
  readonly name: string
  /** Parsed arguments; undefined when they were no JSON. */
  readonly arguments: unknown
  readonly isError: boolean
  readonly content: readonly { readonly type: string; readonly text?: string }[]
  /** Presentation metadata; only top-level calls have it. */
  readonly meta?: unknown
}

/** What calls do to a selection. */
export interface Effects {
  /** Tools whose schemas the next request shows. */
  readonly loaded: readonly string[]
  /** Tools whose schemas the result showed. */
  readonly discovered: readonly string[]
  /** Tools that a listing named. */
  readonly listed: readonly string[]
  /** Tools that ran. */
  readonly called: readonly string[]
  /** Skills that were read. */
  readonly skills: readonly string[]
  /** Queries that were searched for, as written. */
  readonly queries: readonly string[]
}

export const NO_EFFECTS: Effects = { loaded: [], discovered: [], listed: [], called: [], skills: [], queries: [] }

/** The effects of one call and then another. */
export function join(first: Effects, second: Effects): Effects {
  if (first === NO_EFFECTS) return second
  if (second === NO_EFFECTS) return first
  return {
    loaded: [...first.loaded, ...second.loaded],
    discovered: [...first.discovered, ...second.discovered],
    listed: [...first.listed, ...second.listed],
    called: [...first.called, ...second.called],
    skills: [...first.skills, ...second.skills],
    queries: [...first.queries, ...second.queries],
  }
}

/** @returns {@link NO_EFFECTS} itself when there are none. */
export function effectsOf(outcome: LoggedOutcome): Effects {
  const text = outcome.content.map(block => block.type === 'text' ? block.text ?? '' : '').join('\n')
  switch (outcome.name) {
    case SEARCH_TOOL:
      return outcome.isError ? NO_EFFECTS : searchEffects(outcome, text)
    case DISPATCH_TOOL: {
      const name = readDispatch(outcome.arguments)?.name
      return outcome.isError || name === undefined ? NO_EFFECTS : { ...NO_EFFECTS, discovered: [name], called: [name] }
    }
    default:
      // A call that ran is in use from now on, also one that found its tool without a search.
      if (!outcome.isError) return { ...NO_EFFECTS, loaded: [outcome.name], called: [outcome.name], skills: skillsOf(outcome) }
      return guidedName(text) === outcome.name ? { ...NO_EFFECTS, loaded: [outcome.name] } : NO_EFFECTS
  }
}

/** A search has the effects that both its metadata and its final text declare; the text alone where there is no metadata. */
function searchEffects({ arguments: args, meta }: LoggedOutcome, text: string): Effects {
  const declared = declaredStatuses(meta)
  const agreed = listedTools(text).filter(({ name, status }) => declared === undefined || declared.get(name) === status)
  const having = (wanted: string): readonly string[] => agreed.filter(({ status }) => status === wanted).map(({ name }) => name)
  return { ...NO_EFFECTS, loaded: having('loaded'), discovered: having('ready'), listed: having('listed'), queries: queryOf(args) }
}

/** Status of each result by the metadata of a search; undefined when there is none of ours. */
function declaredStatuses(meta: unknown): ReadonlyMap<string, unknown> | undefined {
  if (typeof meta !== 'object' || meta === null || !('results' in meta) || !Array.isArray(meta.results)) return undefined
  return new Map((meta.results as readonly { name?: unknown; status?: unknown }[])
    .flatMap(result => typeof result.name === 'string' ? [[result.name, result.status] as const] : []))
}

function queryOf(args: unknown): readonly string[] {
  const query = typeof args === 'object' && args !== null ? (args as { query?: unknown }).query : undefined
  return typeof query === 'string' && readListing(query) === undefined ? [query] : []
}

function skillsOf({ name, arguments: args }: LoggedOutcome): readonly string[] {
  const skill = name === SKILL_TOOL && typeof args === 'object' && args !== null ? (args as { name?: unknown }).name : undefined
  return typeof skill === 'string' ? [skill] : []
}
