/**
 * A mistake of the caller: one line that names it and the way out, exit code 2, no stack trace.
 * @module
 */

export class UserError extends Error {}

/** What the system said about a file, in words. */
export function fileReason(error: unknown): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT': return 'there is no such file'
    case 'EISDIR': return 'it is a folder'
    case 'EACCES': return 'permission denied'
    default: return error instanceof Error ? error.message : String(error)
  }
}
