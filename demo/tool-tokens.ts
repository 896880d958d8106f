/**
 * What tools cost on the wire.
 * @module
 */

import type { ToolSchema } from '@deepseek-ai/dsh-llm'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'

/** Which tokenizer the counts are of: DeepSeek publishes none for JavaScript, and this one is public. */
export const TOKENIZER = 'gpt-tokenizer, encoding o200k_base'

/** The exact text of each tool in a chat-completions request. */
export function wireTools(tools: readonly ToolSchema[]): string[] {
  return tools.map(({ name, description, parameters }) => JSON.stringify({ type: 'function', function: { name, description, parameters } }))
}

/** Tokens of the `tools` array of a chat-completions request. */
export function toolTokens(tools: readonly ToolSchema[]): number {
  return countTokens(`[${wireTools(tools).join(',')}]`)
}
