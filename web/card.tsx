/**
 * The card: a header that opens it, then what is so now, a search to try, every tool, and the settings.
 * @module
 */

import { useId, useState } from 'react'
import type { ReactNode } from 'react'
import type { AgentEntry } from '../src/web/protocol.ts'
import type { Observable } from './host.ts'
import type { PluginCalls } from './plugin-calls.ts'
import { SearchPreview } from './search-preview.tsx'
import type { SettingsAccess } from './settings-access.ts'
import { SettingsForm } from './settings-form.tsx'
import { useLanguage } from './texts.ts'
import type { Language } from './texts.ts'
import { ToolTable } from './tool-table.tsx'
import { TotalsList } from './totals.tsx'
import { useOverview } from './use-overview.ts'

interface CardProps {
  readonly calls: PluginCalls
  readonly settings: SettingsAccess
  readonly locale: Observable<{ readonly active: string }> | undefined
}

export function Card({ calls, settings, locale }: CardProps): ReactNode {
  const language = useLanguage(locale)
  const view = settings.use()
  const [isOpen, setOpen] = useState(false)
  const [isDirty, setDirty] = useState(false)
  const [wanted, setWanted] = useState<string>()
  /** Counts what was written: the host is asked at once what it changed. */
  const [writes, setWrites] = useState(0)
  const { agents, agent, overview, error, isLoaded } = useOverview(calls, wanted, { isWatched: isOpen, version: writes })
  const bodyId = useId()
  const { t } = language
  if (view === undefined) return null
  const countWrite = (): void => { setWrites(last => last + 1) }
  return (
    <li className="tool-retriever" data-open={isOpen}>
      <button
        type="button" className="header" aria-expanded={isOpen} aria-controls={bodyId}
        aria-label={`${isOpen ? t.collapse : t.expand}: ${t.title}`} onClick={() => { setOpen(!isOpen) }}
      >
        <span className="heading">
          <span className="title">{t.title}</span>
          <span className="hint">{t.description}</span>
        </span>
        {isDirty && <span className="badge">{t.unsaved}</span>}
        <svg className="chevron" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true"><path d={CHEVRON} /></svg>
      </button>
      {/* Stays mounted, so that what was typed survives a closed card. */}
      <div id={bodyId} className="body" hidden={!isOpen}>
        {error !== undefined && <p className="error" role="alert">{t.failed(error)}</p>}
        {overview === undefined && error === undefined && <p className="hint" role="status">{isLoaded ? t.noAgent : t.loading}</p>}
        {agents.length > 1 && <AgentChoice agents={agents} agent={agent} language={language} onChoose={setWanted} />}
        {overview !== undefined && <TotalsList totals={overview.totals} language={language} />}
        {agent !== undefined && <SearchPreview key={agent} calls={calls} agent={agent} language={language} />}
        <SettingsForm settings={settings} view={view} language={language} onDirty={setDirty} onSaved={countWrite} />
        {overview !== undefined && (
          <ToolTable tools={overview.tools} settings={settings} view={view} language={language} onDecided={countWrite} />
        )}
      </div>
    </li>
  )
}

const CHEVRON = 'M3 5l4 4 4-4'

interface AgentChoiceProps {
  readonly agents: readonly AgentEntry[]
  readonly agent: string | undefined
  readonly language: Language
  readonly onChoose: (id: string) => void
}

function AgentChoice({ agents, agent, language: { t }, onChoose }: AgentChoiceProps): ReactNode {
  const id = useId()
  return (
    <div className="row">
      <label htmlFor={id}>{t.agent}</label>
      <select id={id} className="input grow" value={agent} onChange={(event) => { onChoose(event.currentTarget.value) }}>
        {agents.map(({ id: agentId, title, cwd, isSubagent }) => (
          <option key={agentId} value={agentId}>
            {[title === '' ? t.newSession : title, cwd.split('/').at(-1), isSubagent && t.subagent].filter(Boolean).join(' · ')}
          </option>
        ))}
      </select>
    </div>
  )
}
