/**
 * The declared output of `tool_search`, in DSH's schema language.
 * @module
 */

import { RESULT_STATUSES } from './contract.ts'

const number = { type: 'number', required: true } as const
const string = { type: 'string', required: true } as const
const integer = { type: 'integer', required: true } as const
const strings = { type: 'array', required: true, items: { type: 'string' } } as const

export const OUTPUT_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    query: string,
    catalogSize: integer,
    catalogRevision: string,
    rewrite: {
      type: 'object',
      required: true,
      additionalProperties: false,
      properties: { status: { type: 'string', required: true, enum: ['skipped', 'applied', 'failed'] }, reason: string, query: string },
    },
    results: {
      type: 'array',
      required: true,
      items: {
        type: 'object',
        additionalProperties: false,
        properties: {
          name: string,
          description: string,
          rank: integer,
          score: number,
          rrf: number,
          exact: number,
          bm25: number,
          semantic: number,
          gloss: number,
          dense: number,
          matchedFields: strings,
          status: { type: 'string', required: true, enum: RESULT_STATUSES },
          parameters: { type: 'json' },
        },
      },
    },
    remainingDeferred: integer,
    unanswered: {
      type: 'array',
      required: true,
      items: {
        type: 'object',
        additionalProperties: false,
        properties: { channel: string, state: { type: 'string', required: true, enum: ['warming', 'failed'] }, reason: string },
      },
    },
    notes: strings,
  },
} as const
