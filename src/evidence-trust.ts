/**
 * How much each channel counts with one query: the weights of the fusion depend on the kind of query, and what the channels found tells
 * which kind it is.
 * @module
 */

import type { ChannelId } from './channels/channel.ts'
import type { Answer } from './results.ts'

/** What is known of a query beside the channels' answers. */
export interface QueryEvidence {
  /** Share of the query's Han terms that some tool has, 0..1; undefined when it has none. */
  readonly knownHan: number | undefined
}

/** Weighs the answers for one query; the fusion multiplies each channel's configured weight by its answer's `trust`. */
export type TrustRule = (answers: readonly Answer[], evidence: QueryEvidence) => Answer[]

/**
 * The thinner the evidence of words, the more meaning counts: `1 / √strength`, the strength being that of the best tool by words, at least
 * 1 and at most this. Over the dev sets +0.2 R@1 and as much R@5, in both halves of their queries; exponents from 0.3 to 0.7 and bounds
 * from 1.5 to 2.6 are as good (RESULTS.md, recall).
 */
const MOST_FACTOR = 1.8

/**
 * With a smaller share of known words a Chinese query is one on tools in another language. All that words say of it is in its glosses,
 * which have its Latin words as well: beside them the lexical channel would count a few stray names twice (+2.5 R@8 on such sets).
 */
const LEAST_KNOWN_HAN = 0.2

export const trustByEvidence: TrustRule = (answers, { knownHan }) => {
  const found = (id: ChannelId): Answer | undefined => answers.find(({ channel, ranking }) => channel === id && ranking.tools.length > 0)
  const strength = found('bm25')?.ranking.strength ?? 0
  const byMeaning = Math.min(MOST_FACTOR, Math.max(1, 1 / Math.sqrt(strength)))
  const isForeign = knownHan !== undefined && knownHan < LEAST_KNOWN_HAN && found('gloss') !== undefined
  return answers.map((answer) => {
    if (answer.channel === 'semantic') return trusted(answer, byMeaning)
    return answer.channel === 'bm25' && isForeign ? trusted(answer, 0) : answer
  })
}

function trusted({ channel, ranking }: Answer, factor: number): Answer {
  return { channel, ranking: { ...ranking, trust: (ranking.trust ?? 1) * factor } }
}
