/**
 * Tokens of a first request's tools with and without the search, on the construction of the deferred loader S1: nested OpenAI function
 * tools, all of one kind, beside nothing else.
 * @module
 */

import * as plugin from '../../src/index.ts'
import { boot, call, text, tool } from '../../test/support/harness.ts'
import type { ModelRequest } from '../../test/support/harness.ts'
import { segmentOf, wireTool } from './tokens.ts'

export const DEFERRED = [10, 30, 50, 100] as const

/** Shares that the search saves of the first request's schemas, as S1 reports them for the same numbers of tools. */
export const S1_REDUCTIONS = [0.943, 0.981, 0.989, 0.994] as const

/** Tokens that S1 reports for its search and five loaded tools. */
export const S1_AFTER_FIVE = 1_013

/** Tools that the search of the second measurement loads. */
const LOADED = 5

export interface DisclosureTokens {
  readonly deferred: number
  /** Every schema, without the plugin. */
  readonly full: number
  /** `tool_search` alone, in mode `inject`. */
  readonly search: number
  /** `tool_search` and `tool_dispatch`, in mode `dispatch`. */
  readonly withDispatch: number
  /** `tool_search` and five loaded tools. */
  readonly afterFive: number
}

/**
 * A tool with a nested schema. S1's figures solve to 182 tokens a tool (search and five tools are 1,013 tokens, and the search
 * is 5.7 % of ten tools); these are smaller, which makes the reduction harder. Names carry no server, so the search lists none.
 */
function nestedTool(index: number) {
  const text = (description: string) => ({ type: 'string', description })
  return tool(`resource_${index}_update`, {
    description: `Update resource ${index} and return the stored version with its audit trail.`,
    parameters: {
      type: 'object',
      properties: {
        id: text('Identifier of the resource to update.'),
        options: {
          type: 'object',
          description: 'How the update is applied.',
          properties: {
            mode: { type: 'string', enum: ['merge', 'replace'], description: 'Merge into the stored values or replace them.' },
            notify: { type: 'boolean', description: 'Whether owners are told.' },
            labels: {
              type: 'array',
              items: { type: 'object', properties: { key: text('Label name.'), value: text('Label value.') }, required: ['key'] },
            },
          },
          required: ['mode'],
        },
      },
      required: ['id', 'options'],
    },
  })
}

const tokensOf = ({ tools = [] }: ModelRequest): number => tools.reduce((sum, schema) => sum + segmentOf(wireTool(schema)).tokens, 0)

/** Measures requests of the real agent loop. */
export async function measureDisclosure(deferred: number): Promise<DisclosureTokens> {
  const tools = Array.from({ length: deferred }, (_, index) => nestedTool(index))
  const names = tools.slice(0, LOADED).map(({ name }) => name).join(',')
  const requestsOf = async (mode?: 'inject' | 'dispatch'): Promise<readonly ModelRequest[]> => {
    const harness = await boot({
      tools,
      script: mode === undefined ? [text('done')] : [call('tool_search', { query: `select:${names}` }), text('done')],
      ...mode !== undefined && { plugin, config: { disclosure: { mode } } },
    })
    await (await harness.createAgent()).say('go')
    await harness.dispose()
    return harness.requests
  }
  const [full] = await requestsOf()
  const [search, loaded] = await requestsOf('inject')
  const [withDispatch] = await requestsOf('dispatch')
  return {
    deferred, full: tokensOf(full!), search: tokensOf(search!), withDispatch: tokensOf(withDispatch!), afterFive: tokensOf(loaded!),
  }
}
