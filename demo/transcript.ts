/**
 * Follows an agent's session log and prints each request, call and result for people, as they happen.
 * @module
 */

import { styleText } from 'node:util'
import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { ContentBlock, ToolSchema } from '@deepseek-ai/dsh-llm'
import { toolTokens } from './tool-tokens.ts'

/** One request to the model. */
export interface SentRequest {
  readonly tools: readonly ToolSchema[]
  readonly tokens: number
}

/** One finished call. */
export interface FinishedCall {
  readonly name: string
  readonly arguments: string
  readonly answer: string
  readonly isError: boolean
  /** What the log keeps of the result besides its text. */
  readonly meta: unknown
}

export interface Transcript {
  readonly requests: readonly SentRequest[]
  readonly calls: readonly FinishedCall[]
}

interface TranscriptOptions {
  /** Prints more about a call; the agent's next request waits for it. */
  readonly onCall?: (call: FinishedCall) => Promise<void>
}

/** Starts to follow an agent. */
export function follow(ctx: Context, agent: Agent, { onCall }: TranscriptOptions = {}): Transcript {
  const requests: SentRequest[] = []
  const calls: FinishedCall[] = []
  const open = new Map<string, { name: string; arguments: string }>()
  let said: Promise<unknown> = Promise.resolve()
  ctx.on('agent/pre-step', async (_step, next) => {
    await said
    return next()
  })
  ctx.on('session/event', (session, event) => {
    if (session !== agent.session) return
    switch (event.type) {
      case 'assistant/message': {
        const request = readRequest(agent)
        printRequest(request, requests.at(-1), requests.length + 1)
        requests.push(request)
        const answer = textOf(event.data.message.content)
        if (answer !== '') print('model says', answer)
        break
      }
      case 'tool/call':
        open.set(event.data.callId, event.data)
        break
      case 'tool/result': {
        const [block] = event.data.message.content
        const started = open.get(block.toolCallId)
        const call = {
          name: started?.name ?? '?',
          arguments: started?.arguments ?? '',
          answer: textOf(block.content),
          isError: block.isError === true,
          meta: event.data.meta,
        }
        calls.push(call)
        print('model calls', `${styleText('bold', call.name)} ${clip(call.arguments, 600)}`)
        print(call.isError ? 'error' : 'result', clip(call.answer, 2_000))
        said = Promise.all([said, onCall?.(call)])
        break
      }
      case 'turn/end':
        if (event.data.reason.kind === 'error') print('turn failed', event.data.reason.error.message)
        else if (event.data.reason.kind !== 'completed') print('turn ended', event.data.reason.kind)
        break
      default:
    }
  })
  return { requests, calls }
}

/** The request that the latest answer was for: the log's header in force. */
export function readRequest(agent: Agent): SentRequest {
  const tools = agent.session.requestHeader()?.tools ?? []
  return { tools, tokens: toolTokens(tools) }
}

function printRequest(request: SentRequest, previous: SentRequest | undefined, number: number): void {
  const before = new Set(previous?.tools.map(tool => tool.name))
  const added = request.tools.map(tool => tool.name).filter(name => !before.has(name))
  console.log(`\n${styleText(['bold', 'cyan'], `request ${number}`)}  ${request.tools.length} tools, ${amount(request.tokens)} tokens`)
  if (previous === undefined) print('tools', added.join(', '))
  else if (added.length > 0) print('new tools', added.join(', '))
  else print('tools', 'as before')
}

/** Prints a labelled text; its further lines are indented to the label's width. */
export function print(label: string, value: string): void {
  const [first = '', ...rest] = value.split('\n').flatMap(line => wrap(line, 100))
  console.log([`  ${styleText('dim', label.padEnd(12))}${first}`, ...rest.map(line => ' '.repeat(14) + line)].join('\n'))
}

function wrap(line: string, width: number): string[] {
  const lines: string[] = []
  let rest = line
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width)
    const end = space > 0 ? space : width
    lines.push(rest.slice(0, end))
    rest = rest.slice(end).trimStart()
  }
  return [...lines, rest]
}

export function amount(value: number): string {
  return value.toLocaleString('en-US')
}

function clip(value: string, limit: number): string {
  return value.length <= limit ? value : `${value.slice(0, limit)} … (${amount(value.length)} characters)`
}

function textOf(content: readonly ContentBlock[]): string {
  return content.flatMap(block => block.type === 'text' ? [block.text] : []).join('\n')
}
