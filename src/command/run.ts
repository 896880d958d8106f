/**
 * What `/tool-search` does: a person's look at the tools of one agent, and their word on which are loaded.
 * @module
 */

import type { Agent } from '@deepseek-ai/dsh-agent'
import type { CommandResult } from '@deepseek-ai/dsh-commands'
import { resolveNames } from '../catalog/name-index.ts'
import { nearestNames } from '../catalog/nearest-names.ts'
import type { Catalog } from '../catalog/types.ts'
import type { DisclosureConfig } from '../config.ts'
import type { Inspector } from '../overview/inspector.ts'
import { cleanName, listParts } from '../query/name-list.ts'
import { isSent } from '../selection/reducer.ts'
import type { SelectionTracker } from '../selection/tracker.ts'
import { statisticsOf } from '../session-statistics.ts'
import type { AgentSearch } from '../tools/agent-search.ts'
import { oneLine } from '../tools/rendering.ts'
import { previewLines } from './preview-text.ts'
import { COMMAND, listNames, readVerb } from './wording.ts'

export interface CommandOptions {
  readonly inspector: Inspector
  readonly search: AgentSearch
  readonly selections: SelectionTracker
  /** As it is now. */
  readonly disclosure: () => DisclosureConfig
  readonly isAttached: (agent: Agent) => boolean
}

/** What a person did wrong, in one line. */
class Misuse extends Error {}

/** Names that are offered in place of an unknown one. */
const MOST_NEAREST = 3

/** Names in one line; the rest is counted. */
const MOST_NAMES = 50

/** Longest text of a person that is repeated. */
const QUOTED_CHARS = 80

/** Runs one command; misuse is an error result of one line. */
export async function runCommand(options: CommandOptions, agent: Agent, input: string, signal: AbortSignal): Promise<CommandResult> {
  try {
    return { kind: 'success', text: await answer(options, agent, input, signal) }
  } catch (error: unknown) {
    signal.throwIfAborted()
    return { kind: 'error', text: oneLine(error instanceof Error ? error.message : String(error), 1_000) }
  }
}

async function answer(options: CommandOptions, agent: Agent, input: string, signal: AbortSignal): Promise<string> {
  if (!options.isAttached(agent)) throw new Misuse('this agent has a tool_search of another plugin, so its tools are left as they are')
  const { verb, rest } = readVerb(input)
  switch (verb) {
    case 'status':
      if (rest !== '') throw new Misuse(`/${COMMAND} status takes nothing behind it; to look for tools write /${COMMAND} find ${quoted(rest)}`)
      return status(options, agent)
    case 'find':
      if (rest === '') throw new Misuse(`say what to look for: /${COMMAND} find <query>`)
      return previewLines(await options.inspector.preview(agent, rest, signal)).join('\n')
    case 'load':
      return load(options, agent, rest)
    case 'forget':
      return forget(options, agent, rest)
    default:
      throw new Misuse(`/${COMMAND} has no "${quoted(verb)}"; use status, find <query>, load <names> or forget <names>`)
  }
}

function status({ inspector, selections }: CommandOptions, agent: Agent): string {
  const { mode, tools, totals: { byState, shownTokens, deferredTokens, savedTokens } } = inspector.overview(agent)
  const { forgotten } = selections.of(agent.session)
  const { requests, searches, emptySearches, failedSearches, prefixChanges } = statisticsOf(agent.session)
  const loaded = tools.filter(({ state }) => state === 'loaded').map(({ name }) => name)
  return [
    `Mode ${mode}. ${tools.length} tools: ${byState.always} always shown, ${byState.loaded} loaded, ${byState.deferred} deferred, ${byState.never} switched off.`,
    `Tokens, estimated: ${shownTokens} in each request, ${deferredTokens} deferred, ${savedTokens} saved so far in ${requests} ${plural(requests, 'request')}.`,
    `Loaded: ${namesOf(loaded)}.`,
    ...forgotten.length > 0 ? [`Forgotten at the next free moment: ${namesOf(forgotten)}.`] : [],
    `${searches} ${plural(searches, 'search', 'es')}, ${emptySearches} of them empty, ${failedSearches} failed. ${prefixChanges} prefix ${plural(prefixChanges, 'change')}.`,
  ].join('\n')
}

