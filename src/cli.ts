#!/usr/bin/env node
/**
 * `dsh-tool-retriever`: the plugin's own search from a shell.
 * @module
 */

import { createProgram, exitCodeOf } from './cli/program.ts'
import { closeQuietlyOnBrokenPipe } from './cli/output.ts'

closeQuietlyOnBrokenPipe(process.stdout)

try {
  await createProgram().parseAsync()
} catch (error) {
  process.exitCode = exitCodeOf(error)
}
