/**
 * The configuration as it is now: what the profile says, under what a person has set since. DSH's settings service is optional; without
 * one the profile's word is the last.
 * @module
 */

import type { Context } from '@deepseek-ai/cordis'
import type {} from '@deepseek-ai/dsh-settings'
import type { SettingsNamespace } from '@deepseek-ai/dsh-settings'
import z from '@deepseek-ai/schemastery'
import type { ResolvedConfig } from './config.ts'
import { isUnloading } from './host.ts'
import { checkSettings, SETTINGS_NAMESPACE, settingsOf, withSettings } from './settings.ts'
import type { Settings } from './settings.ts'

export interface LiveConfig {
  /** The same object until something changes. */
  current(): ResolvedConfig
  /** Called after a change, for what must not wait until somebody asks. */
  onChange(listener: () => void): void
}

/** What settings pages are told of each key; the rules are those of the configuration, checked at each write by {@link checkSettings}. */
const DESCRIPTIONS: Readonly<Record<keyof Settings, string>> = {
  topK: 'Results of a search, and the upper bound of its limit. Takes effect at the next search.',
  mode: 'How tools are handed over: auto, inject, dispatch, or off, which hides nothing. Takes effect at the next request; what is loaded stays loaded.',
  alwaysVisible: 'Names and * patterns always shown, on top of the core tools. Takes effect at the next request.',
  neverSearch: 'Names and * patterns never shown, found or run; wins over always visible. Takes effect at the next request.',
  preselect: 'Tools loaded for the first message of a session, 0 is off. Takes effect for sessions that have made no request.',
  rewrite: 'Whether a model may be asked for other words. Takes effect at the next search.',
  dense: 'Whether embeddings are used. On begins to load the model, off frees it.',
}

const SCHEMA = z.object(Object.fromEntries(
  Object.entries(DESCRIPTIONS).map(([key, description]) => [key, z.any().description(description)]),
)) as unknown as z<Settings>

/**
 * @param ctx - plugin context; the namespace goes with it.
 * @param composed - the profile's configuration, which an unset setting goes back to.
 */
export function createLiveConfig(ctx: Context, composed: ResolvedConfig): LiveConfig {
  const base = settingsOf(composed)
  const listeners: (() => void)[] = []
  let source = (): Settings => base
  let settings = base
  let config = composed

  function refresh(): void {
    const latest = source()
    if (latest === settings) return
    settings = latest
    try {
      config = withSettings(composed, checkSettings(latest))
    } catch (error: unknown) {
      // A file can hold what a write would have been refused for. Agents go on with what was right.
      ctx.logger.error(`${error instanceof Error ? error.message : String(error)} Until then all settings stay as they were.`)
    }
  }

  function notify(): void {
    if (isUnloading(ctx)) return
    refresh()
    for (const listener of listeners) listener()
  }

  ctx.inject(['settings'], (scoped) => {
    let isRegistering = true
    const scope = scoped.settings.register(SETTINGS_NAMESPACE as SettingsNamespace, SCHEMA, {
      base,
      validate(value) {
        // Refusing here would leave the namespace out, so that nobody could mend the stored section while this runs.
        if (!isRegistering) checkSettings(value)
      },
    })
    isRegistering = false
    source = () => scope.get()
    scoped.effect(() => () => {
      source = () => base
      notify()
    }, 'dsh-tool-retriever.settings')
    notify()
    scope.watch(notify)
  })

  return {
    current() {
      refresh()
      return config
    },
    onChange(listener) { listeners.push(listener) },
  }
}

/**
 * Something made of a part of the configuration, made again when that part has changed.
 * @param partsOf - what it depends on, compared by identity.
 */
export function derived<T>(
  live: LiveConfig, partsOf: (config: ResolvedConfig) => readonly unknown[], make: (config: ResolvedConfig) => T,
): () => T {
  let last: { config: ResolvedConfig; readonly parts: readonly unknown[]; readonly value: T } | undefined
  return () => {
    const config = live.current()
    if (last?.config === config) return last.value
    const parts = partsOf(config)
    if (last !== undefined && parts.every((part, index) => part === last!.parts[index])) last.config = config
    else last = { config, parts, value: make(config) }
    return last.value
  }
}
