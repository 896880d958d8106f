/**
 * Why each result of a search stands where it stands, as a table.
 * @module
 */

import Table from 'cli-table3'
import type { ToolSchema } from '@deepseek-ai/dsh-llm'
import { createCatalogStore } from '../src/catalog/store.ts'
import { CHANNEL_IDS } from '../src/channels/channel.ts'
import { resolveConfig } from '../src/config.ts'
import { createRetriever } from '../src/retriever.ts'
import type { Explanation } from '../src/retriever.ts'
import type { SearchValue } from '../src/tools/contract.ts'

/**
 * Explains a search with the plugin's own retriever.
 * @param tools - everything that the agent could search.
 * @param value - what the search returned.
 * @returns a table, one row a result.
 * @throws Error when the explanation is not of this very search: other tools, or another order.
 */
export async function explainRanking(tools: readonly ToolSchema[], { query, catalogRevision, results }: SearchValue): Promise<string> {
  const retriever = createRetriever(resolveConfig({}))
  const { outcome, explanations } = await retriever.explain(createCatalogStore({}).snapshot(tools), { query, limit: results.length })
  if (outcome.catalogRevision !== catalogRevision || outcome.results.some(({ name }, index) => name !== results[index]?.name)) {
    throw new Error(`the explanation of "${query}" is not of the search that the agent made`)
  }
  const table = new Table({
    head: ['', 'tool', 'score', 'channels', 'because'],
    style: { head: [], border: [], compact: true },
    colWidths: [4, 38, 8, 20, 52],
    wordWrap: true,
  })
  for (const explanation of explanations) {
    const { rank, name, score } = explanation.result
    table.push([rank, name, score.toFixed(4), channelShares(explanation), reasons(explanation)])
  }
  return table.toString()
}

function channelShares({ shares }: Explanation): string {
  return Object.entries(shares).map(([channel, share]) => `${channel} ${Math.round(share * 100)} %`).join(', ')
}

/** How many terms of a result are shown. */
const SHOWN_TERMS = 4

/** The terms that gave most, each with the fields it was found in: a term's part of its channel's score, times the channel's share. */
function reasons({ shares, terms }: Explanation): string {
  const parts = new Map<string, { part: number; fields: Set<string> }>()
  for (const channel of CHANNEL_IDS) {
    const given = terms[channel] ?? []
    const sum = given.reduce((total, { score }) => total + score, 0)
    for (const { term, via, fields, score } of given) {
      const label = via === undefined ? term : `${term} (${via})`
      const known = parts.get(label)
      const part = (known?.part ?? 0) + (shares[channel] ?? 0) * score / sum
      parts.set(label, { part, fields: new Set([...known?.fields ?? [], ...fields]) })
    }
  }
  return [...parts].toSorted(([, a], [, b]) => b.part - a.part)
    .slice(0, SHOWN_TERMS)
    .map(([label, { fields }]) => `${label}: ${[...fields].join(', ')}`)
    .join('; ')
}
