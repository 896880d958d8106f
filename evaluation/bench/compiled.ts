/**
 * The benchmark's children run compiled JavaScript, as the package does: stripping types at run time costs time and memory
 * that no user pays.
 * @module
 */

import { execFileSync } from 'node:child_process'
import { existsSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT_ROOT } from '../sets.ts'

const OUT = join(PROJECT_ROOT, '.eval', 'compiled')

/** Compiles the children and what they import; gives the path of one by its name in this folder. */
export function compileChildren(): (name: string) => string {
  rmSync(OUT, { recursive: true, force: true })
  const compiler = join(PROJECT_ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  execFileSync(process.execPath, [compiler, '-p', join(PROJECT_ROOT, 'evaluation', 'bench', 'tsconfig.json'), '--outDir', OUT])
  // the tables are found relative to the code, as in the package
  if (existsSync(join(PROJECT_ROOT, 'data'))) symlinkSync(join(PROJECT_ROOT, 'data'), join(OUT, 'data'))
  return name => join(OUT, 'evaluation', 'bench', `${name}.js`)
}
