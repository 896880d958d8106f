/**
 * Follows the host's overview of one agent.
 * @module
 */

import { useEffect, useState } from 'react'
import type { AgentEntry, Overview } from '../src/web/protocol.ts'
import type { PluginCalls } from './plugin-calls.ts'

/** DSH forwards none of a plugin's events to the page, so the page asks; an unchanged overview costs a hash. */
const INTERVAL_MS = 1_500

export interface OverviewState {
  readonly agents: readonly AgentEntry[]
  /** Whose overview it is. */
  readonly agent?: string | undefined
  readonly overview?: Overview | undefined
  readonly error?: string | undefined
  /** Whether the host has answered at all. */
  readonly isLoaded: boolean
}

interface Watching {
  /** Whether anybody looks. */
  readonly isWatched: boolean
  /** A new number asks at once. */
  readonly version: number
}

/** @param wanted - id of an agent; the one that was active last when undefined. */
export function useOverview(calls: PluginCalls, wanted: string | undefined, { isWatched, version }: Watching): OverviewState {
  const [state, setState] = useState<OverviewState & { readonly revision?: string }>({ agents: [], isLoaded: false })
  useEffect(() => {
    if (!isWatched) return undefined
    const ended = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let known: { agent?: string | undefined; revision?: string } = {}

    async function ask(): Promise<void> {
      try {
        const { agents, agent, revision, overview } = await calls.overview(
          { ...wanted !== undefined && { agent: wanted }, ...known.revision !== undefined && { revision: known.revision } },
          ended.signal,
        )
        if (ended.signal.aborted) return
        const isSame = agent === known.agent && revision === known.revision
        known = { agent, revision }
        setState(last => isSame && last.error === undefined && sameAgents(last.agents, agents)
          ? last
          : { agents, agent, overview: overview ?? (agent === undefined ? undefined : last.overview), isLoaded: true })
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        if (!ended.signal.aborted) setState(last => ({ ...last, isLoaded: true, error: reason }))
      }
    }

    /** Asks while somebody can see it. */
    function run(): void {
      clearTimeout(timer)
      if (document.visibilityState === 'hidden') return
      void ask().then(() => { if (!ended.signal.aborted) timer = setTimeout(run, INTERVAL_MS) })
    }

    run()
    document.addEventListener('visibilitychange', run)
    return () => {
      ended.abort()
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', run)
    }
  }, [calls, wanted, isWatched, version])
  return state
}

function sameAgents(a: readonly AgentEntry[], b: readonly AgentEntry[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