function load({ search, selections, disclosure }: CommandOptions, agent: Agent, rest: string): string {
  const { mode } = disclosure()
  if (mode === 'off') throw new Misuse('mode is off: every tool is shown, so there is nothing to load')
  if (mode === 'dispatch') throw new Misuse('mode is dispatch: the tool list never changes, and the agent reads schemas with tool_search; set the mode to inject or auto to load tools')
  const { surface, catalog } = search.toolsOf(agent)
  const names = namesIn(rest, 'load', catalog, surface.never)
  const { forgotten } = selections.of(agent.session)
  const isFresh = (name: string): boolean => surface.deferred.has(name) || forgotten.includes(name)
  const fresh = names.filter(isFresh)
  const known = names.filter(name => !isFresh(name))
  return [
    ...fresh.length > 0 ? ['In the tool list from the next request on:', listNames(fresh, 'loaded')] : [],
    ...known.length > 0 ? [`Already in the tool list: ${namesOf(known)}.`] : [],
  ].join('\n')
}

function forget({ search, selections }: CommandOptions, agent: Agent, rest: string): string {
  const { surface, catalog } = search.toolsOf(agent)
  const names = namesIn(rest, 'forget', catalog, surface.never)
  const selection = selections.of(agent.session)
  const selected = new Set([...selection.names, ...selection.discovered])
  const stray = names.find(name => !surface.loaded.has(name) || !selected.has(name))
  if (stray !== undefined) throw new Misuse(`${whyNot(stray, surface)}. Nothing was forgotten`)
  const waits = isSent(selection)
  const later = names.filter(waits)
  return [
    ...later.length === 0
      ? ['Gone from now on:']
      : [`Gone at the next free moment (a compaction, or a resume after a day), since a shorter list would lose the provider's cache now${later.length < names.length ? '; what no request has shown yet, at once' : ''}:`],
    listNames(names, 'forgotten'),
  ].join('\n')
}

function whyNot(name: string, surface: { readonly loaded: ReadonlySet<string>; readonly deferred: ReadonlySet<string> }): string {
  if (surface.loaded.has(name)) return `"${name}" comes with a skill that was read (disclosure.skills) and stays with it`
  return surface.deferred.has(name) ? `"${name}" is not loaded` : `"${name}" is always shown; take it out of alwaysVisible or coreTools`
}

/**
 * Full names of what a person wrote, in any spelling that `select:` takes too.
 * @throws Misuse for the first one that means no tool or several; nothing is done then.
 */
function namesIn(text: string, verb: 'load' | 'forget', catalog: Catalog, never: ReadonlySet<string>): readonly string[] {
  const written = Array.from(listParts(text), part => cleanName(part.text)).filter(part => part !== '')
  if (written.length === 0) throw new Misuse(`say which tools: /${COMMAND} ${verb} <name>, <name> …`)
  const names = resolveNames(catalog, written).map((resolution) => {
    switch (resolution.outcome) {
      case 'found':
        return catalog.tools[resolution.tool]!.name
      case 'ambiguous':
        throw new Misuse(`"${quoted(resolution.name)}" is the short name of several tools: `
          + `${resolution.candidates.slice(0, MOST_NAMES).map(tool => catalog.tools[tool]!.name).join(', ')}. Write one in full`)
      default: {
        if (never.has(resolution.name)) throw new Misuse(`"${quoted(resolution.name)}" is switched off (neverSearch)`)
        const nearest = nearestNames(catalog, resolution.name, MOST_NEAREST)
        throw new Misuse(`there is no tool "${quoted(resolution.name)}"${nearest.length > 0 ? `; nearest: ${nearest.join(', ')}` : ''}`)
      }
    }
  })
  return [...new Set(names)]
}

function namesOf(names: readonly string[]): string {
  if (names.length === 0) return 'none'
  const more = names.length - MOST_NAMES
  return more > 0 ? `${names.slice(0, MOST_NAMES).join(', ')} and ${more} more` : names.join(', ')
}

function quoted(text: string): string {
  return oneLine(text, QUOTED_CHARS)
}

function plural(count: number, word: string, ending = 's'): string {
  return count === 1 ? word : `${word}${ending}`
}
