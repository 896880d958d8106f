/**
 * The tables and the plot of the section `economics`.
 * @module
 */

import { logLines } from '../report/plots.ts'
import { digits, percent } from '../report/table.ts'
import type { Table } from '../report/table.ts'
import { S1_AFTER_FIVE, S1_REDUCTIONS } from './disclosure-tokens.ts'
import type { DisclosureTokens } from './disclosure-tokens.ts'
import { AUTO, cheapestFixed, RATIOS } from './grid.ts'
import type { Cell, PolicyId } from './grid.ts'
import type { SearchStatistics } from './model.ts'
import { FIXED, FIXED_POLICIES } from './policy.ts'
import { shapeKey } from './play.ts'
import type { Choice, Preselected } from './preselection.ts'

/** Worst cells that are shown. */
const WORST = 12

const POLICIES: readonly PolicyId[] = [...FIXED, ...AUTO]

const labelOf = (id: PolicyId): string => id === 'auto' ? 'auto' : id === 'autoPreselect' ? 'auto + preselect' : FIXED_POLICIES[id].label

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** Sizes of the catalogues of these cells, ascending. */
const sizesOf = (cells: readonly Cell[]): readonly number[] => [...new Set(cells.map(({ size }) => size))].sort((a, b) => a - b)

/** Cost of a policy relative to all tools shown. */
export const toAll = ({ costs }: Cell, id: PolicyId): number => costs[id] / costs.all

/** Cost of a policy relative to the cheapest policy that decides nothing. */
export const toCheapest = (cell: Cell, id: PolicyId): number => cell.costs[id] / cell.costs[cheapestFixed(cell)]

const ratio = (value: number): string => value.toFixed(3)

/** One row for each policy: what it costs over the whole grid. */
export function summary(cells: readonly Cell[], statistics: ReadonlyMap<string, SearchStatistics>): Table {
  return {
    title: 'Every policy over the whole grid',
    note: `Mean and worst over ${cells.length} cells. "All shown" is this DSH without the plugin, "cheapest" the cheapest policy of the cell of those that decide `
      + 'nothing, so all but the last two; policies that do the same in a cell share it. Searches: of all sessions played; how many tools took more than one search.',
    head: ['policy', 'to all shown, mean', 'worst', 'to cheapest, mean', 'worst', 'cheapest in cells', 'searches', 'tools searched twice'],
    rows: POLICIES.map((id) => {
      const all = cells.map(cell => toAll(cell, id))
      const cheapest = cells.map(cell => toCheapest(cell, id))
      const made = statistics.get(labelOf(id))
      const best = id === 'auto' || id === 'autoPreselect' ? '' : `${cells.filter(cell => toCheapest(cell, id) === 1).length}`
      return [
        labelOf(id), ratio(mean(all)), ratio(Math.max(...all)), ratio(mean(cheapest)), ratio(Math.max(...cheapest)), best,
        `${made?.searches ?? 0}`, `${made?.repeated ?? 0}`,
      ]
    }),
  }
}

/** Mean cost of every policy by catalogue and price. */
export function bySizeAndRatio(cells: readonly Cell[]): Table {
  return {
    title: 'By catalogue and price: mean cost relative to all tools shown',
    note: 'Each row is the mean over the sessions of one catalogue (1, 4 or 12 tools used, 1 to 100 turns, early and late).',
    head: ['tools, price ratio', ...POLICIES.filter(id => id !== 'all').map(labelOf)],
    rows: sizesOf(cells).flatMap(size => RATIOS.map((price) => {
      const own = cells.filter(cell => cell.size === size && cell.ratio === price)
      return [`${size}, ${price}`, ...POLICIES.filter(id => id !== 'all').map(id => ratio(mean(own.map(cell => toAll(cell, id)))))]
    })),
  }
}

/** Every cell of one price, for `auto` and what it chooses from. */
export function everyCell(cells: readonly Cell[], price: number): Table {
  const own = cells.filter(cell => cell.ratio === price)
  const sizes = sizesOf(cells)
  return {
    title: `Every cell at price ratio ${price}: cost relative to all tools shown`,
    note: 'The other prices are in the tables above; `--cells` prints all of them.',
    head: ['used, turns, needed', ...sizes.flatMap(size => ['inject', 'dispatch', 'auto'].map(id => `${size}: ${id}`))],
    rows: [...new Set(own.map(shapeKey))].map(key => [
      key,
      ...sizes.flatMap((size) => {
        const cell = own.find(other => other.size === size && shapeKey(other) === key)!
        return (['inject', 'dispatch', 'auto'] as const).map(id => toAll(cell, id).toFixed(2))
      }),
    ]),
  }
}

