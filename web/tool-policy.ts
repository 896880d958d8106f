/**
 * One tool's policy as entries of the two lists.
 * @module
 */

import type { Settings } from '../src/web/protocol.ts'

/** `automatic`: neither list names the tool; a pattern may still decide. */
export const POLICIES = ['automatic', 'always', 'never'] as const

export type ToolPolicy = (typeof POLICIES)[number]

type Lists = Pick<Settings, 'alwaysVisible' | 'neverSearch'>

export function policyIn({ alwaysVisible, neverSearch }: Lists, name: string): ToolPolicy {
  return neverSearch.includes(name) ? 'never' : alwaysVisible.includes(name) ? 'always' : 'automatic'
}

/** The lists that change. */
export function withPolicy({ alwaysVisible, neverSearch }: Lists, name: string, policy: ToolPolicy): Partial<Lists> {
  const set = (list: readonly string[], isIn: boolean): readonly string[] | undefined =>
    list.includes(name) === isIn ? undefined : isIn ? [...list, name] : list.filter(entry => entry !== name)
  const always = set(alwaysVisible, policy === 'always')
  const never = set(neverSearch, policy === 'never')
  return { ...always !== undefined && { alwaysVisible: always }, ...never !== undefined && { neverSearch: never } }
}
