/**
 * A model for a demo without an API key. It knows what the built-in tasks are about, but no tool: it searches in the words of its task,
 * reads the answer, and calls the first result whose schema its next request shows and whose required arguments it can fill. What is not
 * shown to it is never called.
 * @module
 */

import { LlmAdapter } from '@deepseek-ai/dsh-llm'
import type { ContentBlock, GenerateOptions, LlmResolvedModelInfo, Message, StreamChunk } from '@deepseek-ai/dsh-llm'
import { call, text } from '../test/support/script.ts'
import type { DemoTask } from './tasks.ts'

const SEARCH = 'tool_search'

/** What happened since the user's latest message. */
interface Turn {
  readonly task: DemoTask | undefined
  readonly calls: readonly { readonly name: string; readonly answer: string; readonly isError: boolean }[]
}

export class ScriptedModel extends LlmAdapter {
  readonly #tasks: readonly DemoTask[]

  constructor(tasks: readonly DemoTask[]) {
    super()
    this.#tasks = tasks
  }

  override resolveModel(provider: string, model: string): Promise<LlmResolvedModelInfo> {
    return Promise.resolve({ provider, id: model, name: model })
  }

  override async * stream(request: GenerateOptions): AsyncGenerator<StreamChunk> {
    yield* this.#answer(request)
  }

  #answer(request: GenerateOptions): StreamChunk[] {
    const turn = readTurn(request.messages, this.#tasks)
    if (turn.task === undefined) return text('I am a scripted model and know only the built-in tasks.')
    const done = turn.calls.find(({ name, isError }) => name !== SEARCH && !isError)
    if (done !== undefined) return text(`Done, with ${done.name}.`)
    const search = turn.calls.find(({ name }) => name === SEARCH)
    if (search !== undefined) return this.#callFound(request, turn.task, turn, search.answer)
    const shown = request.tools?.some(tool => tool.name === SEARCH) ?? false
    return shown ? call(SEARCH, { query: turn.task.query }) : text(`I see no ${SEARCH}.`)
  }

  /** Calls the best result that is shown, fits the task and did not fail before. */
  #callFound(request: GenerateOptions, task: DemoTask, turn: Turn, answer: string): StreamChunk[] {
    const found = (request.tools ?? [])
      .map(tool => ({ tool, at: answer.indexOf(` ${tool.name} `) }))
      .filter(({ tool, at }) => at >= 0 && !turn.calls.some(({ name }) => name === tool.name))
      .sort((a, b) => a.at - b.at)
    for (const { tool } of found) {
      const args = fill(tool.parameters, task.facts)
      if (args !== undefined) return call(tool.name, args)
    }
    return text('None of the tools that I see does this.')
  }
}

function readTurn(messages: readonly Message[], tasks: readonly DemoTask[]): Turn {
  const start = messages.findLastIndex(message => taskOf(message, tasks) !== undefined)
  if (start < 0) return { task: undefined, calls: [] }
  const blocks = messages.slice(start + 1).flatMap(message => message.content)
  const results = blocks.filter(block => block.type === 'tool-result')
  const calls = blocks.filter(block => block.type === 'tool-call').map(({ id, name }) => {
    const result = results.find(({ toolCallId }) => toolCallId === id)
    return { name, answer: textOf(result?.content ?? []), isError: result?.isError === true }
  })
  return { task: taskOf(messages[start]!, tasks), calls }
}

function taskOf(message: Message, tasks: readonly DemoTask[]): DemoTask | undefined {
  if (message.role !== 'user') return undefined
  const said = textOf(message.content)
  return tasks.find(({ prompt }) => said.includes(prompt))
}

function textOf(content: readonly ContentBlock[]): string {
  return content.flatMap(block => block.type === 'text' ? [block.text] : []).join('\n')
}

/**
 * Fills a JSON Schema's required parts with known values.
 * @param facts - values by parameter name.
 * @returns undefined when a required part is not known or of another type.
 */
function fill(schema: unknown, facts: Readonly<Record<string, unknown>>, name = ''): unknown {
  if (!isRecord(schema)) return undefined
  const fact = facts[name]
  switch (schema['type']) {
    case 'object': {
      const properties = isRecord(schema['properties']) ? schema['properties'] : {}
      const required = Array.isArray(schema['required']) ? schema['required'].map(String) : []
      const filled = required.map(key => [key, fill(properties[key], facts, key)] as const)
      return filled.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(filled)
    }
    case 'array': {
      const { items } = schema
      if (isRecord(items) && items['type'] === 'object') {
        const item = fill(items, facts)
        return item === undefined ? undefined : [item]
      }
      return Array.isArray(fact) ? fact : undefined
    }
    default:
      return typeof fact === schema['type'] ? fact : undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