/** Cells in which `auto` is furthest from what it is compared with. */
export function worst(cells: readonly Cell[], measure: (cell: Cell, id: PolicyId) => number, title: string, note: string): Table {
  return {
    title,
    note,
    head: ['tools, ratio; session', 'auto', 'cheapest policy', 'cheapest to all shown', 'auto to all shown'],
    rows: [...cells].sort((a, b) => measure(b, 'auto') - measure(a, 'auto')).slice(0, WORST).map(cell => [
      `${cell.size}, ${cell.ratio}; ${shapeKey(cell)}`, ratio(measure(cell, 'auto')), labelOf(cheapestFixed(cell)),
      ratio(toAll(cell, cheapestFixed(cell))), ratio(toAll(cell, 'auto')),
    ]),
  }
}

/** The first request, and after five results, beside what S1 reports. */
export function disclosureTable(measured: readonly DisclosureTokens[]): Table {
  return {
    title: 'The first request of S1\'s construction',
    note: 'Nested OpenAI function tools, all deferred, o200k_base. Reduction: how much smaller the tools of the first request are than every schema; in mode `inject` the '
      + 'search alone is shown, in modes `dispatch` and `auto` the dispatch too. '
      + `After five: the search and five loaded tools; S1 reports ${S1_AFTER_FIVE.toLocaleString('en')} tokens. Its own tools are a little larger than these.`,
    head: ['deferred tools', 'full tokens', 'search tokens', 'reduction %', 'S1 reports %', 'with dispatch %', 'after five tokens'],
    rows: measured.map(({ deferred, full, search, withDispatch, afterFive }, index) => [
      `${deferred}`, `${full}`, `${search}`, percent(1 - search / full), percent(S1_REDUCTIONS[index]!), percent(1 - withDispatch / full), `${afterFive}`,
    ]),
  }
}

export interface PreselectionOfSet {
  readonly set: string
  readonly tools: number
  /** One for each choice. */
  readonly measured: readonly Preselected[]
}

/** Means over the sets for each choice. */
export function preselectionByChoice(sets: readonly PreselectionOfSet[], choices: readonly Choice[], sample: number): Table {
  const over = (choice: number, key: keyof Preselected): number => mean(sets.map(({ measured }) => measured[choice]![key]))
  return {
    title: 'Tools for the first message: how often they save the search',
    note: `The first ${sample} judged queries of a seeded draw from each of ${sets.length} sets are taken as first messages; the mean over the sets. `
      + 'All: everything that is needed is loaded, so there is no search. Needless: loaded tools per session that the labels do not name.',
    head: ['tools, confidence', 'acts %', 'all %', 'any %', 'needless tools'],
    rows: choices.map(({ tools, confidence }, index) => [
      `${tools}, ${confidence}`, percent(over(index, 'acts')), percent(over(index, 'all')), percent(over(index, 'any')), digits(over(index, 'needless')),
    ]),
  }
}

/** One choice, set by set. */
export function preselectionBySet(sets: readonly PreselectionOfSet[], { tools, confidence }: Choice, choice: number): Table {
  return {
    title: `By set: ${tools} tools, confidence ${confidence}`,
    note: '',
    head: ['set', 'tools', 'acts %', 'all %', 'any %', 'needless tools'],
    rows: sets.map(({ set, tools: size, measured }) => {
      const { acts, all, any, needless } = measured[choice]!
      return [set, `${size}`, percent(acts), percent(all), percent(any), digits(needless)]
    }),
  }
}

/** Mean cost by catalogue at one price. */
export function plot(cells: readonly Cell[], price: number): string {
  const shown: readonly PolicyId[] = ['all', 'alphabetical', 'inject', 'dispatch', 'auto']
  const sizes = sizesOf(cells)
  return logLines(`Session cost by tools in the catalogue, relative to all tools shown; a cached token costs 1/${price}`, sizes, '×', shown.map(id => ({
    label: labelOf(id),
    values: sizes.map(size => mean(cells.filter(cell => cell.size === size && cell.ratio === price).map(cell => toAll(cell, id)))),
  })))
}
