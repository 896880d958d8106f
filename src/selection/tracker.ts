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
  policy: SelectionPolicy
  selection: Selection
  /** Sequence number of the first event that is not folded yet. */
  next: number
}

/**
 * Folds each session's log once and then follows it event by event. Whatever was appended while nobody listened (a plugin loaded into a
 * running session) is caught up on the next question.
 *
 * When the policy changes, the log is folded again from its beginning: a live agent then has what a resumed one would have.
 * @param ctx - plugin context; the listener goes with it.
 * @param policyNow - the same object until the policy changes.
 */
export function createSelectionTracker(ctx: Context, policyNow: () => SelectionPolicy): SelectionTracker {
  const folds = new WeakMap<Session, Fold>()
  ctx.on('session/event', (session, event) => {
    const fold = folds.get(session)
    if (fold === undefined || event.seq !== fold.next) return
    fold.selection = reduceSelection(fold.selection, event, fold.policy)
    fold.next = event.seq + 1
  })
  return {
    of(session) {
      const policy = policyNow()
      let fold = folds.get(session)
      if (fold?.policy !== policy) folds.set(session, fold = { policy, selection: EMPTY_SELECTION, next: 0 })
      if (fold.next < session.seq) {
        fold.selection = foldSelection(session.events.slice(fold.next), fold.selection, policy)
        fold.next = session.seq
      }
      return fold.selection
    },
  }
}
