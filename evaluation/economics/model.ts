/**
 * The scripted model of a replayed session. It knows what the user wants, and of tools only what requests and results show.
 * @module
 */

import type { StreamChunk } from '@deepseek-ai/dsh-llm'
import { call, lastText, text } from '../../test/support/harness.ts'
import type { ModelRequest } from '../../test/support/harness.ts'
import { listedTools } from '../../src/tools/rendering.ts'
import { DISPATCH_TOOL, SEARCH_TOOL } from '../../src/tools/contract.ts'
import { proseOf } from './prose.ts'

const ANSWER_TOKENS = 150

/** One call that a turn needs. */
export interface Step {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  /** Searches to try in order when the tool is not at hand; none for a tool that always is. */
  readonly queries: readonly string[]
}

/** What a session's searches came to. */
export interface SearchStatistics {
  searches: number
  /** Tools that took more than one search. */
  repeated: number
  /** Tools that no search by words brought, so that the model had to be told the name. */
  missed: number
}

export interface ScriptedModel {
  /** What the next turn needs, in order. */
  begin(steps: readonly Step[]): void
  answer(request: ModelRequest): StreamChunk[]
  readonly statistics: SearchStatistics
  /** A copy that has seen the same. */
  fork(): ScriptedModel
}

/** @param seen - tools that a result of the session said can be dispatched. */
export function createModel(seen: ReadonlySet<string> = new Set()): ScriptedModel {
  const ready = new Set(seen)
  const statistics: SearchStatistics = { searches: 0, repeated: 0, missed: 0 }
  let left: readonly Step[] = []
  let answers = 0
  /** Searches made for the first tool of `left`, and what the last one said. */
  let tried = 0
  let lastCall: 'none' | 'search' | 'tool' = 'none'

  function search(query: string): StreamChunk[] {
    lastCall = 'search'
    statistics.searches++
    if (++tried === 2) statistics.repeated++
    return call(SEARCH_TOOL, { query })
  }

  function use(name: string, args: unknown): StreamChunk[] {
    lastCall = 'tool'
    left = left.slice(1)
    tried = 0
    return call(name, args)
  }

  function readResult(request: ModelRequest): string {
    const said = lastCall === 'none' ? '' : lastText(request)
    if (lastCall === 'tool' && said.startsWith('Error')) throw new Error(`a scripted call failed: ${said}`)
    if (lastCall === 'search') for (const { name, status } of listedTools(said)) if (status === 'ready') ready.add(name)
    return said
  }

  return {
    statistics,
    begin(steps) {
      left = steps
      tried = 0
      lastCall = 'none'
    },
    answer(request) {
      const said = readResult(request)
      const [step] = left
      if (step === undefined) return text(proseOf(ANSWER_TOKENS, 3_000_000 + answers++))
      if (request.tools?.some(({ name }) => name === step.tool) === true) return use(step.tool, step.args)
      if (ready.has(step.tool)) return use(DISPATCH_TOOL, { name: step.tool, arguments: step.args })
      if (tried > step.queries.length + 1) throw new Error(`"${step.tool}" can't be had: ${said}`)
      if (said.includes(step.tool)) return search(`select:${step.tool}`)
      const query = step.queries[tried]
      if (query !== undefined) return search(query)
      statistics.missed++
      return search(`select:${step.tool}`)
    },
    fork: () => createModel(ready),
  }
}
