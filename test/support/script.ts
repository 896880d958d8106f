/**
 * A scripted model: an LLM adapter of DSH that answers from a script and keeps every request it was given.
 * The only stand-in in these tests; everything it talks to is the real DSH.
 * @module
 */

import { CallId, LlmAdapter } from '@deepseek-ai/dsh-llm'
import type { GenerateOptions, LlmResolvedModelInfo, StreamChunk, ToolSchema } from '@deepseek-ai/dsh-llm'

/** One model request as the adapter received it. */
export type ModelRequest = Readonly<GenerateOptions>

/** One answer: its chunks, or a function that makes them from nothing but the request. */
export type Step = readonly StreamChunk[] | ((request: ModelRequest) => readonly StreamChunk[] | Promise<readonly StreamChunk[]>)

/** Answers in order, or one function for all of them; `index` counts requests from 0. */
export type Script = readonly Step[] | ((request: ModelRequest, index: number) => readonly StreamChunk[] | Promise<readonly StreamChunk[]>)

/** One tool call of an answer. */
export interface ScriptedCall {
  readonly name: string
  readonly args: unknown
  /** Call id; unique within the adapter's life when left out. */
  readonly id?: string
}

let lastCallNumber = 0

/** An answer that ends the turn. */
export function text(answer: string): StreamChunk[] {
  return [
    { type: 'block-start', index: 0, blockType: 'text' },
    { type: 'text-delta', index: 0, text: answer },
    { type: 'block-end', index: 0, block: { type: 'text', text: answer } },
    { type: 'usage', usage: { inputTokens: 10, outputTokens: 5 } },
    { type: 'finish', reason: { kind: 'stop' } },
  ]
}

/** An answer that calls one tool. `args` is sent as JSON; a string is sent as it is, for malformed arguments. */
export function call(name: string, args: unknown, id?: string): StreamChunk[] {
  return calls([id === undefined ? { name, args } : { name, args, id }])
}

/** An answer that runs a program in Code Mode. */
export function program(code: string): StreamChunk[] {
  return call('run_code', { description: 'Run a test program.', code })
}

/** An answer that calls several tools in one step. */
export function calls(toolCalls: readonly ScriptedCall[]): StreamChunk[] {
  const blocks = toolCalls.flatMap(({ name, args, id }, index): StreamChunk[] => {
    const callId = CallId(id ?? `call-${++lastCallNumber}`)
    const json = typeof args === 'string' ? args : JSON.stringify(args)
    return [
      { type: 'block-start', index, blockType: 'tool-call' },
      { type: 'tool-call-delta', index, id: callId, name, argumentsDelta: json },
      { type: 'block-end', index, block: { type: 'tool-call', id: callId, name, arguments: json } },
    ]
  })
  return [
    ...blocks,
    { type: 'usage', usage: { inputTokens: 10, outputTokens: 5 } },
    { type: 'finish', reason: { kind: 'tool-calls' } },
  ]
}

/** Names of the tools a request carries, in the order they were sent. */
export function toolNames(request: ModelRequest): string[] {
  return (request.tools ?? []).map(tool => tool.name)
}

/** The exact JSON of every tool a request carries, in the order they were sent. */
export function toolBytes(request: ModelRequest): string[] {
  return (request.tools ?? []).map(tool => JSON.stringify(tool))
}

/** The tool of a request by name. */
export function shownTool(request: ModelRequest, name: string): ToolSchema | undefined {
  return request.tools?.find(tool => tool.name === name)
}

/** What a request's last message says, as text: the user's words, or the result of the last call. */
export function lastText(request: ModelRequest): string {
  return contentText(request.messages.at(-1))
}

/** Every text of a message, also inside tool results, in order. */
function contentText(value: unknown): string {
  if (Array.isArray(value)) return value.map(contentText).filter(part => part !== '').join('\n')
  if (typeof value !== 'object' || value === null) return ''
  const { text: own, content } = value as { text?: unknown; content?: unknown }
  if (typeof own === 'string') return own
  return typeof content === 'string' ? content : contentText(content)
}

/** Answers from a script. Past its end every answer is an error of the model, so that a run-away loop is seen. */
export class ScriptedAdapter extends LlmAdapter {
  /** Every request in order, each frozen in the state in which it arrived. */
  readonly requests: ModelRequest[] = []
  readonly #script: Script

  constructor(script: Script) {
    super()
    this.#script = script
  }

  override resolveModel(provider: string, model: string): Promise<LlmResolvedModelInfo> {
    return Promise.resolve({ provider, id: model, name: model })
  }

  override async * stream(options: GenerateOptions): AsyncGenerator<StreamChunk> {
    // The loop stamps its requests with their session. What a plugin asks beside it, such as a rewrite, is no step of the script.
    if (options.sessionId === undefined) {
      yield* text('')
      return
    }
    const index = this.requests.length
    const { signal, ...plain } = options
    const request: ModelRequest = { ...structuredClone(plain), ...signal !== undefined && { signal } }
    this.requests.push(request)
    if (typeof this.#script === 'function') {
      yield* await this.#script(request, index)
      return
    }
    const step = this.#script[index]
    if (step === undefined) throw new Error(`the script has ${this.#script.length} steps; request ${index + 1} has none`)
    yield* typeof step === 'function' ? await step(request) : step
  }
}
