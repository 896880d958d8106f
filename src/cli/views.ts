/**
 * Answers as people read them in a terminal.
 * @module
 */

import type { Catalog } from '../catalog/types.ts'
import type { Explanation, SearchOutcome } from '../retriever.ts'
import { searchNotes } from '../tools/notes.ts'
import { oneLine } from '../tools/rendering.ts'
import { columns, fit } from './columns.ts'

const DESCRIPTION_WIDTH = 80
const TERM_WIDTH = 30

/** What is said below the results, the catalogue's warnings last. */
function footer(outcome: SearchOutcome, catalog: Catalog): string[] {
  return [
    ...outcome.results.length === 0 ? ['No tool matches.'] : [],
    ...outcome.unknownNames.map(name => `There is no tool "${oneLine(name, DESCRIPTION_WIDTH)}".`),
    ...searchNotes(outcome, catalog),
    ...catalog.warnings.map(({ tool, reason }) => `Catalogue: tool "${oneLine(tool, DESCRIPTION_WIDTH)}": ${reason}`),
  ]
}

export function searchView(outcome: SearchOutcome, catalog: Catalog): string {
  const rows = outcome.results.map(({ rank, name, score, channels, description }) => [
    `${rank}`,
    name,
    score.toFixed(4),
    Object.keys(channels).join('+'),
    fit(oneLine(description, 4 * DESCRIPTION_WIDTH), DESCRIPTION_WIDTH),
  ])
  const table = rows.length === 0 ? [] : [columns([['', 'tool', 'score', 'by', 'description'], ...rows], [0, 2])]
  return [...table, ...footer(outcome, catalog)].join('\n')
}

function explanationView({ result, shares, terms }: Explanation): string {
  const places = Object.entries(result.channels).map(([channel, { rank, score }]) =>
    `${channel}: place ${rank}, score ${score.toFixed(3)}, ${(100 * (shares[channel as keyof typeof shares] ?? 0)).toFixed(0)} % of the fused score`)
  const rows = Object.entries(terms).flatMap(([channel, contributions]) => contributions.map(({ term, via, fields, score }) =>
    [`   ${channel}`, fit(term, TERM_WIDTH), fit(via ?? '', TERM_WIDTH), fields.join(', '), score.toFixed(3)]))
  return [
    `${result.rank}. ${result.name}  ${result.score.toFixed(4)}`,
    ...places.map(place => `   ${place}`),
    ...rows.length === 0 ? [] : [columns([['   channel', 'term', 'by way of', 'fields', 'score'], ...rows], [4])],
  ].join('\n')
}

export function explainView(outcome: SearchOutcome, explanations: readonly Explanation[], catalog: Catalog): string {
  const { status, reason } = outcome.rewrite
  return [...explanations.map(explanationView), ...footer(outcome, catalog), `Rewrite by a model: ${status} (${reason})`].join('\n\n')
}
