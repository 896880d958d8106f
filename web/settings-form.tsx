/**
 * The settings: typed here, written together.
 * @module
 */

import { useEffect, useId, useState } from 'react'
import type { ReactNode } from 'react'
import type { Settings } from '../src/web/protocol.ts'
import type { SettingsAccess, SettingsChange, SettingsView } from './settings-access.ts'
import type { Language, Texts } from './texts.ts'

type Key = keyof Settings

/** What was typed and not saved, by key; null takes the user's value away. */
type Draft = { readonly [K in Key]?: string | boolean | null }

type NumberKey = 'topK' | 'preselect'
type ListKey = 'alwaysVisible' | 'neverSearch'
type SwitchKey = 'rewrite' | 'dense'

interface SettingsFormProps {
  readonly settings: SettingsAccess
  readonly view: SettingsView
  readonly language: Language
  readonly onDirty: (isDirty: boolean) => void
  readonly onSaved: () => void
}

export function SettingsForm({ settings, view, language: { t }, onDirty, onSaved }: SettingsFormProps): ReactNode {
  const id = useId()
  const [draft, setDraft] = useState<Draft>({})
  const [outcome, setOutcome] = useState<{ readonly state: 'saving' | 'saved' } | { readonly state: 'failed'; readonly reason: string }>()
  const change = changeOf(draft, view.value)
  const isDirty = Object.keys(change).length > 0
  useEffect(() => { onDirty(isDirty) }, [isDirty, onDirty])

  function edit(key: Key, value: string | boolean | null): void {
    setDraft(last => ({ ...last, [key]: value }))
    setOutcome(undefined)
  }

  async function save(): Promise<void> {
    setOutcome({ state: 'saving' })
    try {
      await settings.write(change)
      setDraft({})
      setOutcome({ state: 'saved' })
      onSaved()
    } catch (error) {
      setOutcome({ state: 'failed', reason: error instanceof Error ? error.message : String(error) })
    }
  }

  const common = (key: Key): Omit<FieldProps, 'children'> => ({
    id: `${id}-${key}`,
    label: t[key],
    isOverridden: draft[key] === null ? false : draft[key] !== undefined || Object.hasOwn(view.user, key),
    isDisabled: !view.writable,
    onReset: Object.hasOwn(view.user, key) ? () => { edit(key, null) } : undefined,
    t,
  })
  const number = (key: NumberKey, hint: string, maximum: number): ReactNode => (
    <Field {...common(key)} hint={hint}>
      <input
        id={`${id}-${key}`} className="input short" type="number" min={key === 'topK' ? 1 : 0} max={maximum} step={1} disabled={!view.writable}
        aria-describedby={`${id}-${key}-hint`} value={textIn(draft, view.value, key)} onChange={(event) => { edit(key, event.currentTarget.value) }}
      />
    </Field>
  )
  const list = (key: ListKey): ReactNode => (
    <Field {...common(key)} hint={t.listHint}>
      <textarea
        id={`${id}-${key}`} className="input" rows={3} spellCheck={false} disabled={!view.writable} aria-describedby={`${id}-${key}-hint`}
        value={textIn(draft, view.value, key)} onChange={(event) => { edit(key, event.currentTarget.value) }}
      />
    </Field>
  )
  const toggle = (key: SwitchKey): ReactNode => (
    <Field {...common(key)}>
      <input
        id={`${id}-${key}`} type="checkbox" disabled={!view.writable}
        checked={typeof draft[key] === 'boolean' ? draft[key] : view.value[key]} onChange={(event) => { edit(key, event.currentTarget.checked) }}
      />
    </Field>
  )

  return (
    <section aria-labelledby={`${id}-heading`}>
      <h3 id={`${id}-heading`}>{t.settings}</h3>
      {!view.writable && <p className="hint" role="status">{t.readOnly}</p>}
      <form
        className="fields" onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        {number('topK', t.topKHint, 50)}
        <Field {...common('mode')}>
          <select
            id={`${id}-mode`} className="input" disabled={!view.writable} value={textIn(draft, view.value, 'mode')}
            onChange={(event) => { edit('mode', event.currentTarget.value) }}
          >
            {(['inject', 'dispatch', 'auto', 'off'] as const).map(mode => <option key={mode} value={mode}>{t.modes[mode]}</option>)}
          </select>
        </Field>
        {list('alwaysVisible')}
        {list('neverSearch')}
        {number('preselect', t.preselectHint, 20)}
        {toggle('rewrite')}
        {toggle('dense')}
        <div className="row footer">
          {outcome?.state === 'failed' && <p className="error grow" role="alert">{outcome.reason}</p>}
          <p className="status grow" role="status">{outcome?.state === 'saved' && t.saved}</p>
          <button
            type="button" className="button" disabled={!isDirty || outcome?.state === 'saving'} onClick={() => {
              setDraft({})
              setOutcome(undefined)
            }}
          >{t.discard}</button>
          <button type="submit" className="button primary" disabled={!isDirty || outcome?.state === 'saving'}>
            {outcome?.state === 'saving' ? t.saving : t.save}
          </button>
        </div>
      </form>
    </section>
  )
}

interface FieldProps {
  readonly id: string
  readonly label: string
  readonly hint?: string
  readonly isOverridden: boolean
  readonly isDisabled: boolean
  /** Undefined when there is nothing to take away. */
  readonly onReset: (() => void) | undefined
  readonly t: Texts
  readonly children: ReactNode
}

function Field({ id, label, hint, isOverridden, isDisabled, onReset, t, children }: FieldProps): ReactNode {
  return (
    <div className="field">
      <div className="row">
        <label htmlFor={id} className="grow">{label}</label>
        {isOverridden && <span className="badge">{t.overridden}</span>}
        {isOverridden && onReset !== undefined && (
          <button type="button" className="link" disabled={isDisabled} aria-label={`${t.reset}: ${label}`} onClick={onReset}>{t.reset}</button>
        )}
      </div>
      {children}
      {hint !== undefined && <p className="hint" id={`${id}-hint`}>{hint}</p>}
    </div>
  )
}

function textIn(draft: Draft, value: Settings, key: Exclude<Key, SwitchKey>): string {
  const typed = draft[key]
  return typeof typed === 'string' ? typed : textOf(value[key])
}

function textOf(value: string | number | readonly string[]): string {
  return typeof value === 'object' ? value.join('\n') : `${value}`
}

/** What saving would write. Whether a value is allowed is for the host to say, in words. */
function changeOf(draft: Draft, value: Settings): SettingsChange {
  return Object.fromEntries((Object.entries(draft) as [Key, string | boolean | null][]).flatMap(([key, typed]) => {
    if (typed === null) return [[key, undefined]]
    const wanted = typeof typed === 'boolean' ? typed : parsed(key, typed)
    return JSON.stringify(wanted) === JSON.stringify(value[key]) ? [] : [[key, wanted]]
  }))
}

function parsed(key: Key, text: string): unknown {
  switch (key) {
    case 'topK':
    case 'preselect':
      return text.trim() === '' ? text : Number(text)
    case 'alwaysVisible':
    case 'neverSearch':
      return text.split('\n').map(line => line.trim()).filter(line => line !== '')
    default:
      return text
  }
}
