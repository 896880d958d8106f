/**
 * Packs the plugin as it would be published, from a clean copy of its sources.
 * @module
 */

import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access, chmod, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The repository. */
export const ROOT: string = resolve(import.meta.dirname, '../..')

/** The pnpm that package.json names. */
const PNPM = 'pnpm@12.4.2'

/** What never belongs to the sources: outputs, caches, history, and settings of the workspace. */
const NOT_SOURCES = new Set(['.git', 'node_modules', 'lib', '.cache', '.eval', 'test', 'evaluation', 'fixtures', 'pnpm-workspace.yaml'])

/**
 * The environment for `npm`, `pnpm` and `dsh`: the Node.js of this process first, and a pnpm, which `dsh plugin` needs. Without one on
 * the PATH, `npx` brings it.
 * @param folder - for a shim; also the home of every cache and configuration, so that nothing of the user's is read or written.
 */
export async function toolEnvironment(folder: string): Promise<NodeJS.ProcessEnv> {
  const paths = [dirname(process.execPath), join(ROOT, 'node_modules/.bin'), ...process.env['PATH']?.split(delimiter) ?? []]
  if (!await anyHas(paths, 'pnpm')) {
    const shims = join(folder, 'shims')
    await mkdir(shims, { recursive: true })
    await writeFile(join(shims, 'pnpm'), `#!/bin/sh\nexec npx --yes ${PNPM} "$@"\n`)
    await chmod(join(shims, 'pnpm'), 0o755)
    paths.unshift(shims)
  }
  const { DEEPSEEK_API_KEY: _key, DEEPSEEK_BASE_URL: _url, DSH_HOME: _home, ...inherited } = process.env
  return {
    ...inherited,
    PATH: paths.join(delimiter),
    DSH_HOME: join(folder, 'dsh-home'),
    XDG_DATA_HOME: join(folder, 'data'),
    XDG_CACHE_HOME: join(folder, 'cache'),
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CONFIG_HOME: join(folder, 'config'),
  }
}

async function anyHas(paths: readonly string[], command: string): Promise<boolean> {
  const found = await Promise.all(paths.map(async path => access(join(path, command), constants.X_OK).then(() => true, () => false)))
  return found.includes(true)
}

/**
 * Packs with `pnpm pack` or `npm pack`, which builds first.
 * @param destination - folder for the tarball.
 * @returns the tarball's path.
 * @throws when the build or the packing fails, with its output.
 */
export async function packPlugin(destination: string, client: 'pnpm' | 'npm' = 'pnpm'): Promise<string> {
  // Inside the repository, so that the compiler finds the installed types; with settings of its own, so that pnpm installs nothing.
  await mkdir(join(ROOT, '.cache'), { recursive: true })
  const sources = await mkdtemp(join(ROOT, '.cache', 'pack-'))
  try {
    await writeFile(join(sources, 'pnpm-workspace.yaml'), 'packages: [\'.\']\nverifyDepsBeforeRun: false\n')
    for (const name of await readdir(ROOT)) {
      if (!NOT_SOURCES.has(name)) await cp(join(ROOT, name), join(sources, name), { recursive: true })
    }
    await mkdir(destination, { recursive: true })
    const env = await toolEnvironment(destination)
    await run(client, ['pack', '--pack-destination', destination], { cwd: sources, env }).catch((error: unknown) => {
      const { message, stdout } = error as Error & { stdout?: string }
      throw new Error(`${message}\n${stdout ?? ''}`)
    })
    const tarball = (await readdir(destination)).find(name => name.endsWith('.tgz'))
    if (tarball === undefined) throw new Error(`${client} pack left no tarball in ${destination}`)
    return join(destination, tarball)
  }
  finally {
    await rm(sources, { recursive: true, force: true })
  }
}
