/**
 * A preview of a search as text.
 * @module
 */

import type { MatchedTerm, Preview, PreviewResult } from '../overview/preview.ts'
import { DESCRIPTION_CHARS, oneLine } from '../tools/rendering.ts'

/** What a search of the agent would do, by status; the preview itself does nothing. */
const OUTCOMES: Readonly<Record<PreviewResult['status'], string>> = {
  loaded: 'would be loaded',
  ready: 'would be ready to dispatch',
  already_loaded: 'in the tool list',
  unavailable: 'not there',
  listed: 'would be listed',
  weak: 'too thin to load',
}

/** Terms that are shown of one tool. */
const MOST_TERMS = 6

/** The answer that an agent would get, with the reasons of each place. Loads nothing. */
export function previewLines({ query, match, confidence, results, rewrite, unanswered }: Preview): readonly string[] {
  return [
    `"${query}": ${match === 'none' ? 'no tool matches' : `${match}, confidence ${confidence.toFixed(2)}`}. Nothing was loaded by looking.`,
    ...rewrite.status === 'applied' ? [`Also searched for: ${rewrite.query.split('\n').join('; ')}`] : [],
    ...results.flatMap(resultLines),
    ...unanswered.map(({ channel, state, reason }) => `${channel} ${state === 'warming' ? 'is not ready' : 'failed'}: ${reason}`),
  ]
}

function resultLines({ name, description, rank, status, shares, matchedFields, terms }: PreviewResult): readonly string[] {
  const reasons = [
    shares.map(({ channel, share }) => `${channel} ${Math.round(share * 100)} %`).join(', '),
    matchedFields.length === 0 ? '' : `in ${matchedFields.join(', ')}`,
    [...new Set(terms.map(termText))].slice(0, MOST_TERMS).join(', '),
  ].filter(part => part !== '')
  return [
    `${rank}. ${name} (${OUTCOMES[status]})${description === '' ? '' : ` - ${oneLine(description, DESCRIPTION_CHARS)}`}`,
    ...reasons.length === 0 ? [] : [`   ${reasons.join('; ')}`],
  ]
}

function termText({ term, via }: MatchedTerm): string {
  return via === undefined || via === term ? term : `${term} → ${via}`
}
