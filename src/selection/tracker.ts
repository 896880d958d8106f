/**
 * Keeps every session's selection up to date as its log grows.
 * @module
 */

import type { Context } from '@deepseek-ai/cordis'
import type { Session } from '@deepseek-ai/dsh-session'
import type { SelectionPolicy } from './free-moment.ts'
import { EMPTY_SELECTION, foldSelection, reduceSelection } from './reducer.ts'
import type { Selection } from './reducer.ts'

/** Gives the selection of a session at this moment. */
export interface SelectionTracker {
  of(session: Session): Selection
}

interface Fold {
  selection: Selection
  /** Sequence number of the first event that is not folded yet. */
  next: number
}

/**
 * Folds each session's log once and then follows it event by event. Whatever was appended while nobody listened (a plugin loaded into a
 * running session) is caught up on the next question.
 * @param ctx - plugin context; the listener goes with it.
 */
export function createSelectionTracker(ctx: Context, policy: SelectionPolicy): SelectionTracker {
  const folds = new WeakMap<Session, Fold>()
  ctx.on('session/event', (session, event) => {
    const fold = folds.get(session)
    if (fold === undefined || event.seq !== fold.next) return
    fold.selection = reduceSelection(fold.selection, event, policy)
    fold.next = event.seq + 1
  })
  return {
    of(session) {
      let fold = folds.get(session)
      if (fold === undefined) folds.set(session, fold = { selection: EMPTY_SELECTION, next: 0 })
      if (fold.next < session.seq) {
        fold.selection = foldSelection(session.events.slice(fold.next), fold.selection, policy)
        fold.next = session.seq
      }
      return fold.selection
    },
  }
}
