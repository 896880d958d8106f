/**
 * Standard output that waits for a slow reader and ends quietly when there is none.
 * @module
 */

import { once } from 'node:events'

/** `… | head` closes the pipe when it has seen enough; that is no error of this program. */
export function closeQuietlyOnBrokenPipe(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
}

/** Writes one line; resolves when the stream can take the next. */
export async function writeLine(line: string): Promise<void> {
  if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain')
}
