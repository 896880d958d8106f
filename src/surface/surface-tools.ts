/**
 * Which tools are the surface itself rather than something to show or to find.
 * @module
 */

import { PROGRAM_TOOL } from '../host.ts'
import { DISPATCH_TOOL, SEARCH_TOOL } from '../tools/contract.ts'

export function isSurfaceTool(name: string): boolean {
  return name === SEARCH_TOOL || name === DISPATCH_TOOL || name === PROGRAM_TOOL
}
