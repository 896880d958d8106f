/**
 * The gloss channel: Chinese queries on definitions in other languages, and the reverse, by a word list. It ranks by the same impacts
 * as the lexical channel, with each word's translations beside it, and abstains when there is nothing to translate.
 * @module
 */

import { FIELDS } from '../catalog/types.ts'
import type { Catalog, CatalogTool } from '../catalog/types.ts'
import { loadGlossary } from '../gloss/glossary.ts'
import { reverseGlossary } from '../gloss/reverse.ts'
import type { ReverseGlossary } from '../gloss/reverse.ts'
import type { QueryPlan } from '../query/plan.ts'
import { inverseDocumentFrequency, ROUNDING } from './bm25-score.ts'
import type { Channel, ChannelContext, ChannelRanking } from './channel.ts'
import { chineseEvidence, englishEvidence, translationsInto } from './gloss-evidence.ts'
import type { Translations } from './gloss-evidence.ts'
import type { LexicalIndex } from './lexical-index.ts'
import { addPhrases, bestPhrase } from './phrase-score.ts'
import type { PhraseGroup } from './phrase-score.ts'
import { headStart, toolsAbove } from './scratch.ts'
import { Best, scoresOf } from './top-k.ts'

const NO_EVIDENCE: ChannelRanking = { tools: [], scores: [], strength: 0, matchedFields: () => [], explain: () => [] }

export function createGlossChannel({ lexicalIndex, config }: ChannelContext): Channel {
  const reverseOf = createReverser()
  return {
    id: 'gloss',
    index: (catalog) => {
      const greatest = inverseDocumentFrequency(catalog.tools.length, 1) * (config.bm25K1 + 1)
      const evidence = translator(catalog, reverseOf)
      return {
        search: (plan, limit) => {
          const groups = evidence(plan, () => lexicalIndex(catalog))
          return groups === undefined ? NO_EVIDENCE : rank(lexicalIndex(catalog), groups, limit, greatest)
        },
      }
    },
  }
}

function textsOf({ texts }: CatalogTool): readonly string[] {
  return FIELDS.flatMap(field => texts[field])
}

/** Reverses the word list for some tools; most changes of a catalogue leave the Chinese ones as they are. */
function createReverser(): (tools: readonly CatalogTool[]) => ReverseGlossary {
  let latest: { readonly tools: readonly CatalogTool[]; readonly reverse: ReverseGlossary } | undefined
  return (tools) => {
    if (latest?.tools.length !== tools.length || !tools.every((tool, at) => tool === latest!.tools[at])) {
      latest = { tools, reverse: reverseGlossary(tools.flatMap(textsOf), loadGlossary()) }
    }
    return latest.reverse
  }
}

/**
 * Decides what to translate; the word list is not read before a query needs it. A Chinese query is translated even where every tool
 * is described in Chinese: names of tools are English all the same (+2.9 R@8 on such a set).
 */
function translator(
  catalog: Catalog, reverseOf: (tools: readonly CatalogTool[]) => ReverseGlossary,
): (plan: QueryPlan, index: () => LexicalIndex) => readonly PhraseGroup[] | undefined {
  let toTranslate: readonly CatalogTool[] | undefined
  let translations: Translations | undefined
  return (plan, index) => {
    if (plan.hasHan) return englishEvidence(index(), plan)
    toTranslate ??= index().hanTools.map(tool => catalog.tools[tool]!)
    if (toTranslate.length === 0 || plan.terms.length === 0) return undefined
    translations ??= translationsInto(index(), reverseOf(toTranslate))
    return chineseEvidence(index(), plan, translations)
  }
}

function rank(index: LexicalIndex, groups: readonly PhraseGroup[], limit: number, strongest: number): ChannelRanking {
  const { postings } = index
  const { scratch } = postings
  const { whole, final } = scratch
  addPhrases(postings, groups)
  const kept = new Best(limit, final)
  const first = headStart(scratch, whole, limit)
  let floor = first
  for (let pass = 0; pass < 2 && (pass === 0 || floor < first); pass++) {
    // One that is as good as the worst that is kept is better by its place.
    const having = toolsAbove(scratch, whole, ROUNDING * floor)
    for (let at = 0; at < having.length; at++) {
      const tool = having[at]!
      const score = whole[2 * tool]!
      if (score < floor) continue
      // A tool that comes again has been looked at.
      whole[2 * tool] = 0
      final[tool] = score
      kept.offer(tool)
      floor = Math.max(floor, kept.least)
    }
    floor = Math.max(0, kept.least)
  }
  whole.fill(0)
  const tools = kept.take()
  const scores = scoresOf(tools, final)
  let terms: Set<number> | undefined
  return {
    tools,
    scores,
    strength: Math.min(1, (scores[0] ?? 0) / strongest),
    matchedFields: (tool) => {
      terms ??= new Set(groups.flatMap(({ phrases }) => phrases.flatMap(phrase => phrase.terms)))
      return index.fieldsWith(tool, terms)
    },
    explain: tool => groups
      .flatMap((group) => {
        const found = bestPhrase(postings, group, tool)
        if (found === undefined) return []
        const { phrase, score } = found
        const fields = index.fieldsWith(tool, new Set(phrase.terms))
        return [{ term: group.surface, ...(phrase.via === undefined ? {} : { via: phrase.via }), fields, score }]
      })
      .sort((a, b) => b.score - a.score),
  }
}
