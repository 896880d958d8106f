/**
 * A query to try: its ranking, and why each tool stands where it stands.
 * @module
 */

import { useEffect, useId, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import type { MatchedTerm, Preview, PreviewResult } from '../src/web/protocol.ts'
import type { PluginCalls } from './plugin-calls.ts'
import { ToolName } from './tool-name.tsx'
import { channelName, fieldNames } from './texts.ts'
import type { Language } from './texts.ts'

interface SearchPreviewProps {
  readonly calls: PluginCalls
  readonly agent: string
  readonly language: Language
}

type Search =
  | { readonly state: 'idle' | 'running' }
  | { readonly state: 'done'; readonly preview: Preview }
  | { readonly state: 'failed'; readonly reason: string }

export function SearchPreview({ calls, agent, language }: SearchPreviewProps): ReactNode {
  const id = useId()
  const [query, setQuery] = useState('')
  const [search, setSearch] = useState<Search>({ state: 'idle' })
  const running = useRef<AbortController>(undefined)
  const { t } = language

  useEffect(() => () => { running.current?.abort() }, [])

  async function run(): Promise<void> {
    running.current?.abort()
    const current = running.current = new AbortController()
    setSearch({ state: 'running' })
    const next = await calls.preview({ agent, query }, current.signal).then(
      (preview): Search => ({ state: 'done', preview }),
      (error: unknown): Search => ({ state: 'failed', reason: error instanceof Error ? error.message : String(error) }),
    )
    if (!current.signal.aborted) setSearch(next)
  }

  return (
    <section aria-labelledby={`${id}-heading`}>
      <h3 id={`${id}-heading`}>{t.preview}</h3>
      <p className="hint" id={`${id}-hint`}>{t.previewHint}</p>
      <form
        className="row" role="search" onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        <input
          className="input grow" type="search" aria-label={t.query} aria-describedby={`${id}-hint`} placeholder={t.queryExample}
          value={query} onChange={(event) => { setQuery(event.currentTarget.value) }}
        />
        <button className="button primary" type="submit" disabled={query.trim() === ''}>{t.search}</button>
      </form>
      <p className="status" role="status">
        {search.state === 'running' && t.searching}
        {search.state === 'done' && <Verdict preview={search.preview} language={language} />}
      </p>
      {search.state === 'failed' && <p className="error" role="alert">{search.reason}</p>}
      {search.state === 'done' && <Answer preview={search.preview} language={language} />}
    </section>
  )
}

interface AnswerProps {
  readonly preview: Preview
  readonly language: Language
}

function Verdict({ preview: { match, confidence, results }, language: { t, number, percent } }: AnswerProps): ReactNode {
  return (
    <>
      {t.match[match]}
      {results.length > 0 && ` ${t.resultCount(number(results.length), results.length === 1)}`}
      {(match === 'ranked' || match === 'weak') && ` · ${t.confidence(percent(confidence))}`}
    </>
  )
}

function Answer({ preview: { results, rewrite, unanswered, answer }, language }: AnswerProps): ReactNode {
  const { t } = language
  return (
    <>
      {results.length > 0 && <ol className="results">{results.map(result => <Result key={result.rank} result={result} language={language} />)}</ol>}
      {rewrite.status === 'applied' && <p className="hint">{t.rewrites.applied} {rewrite.query.split('\n').join(' · ')}</p>}
      {rewrite.status === 'failed' && <p className="hint">{t.rewrites.failed}</p>}
      {unanswered.map(({ channel, reason }) => <p key={channel} className="hint">{t.unanswered(channelName(language, channel), reason)}</p>)}
      {/* The answer has what is nearest when nothing was found. */}
      <details open={results.length === 0}>
        <summary>{t.answer}</summary>
        <pre tabIndex={0}>{answer}</pre>
      </details>
    </>
  )
}

function Result({ result, language }: { readonly result: PreviewResult; readonly language: Language }): ReactNode {
  const { t, number, percent } = language
  const { name, description, status, shares, matchedFields, terms } = result
  return (
    <li>
      <div className="row wrap">
        <code><ToolName name={name} /></code>
        <span className="badge" data-status={status}>{t.status[status]}</span>
      </div>
      {description !== '' && <p className="hint clamp">{description}</p>}
      {shares.length > 0 && (
        <>
          <div className="bar" aria-hidden="true">
            {shares.map(({ channel, share }) => <span key={channel} data-channel={channel} style={{ flexGrow: share }} />)}
          </div>
          <ul className="shares">
            {shares.map(({ channel, share, rank }) => (
              <li key={channel}>
                <span className="dot" data-channel={channel} aria-hidden="true" />
                {channelName(language, channel)} <strong>{percent(share)}</strong>
                {rank !== undefined && <span className="hint"> {t.place(number(rank))}</span>}
              </li>
            ))}
          </ul>
        </>
      )}
      {shares.length === 0 && status !== 'unavailable' && status !== 'listed' && <p className="hint">{t.noReason}</p>}
      {matchedFields.length > 0 && <p className="hint">{t.matchedIn}: {fieldNames(language, matchedFields)}</p>}
      {terms.length > 0 && (
        <p className="hint">{t.matchedBy}: {distinctTerms(terms).map(({ term, via, fields }) => (
          <span key={`${term}\n${via}`} className="term" title={fieldNames(language, fields)}>{via === undefined || via === term ? term : `${term} → ${via}`}</span>
        ))}</p>
      )}
    </li>
  )
}

/** Terms that a person has to see: more only repeat the query. */
const MOST_TERMS = 12

/** A word that several channels matched is said once. */
function distinctTerms(terms: readonly MatchedTerm[]): readonly MatchedTerm[] {
  return [...new Map(terms.map(term => [`${term.term}\n${term.via ?? term.term}`, term])).values()].slice(0, MOST_TERMS)
}
