/**
 * The settings of this plugin as the host holds them. Written past DSH's settings scope, which sets one key at a time and keeps the reason
 * of a refusal to itself.
 * @module
 */

import { useSyncExternalStore } from 'react'
import { SETTINGS_SECTION } from '../src/web/protocol.ts'
import type { Settings } from '../src/web/protocol.ts'
import type { Connection, NamespaceView, SettingsMirror } from './host.ts'

export interface SettingsView {
  readonly value: Settings
  /** Keys that the user has set, over the composition's. */
  readonly user: Partial<Settings>
  readonly writable: boolean
}

/** New values by key; `undefined` takes the user's value away. */
export type SettingsChange = { readonly [K in keyof Settings]?: Settings[K] | undefined }

export interface SettingsAccess {
  /** Undefined until the host has answered. */
  use(): SettingsView | undefined
  /**
   * Writes all keys or none.
   * @throws Error with the rule that a value breaks.
   */
  write(change: SettingsChange): Promise<void>
}

/** A section that was written by hand may hold anything; the host goes on with what was right before. */
function withLists(value: Settings): Settings {
  const listOf = (list: unknown): readonly string[] => Array.isArray(list) ? list.map(String) : []
  return { ...value, alwaysVisible: listOf(value.alwaysVisible), neverSearch: listOf(value.neverSearch) }
}

export function createSettingsAccess({ api }: Connection, mirror: SettingsMirror): SettingsAccess {
  const subscribe = (listener: () => void): () => void => mirror.subscribe(listener)
  const current = (): NamespaceView | undefined => mirror.getSnapshot().view?.namespaces.find(({ ns }) => ns === SETTINGS_SECTION)
  return {
    use() {
      const view = useSyncExternalStore(subscribe, current)
      const writable = useSyncExternalStore(subscribe, () => mirror.getSnapshot().view?.writable ?? false)
      return view && { value: withLists(view.value as Settings), user: view.user ?? {}, writable }
    },
    async write(change) {
      const { result } = await api.settings.mutate({
        ns: SETTINGS_SECTION,
        ops: Object.entries(change).map(([key, value]) => value === undefined ? { op: 'unset', path: [key] } : { op: 'set', path: [key], value }),
      })
      if (!result.ok) throw new Error(result.error.message)
      mirror.acceptView(result.value)
    },
  }
}
