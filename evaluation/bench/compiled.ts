/**
 * The benchmark's children run compiled JavaScript, as the package does: stripping types at run time costs time and memory
 * that no user pays. What a fresh process pays is measured on the very files that the package is built of.
 * @module
 */

import { execFileSync } from 'node:child_process'
import { existsSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import { PROJECT_ROOT } from '../sets.ts'

const OUT = join(PROJECT_ROOT, '.eval', 'compiled')

/** Modules of the package that a first search is made of, beside what the package names as entries. */
const PARTS = { 'parts/lazy-retriever': 'src/lazy-retriever.ts', 'parts/store': 'src/catalog/store.ts', 'parts/defaults': 'src/retrieval-defaults.ts' }

export interface Compiled {
  /** The path of a child by its name in this folder. */
  readonly childPath: (name: string) => string
  /** The folder of the built package, as a URL, with {@link PARTS} beside its own entries. */
  readonly packageUrl: string
}

/** Compiles the children and what they import, and builds the package. */
export async function compileChildren(): Promise<Compiled> {
  rmSync(OUT, { recursive: true, force: true })
  const compiler = join(PROJECT_ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  execFileSync(process.execPath, [compiler, '-p', join(PROJECT_ROOT, 'evaluation', 'bench', 'tsconfig.json'), '--outDir', OUT])
  const lib = join(OUT, 'lib')
  await build({
    root: PROJECT_ROOT,
    configFile: join(PROJECT_ROOT, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: lib, rolldownOptions: { input: PARTS } },
  })
  // the tables are found relative to the code, as in the package
  if (existsSync(join(PROJECT_ROOT, 'data'))) symlinkSync(join(PROJECT_ROOT, 'data'), join(OUT, 'data'))
  return { childPath: name => join(OUT, 'evaluation', 'bench', `${name}.js`), packageUrl: `${pathToFileURL(lib).href}/` }
}
