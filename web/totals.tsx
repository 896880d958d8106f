/**
 * What the tools of one agent cost, and what was saved.
 * @module
 */

import { useId } from 'react'
import type { ReactNode } from 'react'
import type { OverviewTotals } from '../src/web/protocol.ts'
import type { Language } from './texts.ts'

interface TotalsProps {
  readonly totals: OverviewTotals
  readonly language: Language
}

export function TotalsList({ totals, language: { t, number } }: TotalsProps): ReactNode {
  const id = useId()
  const { tools, byState, shownTokens, deferredTokens, requests, savedTokens } = totals
  const count = (n: number): string => t.toolCount(number(n), n === 1)
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{t.overview}</h3>
      <dl className="totals">
        <Total label={t.totalTools} value={number(tools)} detail={byState.never === 0 ? '' : t.neverCount(number(byState.never))} />
        <Total label={t.totalShown} value={number(shownTokens)} unit={t.tokenUnit} detail={count(byState.always + byState.loaded)} />
        <Total label={t.totalDeferred} value={number(deferredTokens)} unit={t.tokenUnit} detail={count(byState.deferred)} />
        <Total
          label={t.totalSaved} value={number(savedTokens)} unit={t.tokenUnit} detail={t.requestCount(number(requests), requests === 1)}
        />
      </dl>
      <p className="hint">{t.tokensHint}</p>
    </section>
  )
}

interface TotalProps {
  readonly label: string
  readonly value: string
  readonly unit?: string
  readonly detail: string
}

function Total({ label, value, unit, detail }: TotalProps): ReactNode {
  return (
    <div>
      <dt>{label}</dt>
      <dd><strong>{value}</strong> {unit !== undefined && <span className="hint">{unit} </span>}<span className="hint detail">{detail}</span></dd>
    </div>
  )
}
