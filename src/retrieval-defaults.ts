/**
 * Default retrieval settings; RESULTS.md has the measurements behind them.
 * @module
 */

import type { RetrievalConfig } from './retriever.ts'

export const DEFAULT_RETRIEVAL: RetrievalConfig = {
  bm25K1: 1.2,
  bm25B: { name: 0.75, description: 0.75, parameterName: 0.75, parameterDescription: 0.75 },
  fieldWeights: { name: 4, description: 2, parameterName: 1.5, parameterDescription: 1 },
  fusion: { rankConstant: 60, weights: { exact: 3, bm25: 1, semantic: 1, gloss: 1, dense: 1 } },
}
