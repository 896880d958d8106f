/**
 * Which tools one agent has loaded, folded from its session log.
 *
 * The log is the only state: a live agent, a resumed one and a fork run this same reducer over the same events, so they can't disagree.
 * It reads only events that DSH itself writes; an event type of our own would make the session impossible to resume.
 * @module
 */

// Declares the `command/*` events on the session log.
import type {} from '@deepseek-ai/dsh-commands'
// Declares the `compaction/*` events on the session log.
import type {} from '@deepseek-ai/dsh-compaction'
import type { TokenUsage, ToolSchema } from '@deepseek-ai/dsh-llm'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
// Declares the `tool/code-dispatch` events on the session log.
import type {} from '@deepseek-ai/dsh-tools'
import { COMMAND, readCommand } from '../command/wording.ts'
import type { CommandEffects } from '../command/wording.ts'
import { isSurfaceTool } from '../surface/surface-tools.ts'
import { SEARCH_TOOL } from '../tools/contract.ts'
import { atFreeMoment } from './free-moment.ts'
import type { SelectionPolicy } from './free-moment.ts'
import { parseArguments } from './call-arguments.ts'
import { effectsOf, join, NO_EFFECTS } from './effects.ts'
import type { Effects } from './effects.ts'

/** The code of a `run_code` result whose program threw; its text carries the program's output. */
const CODE_RUN_FAILED = 'CODE_RUN_FAILED'

/** One call that has no result yet. */
interface OpenCall {
  readonly name: string
  /** Raw JSON text, as the model wrote it. */
  readonly arguments: string
}

/** The folded state; never mutated. */
export interface Selection {
  /** Tools whose schemas go with every request, in the order of their selection. Names may be unknown to the registry by now. */
  readonly names: readonly string[]
  /** Tools whose schemas a search or a listing showed in the history; they are called through the dispatch. */
  readonly discovered: readonly string[]
  /** Skills that were called successfully. */
  readonly skills: readonly string[]
  /** Turn in which a tool was last called, by its own name or through the dispatch. */
  readonly lastCalls: ReadonlyMap<string, number>
  /** Turn in which a tool was selected. */
  readonly selectedIn: ReadonlyMap<string, number>
  /** Number of the current turn. */
  readonly turn: number
  /** Searches of this turn that brought nothing new since the last gain, as written, in order. */
  readonly fruitless: readonly string[]
  /** Tools that a free moment put out, until they are selected again. */
  readonly evicted: readonly string[]
  /** Tools that a person wants out and that requests show, until a free moment. */
  readonly forgotten: readonly string[]
  /** Commands of ours that have not ended: id to the text behind the name. */
  readonly openCommands: ReadonlyMap<string, string>
  readonly openCalls: ReadonlyMap<string, OpenCall>
  /** What `run_code` programs that have not ended would select: root call id to effects. */
  readonly pending: ReadonlyMap<string, Effects>
  /** Time of the latest event, Unix epoch milliseconds. */
  readonly time: number
  /** The tools of the latest request, as sent; what budgets weigh. */
  readonly sent: readonly ToolSchema[]
  /** Input tokens of the latest request as the provider counted them; 0 when it did not say. */
  readonly inputTokens: number
}

/** The state of an empty log. */
export const EMPTY_SELECTION: Selection = {
  names: [],
  discovered: [],
  skills: [],
  lastCalls: new Map(),
  selectedIn: new Map(),
  turn: 0,
  fruitless: [],
  evicted: [],
  forgotten: [],
  openCommands: new Map(),
  openCalls: new Map(),
  pending: new Map(),
  time: 0,
  sent: [],
  inputTokens: 0,
}

/** Keeps everything: what a session without budgets does. */
export const MONOTONIC: SelectionPolicy = {
  compaction: 'keep', promote: false, listingDiscovers: false, cacheLifetimeMs: Infinity, budget: {}, isExempt: () => false,
}

/**
 * Folds one event into the selection. Total and pure: foreign and malformed events leave it as it is.
 * @returns the same object when nothing changed.
 */
