/**
 * What the browser half asks and gets. Types alone, shared by both halves.
 * @module
 */

import type { Overview } from '../overview/overview.ts'
import type { SETTINGS_NAMESPACE } from '../settings.ts'

/** The section of the settings that the card edits; repeated, because the module that owns it brings the checks of the configuration. */
export const SETTINGS_SECTION: typeof SETTINGS_NAMESPACE = 'tool-retriever'

/** The channel on DSH's connection; its calls are local to the machine, as those of the settings are. */
export const CHANNEL = '/tool-retriever'

/** A live agent to choose from. */
export interface AgentEntry {
  readonly id: string
  /** The session's title; `''` before it has one. */
  readonly title: string
  /** Its working directory; `''` when it has none. */
  readonly cwd: string
  readonly isSubagent: boolean
}

export interface OverviewRequest {
  /** Id of an agent; the one that was active last when left out or gone. */
  readonly agent?: string
  /** Of the answer that the asker has: an equal one is not sent again. */
  readonly revision?: string
}

export interface OverviewReply {
  /** The one that was active last comes first; empty when there is none. */
  readonly agents: readonly AgentEntry[]
  /** Whose overview this is; left out when there is no agent. */
  readonly agent?: string
  readonly revision: string
  /** Left out when there is no agent, and when `revision` is the asker's. */
  readonly overview?: Overview
}

export interface PreviewRequest {
  readonly agent: string
  readonly query: string
}

export type { Overview, OverviewTool, OverviewTotals, ToolRule, ToolState } from '../overview/overview.ts'
export type { ChannelShare, MatchedTerm, Preview, PreviewResult } from '../overview/preview.ts'
export type { Settings } from '../settings.ts'
