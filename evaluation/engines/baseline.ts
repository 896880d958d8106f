/**
 * The baseline: what a common deferred tool loader does. One field, BM25, English stop words and stems.
 *
 * Its definition is fixed (BRIEF.md, "Measured, not claimed") and must not follow our own text pipeline: this is what we
 * compare with. Scoring is by posting lists, which gives the same scores as its loop over all documents, only sooner.
 * @module
 */

import stem from 'wink-porter2-stemmer'
import type { ToolDeclaration } from '../../src/catalog/types.ts'
import type { Engine, Searchable } from './engine.ts'
import { schemaTexts } from './schema-text.ts'
import { ENGLISH_STOP_WORDS } from './stop-words.ts'

const K1 = 1.2
const B = 0.75

/** NFKD without marks, lower case, words with inner apostrophes and dots, stop words out, Porter 2. */
export function baselineTokens(text: string): string[] {
  const folded = text.normalize('NFKD').replace(/\p{M}+/gu, '').toLowerCase()
  const words = folded.match(/[\p{L}\p{N}]+(?:['.][\p{L}\p{N}]+)*/gu) ?? []
  return words.filter(word => !ENGLISH_STOP_WORDS.has(word)).map(word => stem(word))
}

/** The one field of a tool: its name, the name with `_` as spaces, the description, the schema's texts. */
export function baselineText(tool: ToolDeclaration): string {
  return [tool.name, tool.name.replaceAll('_', ' '), tool.description ?? '', ...schemaTexts(tool.parameters)].join(' ')
}

interface Posting {
  readonly document: number
  readonly frequency: number
}

function buildIndex(tools: readonly ToolDeclaration[]): Searchable {
  const postings = new Map<string, Posting[]>()
  const lengths = tools.map((tool, document) => {
    const tokens = baselineTokens(baselineText(tool))
    const frequencies = new Map<string, number>()
    for (const token of tokens) frequencies.set(token, (frequencies.get(token) ?? 0) + 1)
    for (const [token, frequency] of frequencies) {
      const list = postings.get(token)
      if (list === undefined) postings.set(token, [{ document, frequency }])
      else list.push({ document, frequency })
    }
    return tokens.length
  })
  const averageLength = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  const documentOfName = new Map(tools.map((tool, document) => [tool.name, document]))

  return {
    search(query, limit) {
      const scores = new Map<number, number>()
      for (const token of baselineTokens(query)) {
        const list = postings.get(token) ?? []
        const inverseDocumentFrequency = Math.log(1 + (tools.length - list.length + 0.5) / (list.length + 0.5))
        for (const { document, frequency } of list) {
          const lengthFactor = 1 - B + B * lengths[document]! / averageLength
          const weight = frequency * (K1 + 1) / (frequency + K1 * lengthFactor)
          scores.set(document, (scores.get(document) ?? 0) + inverseDocumentFrequency * weight)
        }
      }
      const exact = documentOfName.get(query.trim())
      if (exact !== undefined) scores.set(exact, Number.POSITIVE_INFINITY)
      const ranked = [...scores].sort((a, b) => b[1] - a[1] || (tools[a[0]]!.name < tools[b[0]]!.name ? -1 : 1))
      return { names: ranked.slice(0, limit).map(([document]) => tools[document]!.name) }
    },
  }
}

export const baseline: Engine = {
  id: 'baseline',
  label: 'baseline BM25',
  build(tools) {
    let current = [...tools]
    let index = buildIndex(current)
    return {
      search: (query, limit) => index.search(query, limit),
      // the loader this stands for has no incremental update: it indexes again
      replace(tool) {
        current = current.map(other => other.name === tool.name ? tool : other)
        index = buildIndex(current)
      },
    }
  },
}
