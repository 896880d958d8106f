/**
 * Looks into a live agent: its tools, and what it would get for a query. Changes nothing of it.
 * @module
 */

import type { Agent } from '@deepseek-ai/dsh-agent'
import type { CatalogStore } from '../catalog/store.ts'
import type { DisclosureConfig } from '../config.ts'
import type { Surface } from '../surface/surface.ts'
import type { SearchAnswers } from '../tools/search-answers.ts'
import { overviewOf } from './overview.ts'
import type { Overview } from './overview.ts'
import { previewOf } from './preview.ts'
import type { Preview } from './preview.ts'
import { createRequestTallies } from './request-tally.ts'

export interface Inspector {
  overview(agent: Agent): Overview
  /**
   * Runs the very search that the agent's `tool_search` would run now, a rewrite by the agent's model included, and loads nothing.
   * @throws Error for a query that `tool_search` would refuse, and what the signal was aborted with.
   */
  preview(agent: Agent, query: string, signal: AbortSignal): Promise<Preview>
}

interface InspectorOptions {
  readonly surface: Surface
  readonly catalogs: CatalogStore
  readonly answers: SearchAnswers
  /** Read at each question. */
  readonly disclosure: () => DisclosureConfig
}

export function createInspector({ surface, catalogs, answers, disclosure }: InspectorOptions): Inspector {
  const tallyOf = createRequestTallies()
  return {
    overview(agent) {
      const now = surface.of(agent)
      return overviewOf({
        surface: now,
        catalog: catalogs.snapshot(now.registry.schemas),
        disclosure: disclosure(),
        tally: tallyOf(agent.session),
      })
    },
    async preview(agent, query, signal) {
      return previewOf(await answers.explain(agent, query, signal))
    },
  }
}
