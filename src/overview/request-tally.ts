/**
 * What the requests of a session carried as tool schemas, counted from its log.
 * @module
 */

import type { Session, SessionEvent } from '@deepseek-ai/dsh-session'
import { estimateTokens } from '../surface/economics.ts'

/** Sums over the requests that a model has answered. */
export interface RequestTally {
  readonly requests: number
  /** Tokens of the tool schemas in all of them together, estimated. */
  readonly sentTokens: number
  /** Tokens of the tool schemas in the latest one. */
  readonly latestTokens: number
}

export const EMPTY_TALLY: RequestTally = { requests: 0, sentTokens: 0, latestTokens: 0 }

/** Counts one event. DSH logs a header when it changes, and every answer to it. */
export function tallyRequest(tally: RequestTally, event: SessionEvent): RequestTally {
  switch (event.type) {
    case 'request/header': {
      const latestTokens = (event.data.header.tools ?? []).reduce((sum, tool) => sum + estimateTokens(JSON.stringify(tool).length), 0)
      return { ...tally, latestTokens }
    }
    case 'assistant/message':
      return { ...tally, requests: tally.requests + 1, sentTokens: tally.sentTokens + tally.latestTokens }
    default:
      return tally
  }
}

/** Counts each session's log once, and what was appended since at the next question. */
export function createRequestTallies(): (session: Session) => RequestTally {
  const tallies = new WeakMap<Session, { tally: RequestTally; next: number }>()
  return (session) => {
    // A fork begins with the requests of its parent, which it did not make.
    const start = session.header.seedLength ?? 0
    let entry = tallies.get(session)
    if (entry === undefined) {
      const { latestTokens } = session.events.slice(0, start).reduce(tallyRequest, EMPTY_TALLY)
      tallies.set(session, entry = { tally: { ...EMPTY_TALLY, latestTokens }, next: start })
    }
    if (entry.next < session.seq) {
      entry.tally = session.events.slice(entry.next).reduce(tallyRequest, entry.tally)
      entry.next = session.seq
    }
    return entry.tally
  }
}
