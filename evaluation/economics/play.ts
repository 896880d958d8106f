/**
 * The sessions of one policy over one catalogue: how many tools they use, in how many turns, early or late.
 * @module
 */

import { drawNeeds } from './catalog.ts'
import type { CatalogTool } from './catalog.ts'
import type { SearchStatistics, Step } from './model.ts'
import type { Policy } from './policy.ts'
import { proseOf } from './prose.ts'
import { bootMetered } from './session.ts'
import type { Meter, MeteredSession, Turn } from './session.ts'

export const TOOLS_USED = [1, 4, 12] as const
export const TURNS = [1, 10, 30, 100] as const
/** `early`: the tools are needed in the first turn and used again in each later one; `late`: all are needed in the last turn. */
export const TIMINGS = ['early', 'late'] as const

export type Timing = (typeof TIMINGS)[number]

/** One kind of session. */
export interface Shape {
  readonly used: number
  readonly turns: number
  readonly timing: Timing
}

/** What the sessions of one policy over one catalogue came to. */
export interface Played {
  readonly meters: ReadonlyMap<string, Meter>
  readonly statistics: SearchStatistics
}

/** Every shape; with one turn early and late are the same, and it is early. */
export const SHAPES: readonly Shape[] = TOOLS_USED.flatMap(used => TURNS.flatMap(turns => TIMINGS
  .filter(timing => turns > 1 || timing === 'early').map(timing => ({ used, turns, timing }))))

export function shapeKey({ used, turns, timing }: Shape): string {
  return `${used} used, ${turns} turns, ${timing}`
}

const MESSAGE_TOKENS = 45

/** A turn that takes DSH's own tools alone. */
function plainTurn(turn: number): Turn {
  return {
    message: `Read the next part for me and say what it comes to: ${proseOf(MESSAGE_TOKENS, 20_000 + turn)}.`,
    steps: [{ tool: 'read', args: { q: `part-${turn}.md` }, queries: [] }],
  }
}

function stepOf({ definition, ask, again, args }: CatalogTool): Step {
  return { tool: definition.name, args, queries: [ask, again] }
}

/** The turn in which the tools are needed; the message names the first thing to do, the rest follows from it. */
function needingTurn(turn: number, needs: readonly CatalogTool[]): Turn {
  return { message: `Please ${needs[0]!.ask}. ${proseOf(MESSAGE_TOKENS, 40_000 + turn)}.`, steps: needs.map(stepOf) }
}

/** A turn that uses one of the tools again. */
function laterTurn(turn: number, needs: readonly CatalogTool[]): Turn {
  const need = needs[turn % needs.length]!
  return { message: `Please ${need.ask} as before. ${proseOf(MESSAGE_TOKENS, 60_000 + turn)}.`, steps: [stepOf(need)] }
}

/**
 * Plays every shape. Shorter sessions with early needs are beginnings of the longest one, and late needs branch off one session without.
 * @param seed - draws the tools that are needed.
 */
export async function playShapes(policy: Policy, catalog: readonly CatalogTool[], seed: number): Promise<Played> {
  const harness = await bootMetered(policy, catalog)
  const meters = new Map<string, Meter>()
  const statistics: SearchStatistics = { searches: 0, repeated: 0, missed: 0 }
  const needsOf = (used: number) => drawNeeds(catalog, used, seed + used)
  const last = TURNS.at(-1)!

  function record(session: MeteredSession, shape: Shape): void {
    meters.set(shapeKey(shape), session.meter())
  }

  async function end(session: MeteredSession): Promise<void> {
    statistics.searches += session.statistics.searches
    statistics.repeated += session.statistics.repeated
    statistics.missed += session.statistics.missed
    await session.dispose()
  }

  for (const used of TOOLS_USED) {
    const needs = needsOf(used)
    const session = await harness.start()
    for (let turn = 1; turn <= last; turn++) {
      await session.play(turn === 1 ? needingTurn(turn, needs) : laterTurn(turn, needs))
      if (isRecorded(turn)) record(session, { used, turns: turn, timing: 'early' })
    }
    await end(session)
  }

  const base = await harness.start()
  for (let turn = 1; turn <= last; turn++) {
    if (turn > 1 && isRecorded(turn)) {
      for (const used of TOOLS_USED) {
        const branch = await base.fork()
        await branch.play(needingTurn(turn, needsOf(used)))
        record(branch, { used, turns: turn, timing: 'late' })
        await end(branch)
      }
    }
    if (turn < last) await base.play(plainTurn(turn))
  }
  await base.dispose()
  await harness.dispose()
  return { meters, statistics }
}

/**
 * Plays the first turn of every session alone. Two policies that differ only in what they do before a session's first request are the
 * same from then on when their first turns are: what a request shows follows from the log.
 */
export async function playFirstTurns(policy: Policy, catalog: readonly CatalogTool[], seed: number): Promise<readonly Meter[]> {
  const harness = await bootMetered(policy, catalog)
  const meters: Meter[] = []
  for (const turn of [...TOOLS_USED.map(used => needingTurn(1, drawNeeds(catalog, used, seed + used))), plainTurn(1)]) {
    const session = await harness.start()
    await session.play(turn)
    meters.push(session.meter())
    await session.dispose()
  }
  await harness.dispose()
  return meters
}

function isRecorded(turn: number): boolean {
  return (TURNS as readonly number[]).includes(turn)
}
