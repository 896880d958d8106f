/**
 * The grid: every session of every policy, priced.
 * @module
 */

import { createCatalog } from './catalog.ts'
import type { SearchStatistics } from './model.ts'
import { playFirstTurns, playShapes, shapeKey, SHAPES } from './play.ts'
import type { Played, Shape } from './play.ts'
import { autoPolicy, FIXED, FIXED_POLICIES } from './policy.ts'
import type { FixedPolicy, Policy } from './policy.ts'
import { costOf } from './prefix-cache.ts'

export const SIZES = [10, 30, 100, 300, 1_000] as const

/** Prices of an uncached input token relative to a cached one: no cache at all, most providers, DeepSeek, and beyond. */
export const RATIOS = [1, 10, 50, 120] as const

export const AUTO = ['auto', 'autoPreselect'] as const

export type PolicyId = FixedPolicy | (typeof AUTO)[number]

/** One session under one price. */
export interface Cell extends Shape {
  readonly size: number
  readonly ratio: number
  /** In the price of one cached input token. */
  readonly costs: Readonly<Record<PolicyId, number>>
}

export interface Measured {
  readonly cells: readonly Cell[]
  /** Searches of all sessions of a policy; of auto at all ratios that were played. */
  readonly statistics: ReadonlyMap<string, SearchStatistics>
}

/**
 * Plays policies over one catalogue, each once. A policy is not played through when another one is known to do the same: when the first
 * turn of every session costs the same with it, and it differs from the other in nothing that acts later.
 */
function createPlayer(size: number, seed: number, onPlayed: (label: string, played: Played) => void) {
  const firstTurns = new Map<Policy, string>()

  async function firstTurnsOf(policy: Policy): Promise<string> {
    let meters = firstTurns.get(policy)
    if (meters === undefined) firstTurns.set(policy, meters = JSON.stringify(await playFirstTurns(policy, createCatalog(size), seed)))
    return meters
  }

  return {
    async play(policy: Policy): Promise<Played> {
      const played = await playShapes(policy, createCatalog(size), seed)
      onPlayed(policy.label, played)
      return played
    },
    /** @param base - plays the same unless the policy does something in a first turn. */
    async playUnlessSame(policy: Policy, base: Policy, played: Played): Promise<Played> {
      if (await firstTurnsOf(policy) !== await firstTurnsOf(base)) return this.play(policy)
      onPlayed(policy.label, played)
      return played
    },
  }
}

/**
 * Plays every session over one catalogue and prices it.
 *
 * Preselection acts before the first request or never, and a catalogue that `auto` shows whole is shown whole for good, so first turns
 * tell. `auto` asks for the price only to compare what an injection makes uncached with what a dispatch writes, and the first weighs the
 * more the higher the ratio: where nothing was injected at one ratio, a higher one plays the same session.
 * @param outputToMiss - price of an output token relative to an uncached input token.
 * @param onPlayed - told after each policy.
 */
export async function measureSize(size: number, seed: number, outputToMiss: number, onPlayed: (label: string) => void): Promise<Measured> {
  const statistics = new Map<string, SearchStatistics>()
  const player = createPlayer(size, seed, (label, { statistics: made }) => {
    const before = statistics.get(label) ?? { searches: 0, repeated: 0, missed: 0 }
    statistics.set(label, {
      searches: before.searches + made.searches, repeated: before.repeated + made.repeated, missed: before.missed + made.missed,
    })
    onPlayed(label)
  })
  const { all: showAll, alphabetical, inject, dispatch, injectPreselect, dispatchPreselect } = FIXED_POLICIES
  const playedInject = await player.play(inject)
  const playedDispatch = await player.play(dispatch)
  const fixed: Readonly<Record<FixedPolicy, Played>> = {
    all: await player.play(showAll),
    alphabetical: await player.play(alphabetical),
    inject: playedInject,
    dispatch: playedDispatch,
    injectPreselect: await player.playUnlessSame(injectPreselect, inject, playedInject),
    dispatchPreselect: await player.playUnlessSame(dispatchPreselect, dispatch, playedDispatch),
  }
  const auto: Played[] = []
  const autoPreselect: Played[] = []
  for (const ratio of RATIOS) {
    const previous = auto.at(-1)
    const isSettled = previous !== undefined && neverChanged(previous) && neverChanged(autoPreselect.at(-1)!)
    const plain = autoPolicy(ratio, false)
    const played = isSettled ? previous : await player.playUnlessSame(plain, showAll, fixed.all)
    auto.push(played)
    autoPreselect.push(isSettled ? autoPreselect.at(-1)! : await player.playUnlessSame(autoPolicy(ratio, true), plain, played))
  }

  const cells = SHAPES.flatMap(shape => RATIOS.map((ratio, index): Cell => {
    const costIn = ({ meters }: Played): number => costOf(meters.get(shapeKey(shape))!.usage, { miss: ratio, outputToMiss })
    const costs = Object.fromEntries(FIXED.map(id => [id, costIn(fixed[id])])) as Record<FixedPolicy, number>
    return { ...shape, size, ratio, costs: { ...costs, auto: costIn(auto[index]!), autoPreselect: costIn(autoPreselect[index]!) } }
  }))
  return { cells, statistics }
}

function neverChanged({ meters }: Played): boolean {
  return [...meters.values()].every(({ changes }) => changes === 0)
}

/** The cheapest policy of a cell that decides nothing. */
export function cheapestFixed({ costs }: Cell): FixedPolicy {
  return FIXED.reduce((best, id) => (costs[id] < costs[best] ? id : best))
}
