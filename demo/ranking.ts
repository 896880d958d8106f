/**
 * Why each result of a search stands where it stands, as a table.
 * @module
 */

import Table from 'cli-table3'
import type { ToolSchema } from '@deepseek-ai/dsh-llm'
import { createCatalogStore } from '../src/catalog/store.ts'
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

/** The terms that gave most, over all channels, each with the fields it was found in. */
function reasons({ terms }: Explanation): string {
  return Object.values(terms).flat()
    .toSorted((a, b) => b.score - a.score)
    .slice(0, 4)
    .map(({ term, via, fields }) => `${term}${via === undefined ? '' : ` (${via})`}: ${fields.join(', ')}`)
    .join('; ')
}
