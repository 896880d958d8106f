/**
 * What the commands of `eval:rewrite` share: options, and one line for a mistake.
 * @module
 */

import { join } from 'node:path'
import { InvalidArgumentError } from 'commander'
import type { Command } from 'commander'
import { PROJECT_ROOT, SetError } from '../sets.ts'

/** Where the harness keeps what is not committed. */
export const EVAL_FOLDER = join(PROJECT_ROOT, '.eval')

export const DEFAULT_ROUTE = { provider: 'deepseek-official', model: 'deepseek-v4-flash' } as const

export function wholeNumber(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('Give a whole number from 1.')
  return value
}

export function price(text: string): number {
  const value = Number(text)
  if (!Number.isFinite(value) || value < 0) throw new InvalidArgumentError('Give a price in dollars, 0 or more.')
  return value
}

/** Runs a command; a mistake of the caller is one line and exit code 2. */
export async function run(command: Command): Promise<void> {
  try {
    await command.showHelpAfterError('(--help lists the options)').parseAsync()
  } catch (error) {
    if (!(error instanceof SetError)) throw error
    process.stderr.write(`${command.name()}: ${error.message}\n`)
    process.exitCode = 2
  }
}
