/**
 * Where models and vectors are kept.
 * @module
 */

import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

const NAME = 'dsh-tool-retriever'

/**
 * @param configured - `dense.cacheDir`; `''` is below DSH's own folder where that is set, else the system's folder for caches.
 * @returns an absolute path.
 */
export function cacheFolder(
  configured: string,
  environment: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  if (configured !== '') return resolve(configured)
  const { DSH_HOME, XDG_CACHE_HOME, LOCALAPPDATA } = environment
  if (DSH_HOME !== undefined && DSH_HOME !== '') return resolve(DSH_HOME, 'cache', NAME)
  if (platform === 'win32') return join(LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), NAME)
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches', NAME)
  return join(XDG_CACHE_HOME ?? join(homedir(), '.cache'), NAME)
}
