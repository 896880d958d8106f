/**
 * Which tools one agent has loaded, folded from its session log.
 *
 * The log is the only state: a live agent, a resumed one and a fork run this same reducer over the same events, so they can't disagree.
 * It reads only events that DSH itself writes; an event type of our own would make the session impossible to resume.
 * @module
 */

import type { SessionEvent } from '@deepseek-ai/dsh-session'
// Declares the `tool/code-dispatch` events on the session log.
import type {} from '@deepseek-ai/dsh-tools'
import { SEARCH_TOOL } from '../tools/contract.ts'
import { guidedName, loadedNames } from '../tools/rendering.ts'

/** The code of a `run_code` result whose program threw; its text carries the program's output. */
const CODE_RUN_FAILED = 'CODE_RUN_FAILED'

/** The folded state; never mutated. */
export interface Selection {
  /** Selected tools in the order of their selection, without repetition. Names may be unknown to the registry by now. */
  readonly names: readonly string[]
  /** Open calls: call id to tool name. */
  readonly openCalls: ReadonlyMap<string, string>
  /** Selected inside `run_code` programs that have not ended: root call id to names. */
  readonly pending: ReadonlyMap<string, readonly string[]>
}

/** The state of an empty log. */
export const EMPTY_SELECTION: Selection = { names: [], openCalls: new Map(), pending: new Map() }

/** The outcome of one call, top-level or nested, as the log keeps it. */
interface LoggedOutcome {
  readonly name: string
  readonly isError: boolean
  readonly content: readonly { readonly type: string; readonly text?: string }[]
  /** Presentation metadata; only top-level calls have it. */
  readonly meta?: unknown
}

/**
 * Folds one event into the selection. Total and pure: foreign and malformed events leave it as it is.
 * @returns the same object when nothing changed.
 */
export function reduceSelection(selection: Selection, event: SessionEvent): Selection {
  switch (event.type) {
    case 'tool/call':
      return { ...selection, openCalls: withEntry(selection.openCalls, event.data.callId, event.data.name) }
    case 'tool/code-dispatch': {
      const names = selectedBy(event.data)
      if (names.length === 0) return selection
      const root = event.data.rootCallId
      return { ...selection, pending: withEntry(selection.pending, root, [...selection.pending.get(root) ?? [], ...names]) }
    }
    case 'tool/result': {
      // A replacement is compaction rewriting an old result: what it once selected stays selected.
      if (event.surfaceOp !== undefined && event.surfaceOp !== 'append') return selection
      const [result] = event.data.message.content
      const callId = result.toolCallId
      const name = selection.openCalls.get(callId)
      if (name === undefined) return selection
      const isError = result.isError === true
      // A failed program still shows what it printed before; a blocked or cancelled one shows nothing, so it selects nothing.
      const shown = !isError || event.data.error?.code === CODE_RUN_FAILED
      const nested = shown ? selection.pending.get(callId) ?? [] : []
      const names = [...nested, ...selectedBy({ name, isError, content: result.content, meta: event.data.meta })]
      return {
        names: appendNew(selection.names, names),
        openCalls: withoutEntry(selection.openCalls, callId),
        pending: withoutEntry(selection.pending, callId),
      }
    }
    case 'turn/end':
      // Calls of an interrupted turn never get a result.
      return selection.openCalls.size === 0 && selection.pending.size === 0 ? selection : { ...EMPTY_SELECTION, names: selection.names }
    default:
      return selection
  }
}

/** Folds a whole log, or the rest of one. */
export function foldSelection(events: Iterable<SessionEvent>, from: Selection = EMPTY_SELECTION): Selection {
  let selection = from
  for (const event of events) selection = reduceSelection(selection, event)
  return selection
}

/** Names that one outcome selects. */
function selectedBy(outcome: LoggedOutcome): readonly string[] {
  const text = outcome.content.map(block => block.type === 'text' ? block.text ?? '' : '').join('\n')
  if (outcome.name === SEARCH_TOOL) {
    if (outcome.isError) return []
    const named = loadedNames(text)
    const declared = declaredNames(outcome.meta)
    return declared === undefined ? named : named.filter(name => declared.has(name))
  }
  // A call that ran is in use from now on, also one that found its tool without a search.
  if (!outcome.isError) return [outcome.name]
  return guidedName(text) === outcome.name ? [outcome.name] : []
}

/** Names that the metadata of a search declares loaded; undefined when there is none of ours. */
function declaredNames(meta: unknown): ReadonlySet<string> | undefined {
  if (typeof meta !== 'object' || meta === null || !('results' in meta) || !Array.isArray(meta.results)) return undefined
  return new Set((meta.results as readonly { name?: unknown; status?: unknown }[])
    .flatMap(result => result.status === 'loaded' && typeof result.name === 'string' ? [result.name] : []))
}

function appendNew(names: readonly string[], added: readonly string[]): readonly string[] {
  const known = new Set(names)
  const fresh = added.filter(name => !known.has(name) && known.add(name))
  return fresh.length === 0 ? names : [...names, ...fresh]
}

function withEntry<V>(map: ReadonlyMap<string, V>, key: string, value: V): ReadonlyMap<string, V> {
  return new Map(map).set(key, value)
}

function withoutEntry<V>(map: ReadonlyMap<string, V>, key: string): ReadonlyMap<string, V> {
  if (!map.has(key)) return map
  const copy = new Map(map)
  copy.delete(key)
  return copy
}