export function reduceSelection(selection: Selection, event: SessionEvent, policy: SelectionPolicy = MONOTONIC): Selection {
  switch (event.type) {
    case 'turn/start':
      return { ...selection, turn: event.data.turn, fruitless: [], time: event.time }
    case 'tool/call':
      return { ...selection, openCalls: withEntry(selection.openCalls, event.data.callId, event.data) }
    case 'tool/code-dispatch': {
      const effects = effectsOf(event.data)
      if (effects === NO_EFFECTS) return selection
      const root = event.data.rootCallId
      return { ...selection, pending: withEntry(selection.pending, root, join(selection.pending.get(root) ?? NO_EFFECTS, effects)) }
    }
    case 'tool/result': {
      // A replacement is compaction rewriting an old result: what it once selected stays selected.
      if (event.surfaceOp !== undefined && event.surfaceOp !== 'append') return selection
      const [result] = event.data.message.content
      const callId = result.toolCallId
      const call = selection.openCalls.get(callId)
      if (call === undefined) return selection
      const isError = result.isError === true
      // A failed program still shows what it printed before; a blocked or cancelled one shows nothing, so it selects nothing.
      const shown = !isError || event.data.error?.code === CODE_RUN_FAILED
      const nested = shown ? selection.pending.get(callId) ?? NO_EFFECTS : NO_EFFECTS
      const args = parseArguments(call.arguments)
      const own = effectsOf({ name: call.name, arguments: args, isError, content: result.content, meta: event.data.meta })
      return {
        ...apply(selection, join(nested, own), policy),
        openCalls: withoutEntry(selection.openCalls, callId),
        pending: withoutEntry(selection.pending, callId),
      }
    }
    case 'turn/end':
      // Calls of an interrupted turn never get a result.
      return { ...selection, openCalls: EMPTY_SELECTION.openCalls, pending: EMPTY_SELECTION.pending, time: event.time }
    case 'request/header':
      return applySent(selection, event.data.header.tools ?? [], policy)
    case 'assistant/message':
      return event.data.usage === undefined ? selection : { ...selection, inputTokens: allInput(event.data.usage) }
    case 'command/run':
      return event.data.name === COMMAND
        ? { ...selection, openCommands: withEntry(selection.openCommands, event.data.commandId, event.data.args ?? '') }
        : selection
    case 'command/done': {
      const input = selection.openCommands.get(event.data.commandId)
      if (input === undefined) return selection
      const effects = readCommand(input, event.data.kind === 'success' ? event.data.text ?? '' : '')
      return applyCommand({ ...selection, openCommands: withoutEntry(selection.openCommands, event.data.commandId) }, effects, policy)
    }
    case 'compaction/end':
      return event.data.error === undefined ? atFreeMoment(selection, policy, 'compaction') : selection
    case 'session/end-seed':
      return event.time - selection.time > policy.cacheLifetimeMs ? atFreeMoment(selection, policy, 'expiry') : selection
    default:
      return selection
  }
}

/**
 * What requests show although no result loaded it: what was chosen for the first message, which stands behind the search in the first
 * request, and dispatched tools that moved into the list. Anything else that is shown is shown by configuration, and only as long as
 * that says so. A request without the search was sent without this plugin.
 */
function applySent(selection: Selection, sent: readonly ToolSchema[], policy: SelectionPolicy): Selection {
  const names = sent.map(({ name }) => name)
  const search = names.indexOf(SEARCH_TOOL)
  if (search < 0) return { ...selection, sent }
  const isFirst = selection.sent.length === 0
  const loaded = names.filter((name, index) => !isSurfaceTool(name) && !policy.isExempt(name)
    && ((isFirst && index > search) || selection.discovered.includes(name)))
  return { ...apply(selection, { ...NO_EFFECTS, loaded }, policy), sent }
}

/** A person's word: what requests show goes at the next free moment, since the cache would be lost for it now; the rest at once. */
function applyCommand(selection: Selection, { loaded, forgotten }: CommandEffects, policy: SelectionPolicy): Selection {
  const after = loaded.length === 0 ? selection : apply(selection, { ...NO_EFFECTS, loaded }, policy)
  if (forgotten.length === 0) return { ...after, forgotten: after.forgotten.filter(name => !loaded.includes(name)) }
  const waits = isSent(after)
  return {
    ...after,
    names: after.names.filter(name => !forgotten.includes(name) || waits(name)),
    discovered: after.discovered.filter(name => !forgotten.includes(name)),
    forgotten: appendNew(after.forgotten, forgotten.filter(waits)),
  }
}

/** Whether the latest request showed a tool, so that taking it out would lose the cache. */
export function isSent({ sent }: Selection): (name: string) => boolean {
  const names = new Set(sent.map(({ name }) => name))
  return name => names.has(name)
}

/** Folds a whole log, or the rest of one. */
export function foldSelection(
  events: Iterable<SessionEvent>,
  from: Selection = EMPTY_SELECTION,
  policy: SelectionPolicy = MONOTONIC,
): Selection {
  let selection = from
  for (const event of events) selection = reduceSelection(selection, event, policy)
  return selection
}

/** DSH counts what came from the cache apart from the rest. */
function allInput({ inputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 }: TokenUsage): number {
  return inputTokens + cacheReadTokens + cacheWriteTokens
}

function apply(selection: Selection, effects: Effects, { listingDiscovers }: SelectionPolicy): Selection {
  if (effects === NO_EFFECTS) return selection
  const { turn } = selection
  const names = appendNew(selection.names, effects.loaded)
  const discovered = appendNew(selection.discovered, listingDiscovers ? [...effects.discovered, ...effects.listed] : effects.discovered)
  const gained = names !== selection.names || discovered !== selection.discovered
  return {
    ...selection,
    names,
    discovered,
    skills: appendNew(selection.skills, effects.skills),
    lastCalls: withEntries(selection.lastCalls, effects.called, turn),
    selectedIn: withEntries(selection.selectedIn, effects.loaded.filter(name => !selection.selectedIn.has(name)), turn),
    evicted: selection.evicted.filter(name => !effects.loaded.includes(name)),
    // A session that goes on finding tools is in no loop, however much it searches.
    fruitless: gained ? [] : effects.queries.length === 0 ? selection.fruitless : [...selection.fruitless, ...effects.queries],
  }
}

function appendNew(names: readonly string[], added: readonly string[]): readonly string[] {
  const known = new Set(names)
  const fresh = added.filter(name => !known.has(name) && known.add(name))
  return fresh.length === 0 ? names : [...names, ...fresh]
}

function withEntries<V>(map: ReadonlyMap<string, V>, keys: readonly string[], value: V): ReadonlyMap<string, V> {
  return keys.length === 0 ? map : new Map([...map, ...keys.map(key => [key, value] as const)])
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
