/**
 * What DSH logs, for tests.
 * @module
 */

import type { Context } from '@deepseek-ai/cordis'

export interface LogLine {
  readonly type: string
  readonly text: string
}

/** A plugin that keeps every line that is logged from then on, debug lines too. */
export function keepLog(lines: LogLine[]) {
  return {
    name: 'keep-log',
    apply(ctx: Context) {
      ctx.logger.exporter({
        levels: { default: 3 },
        export: ({ type, args }) => { lines.push({ type, text: args.map(String).join(' ') }) },
      })
    },
  }
}
