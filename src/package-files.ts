/**
 * Where the package's own files are: beside `lib/` when it is installed, beside `src/` in the repository. Only this module knows, and a
 * build keeps it in a file of that folder.
 * @module
 */

/** @param name - path from the root of the package. */
export function packageFile(name: string): URL {
  return new URL(`../${name}`, import.meta.url)
}

/** The built or the source file of a module that runs in a thread of its own. @param name - path from this folder, without extension. */
export function workerFile(name: string): URL {
  return new URL(`./${name}${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url)
}
