/**
 * Every tool of one agent, to filter, to sort, and to decide about.
 * @module
 */

import { useId, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import type { OverviewTool, ToolState } from '../src/web/protocol.ts'
import type { SettingsAccess, SettingsView } from './settings-access.ts'
import { reasonFor } from './texts.ts'
import type { Language } from './texts.ts'
import { ToolName } from './tool-name.tsx'
import { POLICIES, policyIn, withPolicy } from './tool-policy.ts'
import type { ToolPolicy } from './tool-policy.ts'

/** Rows that are drawn at first and added at a time: a thousand at once take longer than a key press may. */
const PAGE = 25

const STATES: readonly ToolState[] = ['always', 'deferred', 'loaded', 'never']

type Column = 'name' | 'family' | 'tokens' | 'state'

const COLUMNS: readonly Column[] = ['name', 'family', 'tokens', 'state']

interface Order {
  readonly column: Column
  readonly isDescending: boolean
}

interface ToolTableProps {
  readonly tools: readonly OverviewTool[]
  readonly settings: SettingsAccess
  readonly view: SettingsView
  readonly language: Language
  readonly onDecided: () => void
}

export function ToolTable({ tools, settings, view, language, onDecided }: ToolTableProps): ReactNode {
  const id = useId()
  const [text, setText] = useState('')
  const [state, setState] = useState<ToolState | ''>('')
  const [order, setOrder] = useState<Order>({ column: 'name', isDescending: false })
  const [limit, setLimit] = useState(PAGE)
  const [message, setMessage] = useState<{ readonly text: string; readonly isError: boolean }>()
  const { t, number } = language
  const found = useMemo(() => sorted(filtered(tools, text, state), order), [tools, text, state, order])

  async function decide(name: string, policy: ToolPolicy): Promise<void> {
    try {
      await settings.write(withPolicy(view.value, name, policy))
      setMessage({ text: t.policySaved(name, t.policies[policy]), isError: false })
    } catch (error) {
      setMessage({ text: error instanceof Error ? error.message : String(error), isError: true })
    }
    onDecided()
  }

  return (
    <section aria-labelledby={`${id}-heading`}>
      <h3 id={`${id}-heading`}>{t.tools}</h3>
      <div className="row wrap">
        <input
          className="input grow" type="search" aria-label={t.filter} placeholder={t.filter} value={text} onChange={(event) => {
            setText(event.currentTarget.value)
            setLimit(PAGE)
          }}
        />
        <select
          className="input" aria-label={t.stateFilter} value={state} onChange={(event) => {
            setState(event.currentTarget.value as ToolState | '')
            setLimit(PAGE)
          }}
        >
          <option value="">{t.anyState}</option>
          {STATES.map(one => <option key={one} value={one}>{t.states[one]}</option>)}
        </select>
        <span className="hint" role="status">{t.shownCount(number(found.length), number(tools.length))}</span>
      </div>
      <p className={message?.isError === true ? 'error' : 'status'} role={message?.isError === true ? 'alert' : 'status'}>{message?.text}</p>
      {found.length === 0 ? <p className="hint">{t.noMatch}</p> : (
        // The roles are said because a very narrow panel lays the rows out as blocks, which takes the meaning of a table away.
        <table role="table" aria-labelledby={`${id}-heading`}>
          <thead role="rowgroup">
            <tr role="row">
              {COLUMNS.map(column => (
                <th
                  key={column} role="columnheader" scope="col" className={`column-${column}`}
                  aria-sort={order.column !== column ? 'none' : order.isDescending ? 'descending' : 'ascending'}
                >
                  <button type="button" onClick={() => { setOrder(next(order, column)) }}>
                    {t.columns[column]}<span aria-hidden="true">{order.column !== column ? '' : order.isDescending ? ' ↓' : ' ↑'}</span>
                  </button>
                </th>
              ))}
              <th role="columnheader" scope="col">{t.columns.policy}</th>
            </tr>
          </thead>
          <tbody role="rowgroup">
            {found.slice(0, limit).map(tool => (
              <ToolRow
                key={tool.name} tool={tool} policy={policyIn(view.value, tool.name)} isWritable={view.writable} language={language}
                onDecide={(policy) => { void decide(tool.name, policy) }}
              />
            ))}
          </tbody>
        </table>
      )}
      {found.length > limit && (
        <button type="button" className="button" onClick={() => { setLimit(limit + PAGE) }}>
          {t.more(number(Math.min(PAGE, found.length - limit)))}
        </button>
      )}
    </section>
  )
}

interface ToolRowProps {
  readonly tool: OverviewTool
  readonly policy: ToolPolicy
  readonly isWritable: boolean
  readonly language: Language
  readonly onDecide: (policy: ToolPolicy) => void
}

function ToolRow({ tool, policy, isWritable, language, onDecide }: ToolRowProps): ReactNode {
  const { t, number } = language
  const { name, description, family, tokens, state } = tool
  return (
    <tr role="row" data-tool={name}>
      <th role="rowheader" scope="row" className="column-name" title={description}>
        <code><ToolName name={name} /></code>
        {/* Stands in for the columns that a narrow panel leaves out. */}
        <span className="hint narrow">{[family, t.tokens(number(tokens))].filter(Boolean).join(' · ')}</span>
      </th>
      <td role="cell" className="column-family">{family}</td>
      <td role="cell" className="column-tokens">{number(tokens)}</td>
      <td role="cell" className="column-state">
        <span className="dot" data-state={state} aria-hidden="true" />{t.states[state]}
        <span className="hint">{reasonFor(language, tool)}</span>
      </td>
      <td role="cell">
        <select
          className="input" aria-label={t.policyOf(name)} value={policy} disabled={!isWritable}
          onChange={(event) => { onDecide(event.currentTarget.value as ToolPolicy) }}
        >
          {POLICIES.map(one => <option key={one} value={one}>{t.policies[one]}</option>)}
        </select>
      </td>
    </tr>
  )
}

function filtered(tools: readonly OverviewTool[], text: string, state: ToolState | ''): readonly OverviewTool[] {
  const words = text.toLowerCase().split(/\s+/).filter(word => word !== '')
  return tools.filter((tool) => {
    if (state !== '' && tool.state !== state) return false
    const haystack = `${tool.name} ${tool.family ?? ''} ${tool.description}`.toLowerCase()
    return words.every(word => haystack.includes(word))
  })
}

function sorted(tools: readonly OverviewTool[], { column, isDescending }: Order): readonly OverviewTool[] {
  const direction = isDescending ? -1 : 1
  const compare = (a: OverviewTool, b: OverviewTool): number => {
    if (column === 'tokens') return a.tokens - b.tokens
    if (column === 'state') return STATES.indexOf(a.state) - STATES.indexOf(b.state)
    const [left, right] = [a[column] ?? '', b[column] ?? '']
    return left < right ? -1 : left > right ? 1 : 0
  }
  return [...tools].sort((a, b) => direction * compare(a, b))
}

/** Tokens are asked for to see the largest. */
function next({ column: last, isDescending }: Order, column: Column): Order {
  return { column, isDescending: last === column ? !isDescending : column === 'tokens' }
}
