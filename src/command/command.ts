/**
 * `/tool-search` in profiles that have commands: registered here, run by a module that is loaded with its first use.
 * @module
 */

import type { Context } from '@deepseek-ai/cordis'
import type { CommandResult } from '@deepseek-ai/dsh-commands'
import type { CommandOptions } from './run.ts'
import { COMMAND } from './wording.ts'

/** @param ctx - plugin context; the command goes with it. */
export function installCommand(ctx: Context, options: CommandOptions): void {
  ctx.inject(['commands'], ({ commands }) => {
    try {
      commands.register({
        name: COMMAND,
        description: 'Tools of this conversation: status, find <query>, load <names>, forget <names>',
        input: { hint: 'status | find <query> | load <names> | forget <names>' },
        async handler({ agent, rawInput, signal }): Promise<CommandResult> {
          const { runCommand } = await import('./run.ts')
          return runCommand(options, agent, rawInput, signal)
        },
      })
    } catch (error: unknown) {
      // Another plugin has the name: searching goes on without the command.
      ctx.logger.error(`dsh-tool-retriever: /${COMMAND} is not available: ${error instanceof Error ? error.message : String(error)}`)
    }
  })
}
