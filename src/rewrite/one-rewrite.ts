/**
 * One rewrite from prompt to queries. Loaded with the first one: most of what this folder weighs is here.
 * @module
 */

import type { Catalog } from '../catalog/types.ts'
import { callModel } from './call.ts'
import type { Llm } from './call.ts'
import type { RewriteRoute } from './config.ts'
import { parseRewrite } from './parse.ts'
import { SYSTEM_PROMPT, userPrompt } from './prompt.ts'
import { sketchOf } from './sketch.ts'

export interface RewriteTask {
  readonly route: RewriteRoute
  readonly query: string
  readonly catalog: Catalog
  readonly maxTokens: number
}

/** What a model wrote, and the queries in it; undefined when there are none. */
export interface WrittenRewrite {
  readonly text: string
  readonly queries: readonly string[] | undefined
}

/** @throws whatever {@link callModel} throws. */
export async function rewriteOnce(llm: Llm, task: RewriteTask, signal: AbortSignal): Promise<WrittenRewrite> {
  const { route, query, catalog, maxTokens } = task
  const prompt = userPrompt(sketchOf(catalog), query)
  const { text } = await callModel(llm, { route, system: SYSTEM_PROMPT, prompt, maxTokens }, signal)
  return { text, queries: parseRewrite(text) }
}
