/**
 * What happens to a selection when the provider's prefix cache is lost anyway: the only time at which taking a tool away, or moving one
 * from the history into the tool list, costs nothing.
 * @module
 */

import type { NamePredicate } from '../patterns.ts'
import { estimateTokens } from '../surface/economics.ts'
import type { Selection } from './reducer.ts'

/** `keep` everything, only what was `used` since it was selected, or nothing (`drop`). */
export const COMPACTION_POLICIES = ['used', 'keep', 'drop'] as const

export type CompactionPolicy = (typeof COMPACTION_POLICIES)[number]

/**
 * How long a provider may keep the prefix of a session that nobody continues: DeepSeek documents hours to a few days, so a resume within a
 * day is taken to find its cache.
 */
export const PROVIDER_CACHE_MS = 24 * 60 * 60 * 1_000

/** Bounds of what a selection may hold after a free moment; a missing one is no bound. */
export interface SelectionBudget {
  readonly maxTools?: number | undefined
  /** Tokens of the selected schemas together, estimated. */
  readonly maxTokens?: number | undefined
  /** Turns without a call after which a tool goes. */
  readonly idleTurns?: number | undefined
}

export interface SelectionPolicy {
  readonly compaction: CompactionPolicy
  /** Whether a listing counts as having seen a tool's schema. */
  readonly listingDiscovers: boolean
  /** Whether dispatched tools move into the tool list. */
  readonly promote: boolean
  /** How long a provider is expected to keep an unused prefix, milliseconds. */
  readonly cacheLifetimeMs: number
  readonly budget: SelectionBudget
  /** Tools that are shown whether selected or not: no policy counts or drops them. */
  readonly isExempt: NamePredicate
}

/**
 * Applies the policy at a free moment.
 * @param cause - compaction rewrites the history as well; expiry leaves it as it is.
 */
export function atFreeMoment(selection: Selection, policy: SelectionPolicy, cause: 'compaction' | 'expiry'): Selection {
  const wanted = selection.names.filter(name => !selection.forgotten.includes(name))
  const survivors = cause === 'compaction' ? wanted.filter(name => survives(selection, policy, name)) : wanted
  const used = selection.discovered.filter(name => selection.lastCalls.has(name))
  const promoted = policy.promote ? [...survivors, ...used.filter(name => !survivors.includes(name))] : survivors
  const kept = withinBudget(selection, promoted, policy)
  if (kept.length === selection.names.length && kept.every((name, index) => name === selection.names[index])) return selection
  const had = new Set([...selection.evicted, ...selection.names, ...promoted])
  return { ...selection, names: kept, forgotten: [], evicted: [...had].filter(name => !kept.includes(name)) }
}

function survives({ lastCalls }: Selection, { compaction, isExempt }: SelectionPolicy, name: string): boolean {
  return compaction === 'keep' || isExempt(name) || (compaction === 'used' && lastCalls.has(name))
}

/** Drops the least recently used tools until the budget holds; a tool that the current turn uses is never dropped. */
function withinBudget(selection: Selection, names: readonly string[], { budget, isExempt }: SelectionPolicy): readonly string[] {
  const { maxTools = Infinity, maxTokens = Infinity, idleTurns = Infinity } = budget
  if (maxTools === Infinity && maxTokens === Infinity && idleTurns === Infinity) return names
  const sizes = new Map(selection.sent.map(tool => [tool.name, estimateTokens(JSON.stringify(tool).length)]))
  const lastUse = (name: string): number => Math.max(selection.lastCalls.get(name) ?? 0, selection.selectedIn.get(name) ?? 0)
  const tokensOf = (name: string): number => sizes.get(name) ?? 0
  const counted = names.filter(name => !isExempt(name) && selection.turn - lastUse(name) <= idleTurns)
  let tools = counted.length
  let tokens = counted.reduce((sum, name) => sum + tokensOf(name), 0)
  const evicted = new Set<string>()
  const leastRecentlyCalled = counted.filter(name => lastUse(name) < selection.turn)
    .sort((a, b) => (selection.lastCalls.get(a) ?? 0) - (selection.lastCalls.get(b) ?? 0) || lastUse(a) - lastUse(b))
  for (const name of leastRecentlyCalled) {
    if (tools <= maxTools && tokens <= maxTokens) break
    evicted.add(name)
    tools--
    tokens -= tokensOf(name)
  }
  const kept = new Set(counted.filter(name => !evicted.has(name)))
  return names.filter(name => isExempt(name) || kept.has(name))
}
