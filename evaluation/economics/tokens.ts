/**
 * What a request is made of, in the order in which a provider reads it, in tokens.
 * @module
 */

import type { ContentBlock } from '@deepseek-ai/dsh-llm'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import type { ModelRequest } from '../../test/support/harness.ts'

/** DeepSeek publishes no tokenizer for JavaScript; this one is public and differs by a few per cent on JSON and English. */
export const TOKENIZER = 'gpt-tokenizer, encoding o200k_base'

/** One piece of a request's text that is either sent as it was before or not. */
export interface Segment {
  /** The same text has the same id. */
  readonly id: number
  readonly tokens: number
}

const segments = new Map<string, Segment>()

/** Counts a text once. */
export function segmentOf(text: string): Segment {
  let segment = segments.get(text)
  if (segment === undefined) segments.set(text, segment = { id: segments.size, tokens: countTokens(text) })
  return segment
}

type WireTool = NonNullable<ModelRequest['tools']>[number]

/** A tool as an OpenAI-compatible request declares it. */
export function wireTool({ name, description, parameters }: Pick<WireTool, 'name' | 'description' | 'parameters'>): string {
  return JSON.stringify({ type: 'function', function: { name, description, parameters } })
}

/** What the model wrote: calls as their names and arguments. */
export function writtenBy(content: readonly ContentBlock[]): string {
  return content.map(block => block.type === 'tool-call' ? JSON.stringify({ name: block.name, arguments: block.arguments })
    : block.type === 'text' ? block.text : '').join('\n')
}

/** Tools, then the system prompt, then the history, as DSH's requests are laid out. */
export function requestSegments({ tools = [], system = '', messages }: ModelRequest): readonly Segment[] {
  return [
    ...tools.map(toolSegment),
    ...system === '' ? [] : [segmentOf(system)],
    ...messages.map(messageSegment),
  ]
}

/** Segments of tools by their parameters, which nearly all tools of these sessions have to themselves. */
const toolSegments = new WeakMap<object, { readonly tool: WireTool; readonly segment: Segment }>()

function toolSegment(tool: WireTool): Segment {
  const known = toolSegments.get(tool.parameters)
  if (known !== undefined && known.tool.name === tool.name && known.tool.description === tool.description) return known.segment
  const segment = segmentOf(wireTool(tool))
  toolSegments.set(tool.parameters, { tool, segment })
  return segment
}

type Message = ModelRequest['messages'][number]

/** DSH derives the messages of each request from its log; a message that it kept is the same object. */
const messageSegments = new WeakMap<Message, Segment>()

function messageSegment(message: Message): Segment {
  let segment = messageSegments.get(message)
  if (segment === undefined) {
    const { role, content } = message
    messageSegments.set(message, segment = segmentOf(JSON.stringify({ role, content: content.map(wireBlock) })))
  }
  return segment
}

/** Call ids are random, and their length is not the plugin's doing. */
function wireBlock(block: ContentBlock): unknown {
  switch (block.type) {
    case 'tool-call': return { name: block.name, arguments: block.arguments }
    case 'tool-result': return { content: block.content.map(wireBlock) }
    case 'text': return block.text
    default: return block
  }
}
