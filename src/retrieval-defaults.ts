/**
 * Default retrieval settings; RESULTS.md has the measurements behind them.
 * @module
 */

import type { RetrievalConfig } from './retriever.ts'
import { DEFAULT_REWRITE } from './rewrite/config.ts'

export const DEFAULT_RETRIEVAL: RetrievalConfig = {
  bm25K1: 2.5,
  bm25B: { name: 0.9, description: 0.9, parameterName: 0, parameterDescription: 0.15, parameterValue: 0.3 },
  fieldWeights: { name: 2.5, description: 1, parameterName: 1, parameterDescription: 0.5, parameterValue: 1 },
  // k and weights: the best of a flat optimum over the dev sets; the semantic channel is worth a little more than half the lexical one,
  // glosses more, since for a query in Chinese they are the lexical evidence (RESULTS.md, recall).
  // Dense: the middle of a flat optimum.
  fusion: { rankConstant: 5, weights: { exact: 3, bm25: 1, semantic: 0.6, gloss: 1.5, dense: 0.7 } },
  rewrite: DEFAULT_REWRITE,
}
