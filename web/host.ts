/**
 * The services of DSH's page that the card uses, as far as it uses them. DSH publishes their types only with its whole client runtime.
 * @module
 */

import type { ComponentType } from 'react'

/** Something with a current value that React can follow. */
export interface Observable<T> {
  getSnapshot(): T
  subscribe(listener: () => void): () => void
}

export type RpcResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: { readonly message: string } }

/** One registered section of the settings, as the host reports it. */
export interface NamespaceView {
  readonly ns: string
  /** Resolved: defaults, then the composition's configuration, then what the user has set. */
  readonly value: unknown
  /** The composition's layer. */
  readonly base?: unknown
  /** What the user has set. */
  readonly user?: unknown
  readonly revision: number
}

export type SettingsEdit =
  | { readonly op: 'set'; readonly path: readonly string[]; readonly value: unknown }
  | { readonly op: 'unset'; readonly path: readonly string[] }

export interface SettingsMirror extends Observable<{
  readonly view?: { readonly namespaces: readonly NamespaceView[]; readonly writable: boolean } | undefined
}> {
  ensure(): Promise<void>
  acceptView(view: NamespaceView): void
}

export interface SettingsWrite {
  readonly ns: string
  readonly ops: readonly SettingsEdit[]
}

export interface Connection {
  readonly rpc: { call(channel: string, endpoint: string, payload: unknown, signal?: AbortSignal): Promise<RpcResult<unknown>> }
  readonly api: {
    readonly settings: {
      mutate(request: SettingsWrite): Promise<{ readonly result: RpcResult<NamespaceView> }>
    }
  }
}

export interface PageContext {
  readonly slots: {
    /** Runs the effect while the slot is declared. */
    inject(slot: string, effect: () => () => void): void
    register(entry: { readonly name: string; readonly key: string }, component: ComponentType): () => void
  }
  readonly settingsScope: { describe(): SettingsMirror }
  readonly connection: Connection
  get(service: 'locale'): Observable<{ readonly active: string }> | undefined
  effect(install: () => () => void, label: string): void
}
