/**
 * JSON files that a person names on the command line.
 * @module
 */

import { readFileSync } from 'node:fs'
import { fileReason, UserError } from './user-error.ts'

/**
 * @param at - option and path, for messages.
 * @throws UserError when there is no such file, or it can't be read.
 */
export function readText(file: string, at: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UserError(`${at} can't be read: ${fileReason(error)}; give the path of a JSON file`)
  }
}

/**
 * @param at - option and path, for messages.
 * @throws UserError when it is no JSON.
 */
export function parseJson(text: string, at: string): unknown {
  try {
    // some editors begin a file with a byte order mark, which JSON does not allow
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    // the message may quote lines of the text
    throw new UserError(`${at} is not JSON: ${(error as Error).message.replaceAll(/\s+/g, ' ')}; correct the file, or give another`)
  }
}
