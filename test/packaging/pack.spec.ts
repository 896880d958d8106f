import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { satisfies } from 'semver'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packPlugin, ROOT } from '../support/pack.ts'

interface Manifest {
  readonly name: string
  readonly bin?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
  readonly scripts?: Readonly<Record<string, string>>
  readonly dsh?: { readonly bundle?: { readonly patch?: string } }
}

const MEBIBYTE = 2 ** 20

/** Installed size of the plugin with everything it brings, without DSH, which is there already. */
const MAX_INSTALLED_BYTES = 25 * MEBIBYTE

/** The browser half, loaded with every page. */
const MAX_CLIENT_CHARS = 60_000

/** What npm runs in the folder of an installed package. */
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall', 'prepare']

let folder: string
let packed: string
let files: string[]
let manifest: Manifest

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packaging-'))
  const tarball = await packPlugin(folder)
  execFileSync('tar', ['-xzf', tarball, '-C', folder])
  packed = join(folder, 'package')
  files = await filesBelow(packed)
  manifest = await readManifest(packed)
}, 120_000)

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

describe('tarball', () => {
  it('holds what a user needs and nothing else', () => {
    const top = [...new Set(files.map(file => file.split('/')[0]))]
    const allowed = ['CHANGELOG.md', 'LICENSE', 'README.md', 'README.zh.md', 'THIRD_PARTY_NOTICES.md', 'cordis.patch.yml', 'data', 'lib', 'package.json']
    expect(top.filter(name => !allowed.includes(name!))).toEqual([])
    const needed = ['LICENSE', 'README.md', 'cordis.patch.yml', 'lib/index.js', 'lib/index.d.ts', 'package.json']
    expect(needed.filter(name => !files.includes(name))).toEqual([])
  })

  it('holds built code: no TypeScript sources, no imports of them', async () => {
    expect(files.filter(file => /(?<!\.d)\.ts$/.test(file))).toEqual([])
    for (const file of files.filter(name => name.endsWith('.js'))) {
      expect(await readFile(join(packed, file), 'utf8'), file).not.toMatch(/from ['"]\.[^'"]*\.ts['"]/)
    }
  })

  it('brings no data that the code does not read', async () => {
    const code = await Promise.all(files.filter(file => file.endsWith('.js')).map(async file => readFile(join(packed, file), 'utf8')))
    const data = files.filter(file => file.startsWith('data/') && !file.endsWith('.md'))
    expect(data.filter(file => !code.some(text => text.includes(basename(file))))).toEqual([])
  })

  it('has every file that its manifest names', () => {
    const entries = Object.values(manifest.exports ?? {}).flatMap(entry => typeof entry === 'string' ? [entry] : Object.values(entry))
    const named = [...entries, ...Object.values(manifest.bin ?? {}), manifest.dsh?.bundle?.patch ?? 'no dsh.bundle.patch']
    expect(named.filter(name => !files.includes(name.replace('./', '')))).toEqual([])
  })

  it('has a browser half that needs nothing but what the page has', async () => {
    const client = await readFile(join(packed, 'lib/client.js'), 'utf8')
    expect(client).toMatch(/^window\.__ModuleLoader__\.load\(\{id:"dsh-tool-retriever",factory:/)
    const required = new Set([...client.matchAll(/require\(["'`](.+?)["'`]\)/g)].map(([, name]) => name))
    expect(required).toEqual(new Set(['react', 'react/jsx-runtime']))
    expect(client).not.toContain('process.')
    expect(client.length).toBeLessThan(MAX_CLIENT_CHARS)
  })

  it('starts its commands with a line for the shell', async () => {
    for (const script of Object.values(manifest.bin ?? {})) {
      expect(await readFile(join(packed, script), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
    }
  })

  it('has commands that work on their own: with the hard dependencies, without DSH', async () => {
    const modules = join(packed, 'node_modules')
    for (const [name, directory] of await installed(manifest)) {
      await mkdir(dirname(join(modules, name)), { recursive: true })
      await symlink(directory, join(modules, name))
    }
    const catalog = join(folder, 'tools.json')
    await writeFile(catalog, JSON.stringify([{ name: 'send_mail', description: 'Sends a mail.' }, { name: 'read_page', description: 'Reads a page.' }]))
    const [script] = Object.values(manifest.bin ?? {})
    const output = execFileSync(process.execPath, [join(packed, script!), 'search', '--json', '--catalog', catalog, 'send a mail'], { encoding: 'utf8' })
    expect(output).toContain('send_mail')
  })

  it('is made by npm just the same', async () => {
    const tarball = await packPlugin(join(folder, 'by-npm'), 'npm')
    const listed = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).trim().split('\n')
    expect(listed.map(name => name.replace('package/', '')).toSorted()).toEqual(files)
  }, 120_000)
})

describe('dependencies', () => {
  it('are declared: every package that the code imports, DSH as a peer and never as a dependency', async () => {
    const imported = new Set<string>()
    // React is the page's.
    for (const file of files.filter(name => /\.(js|d\.ts)$/.test(name) && name !== 'lib/client.js')) {
      const code = await readFile(join(packed, file), 'utf8')
      for (const [, name] of code.matchAll(/\b(?:from |import |import\(|require\()['"]((?:@[\w.-]+\/)?\w[\w.-]*)(?:\/[^'"]*)?['"]/g)) imported.add(name!)
    }
    const dependencies = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })
    const peers = Object.keys(manifest.peerDependencies ?? {})
    expect([...imported].filter(name => ![...dependencies, ...peers].includes(name))).toEqual([])
    // An optional peer may be there for its types alone: its service is asked for by name.
    const isOptional = (name: string): boolean => manifest.peerDependenciesMeta?.[name]?.optional === true
    expect([...dependencies, ...peers].filter(name => !imported.has(name) && !isOptional(name))).toEqual([])
    expect(dependencies.filter(isOfDsh)).toEqual([])
  })

  it('run no script when they are installed', async () => {
    const offenders: string[] = []
    for (const [name, directory] of await installed(manifest)) {
      const { scripts } = await readManifest(directory)
      const isNative = await stat(join(directory, 'binding.gyp')).then(() => true, () => false)
      if (isNative || INSTALL_SCRIPTS.slice(0, 3).some(script => scripts?.[script] !== undefined)) offenders.push(name)
    }
    expect(offenders).toEqual([])
    expect(INSTALL_SCRIPTS.filter(script => manifest.scripts?.[script] !== undefined)).toEqual([])
  })

  it(`weigh at most ${MAX_INSTALLED_BYTES / MEBIBYTE} MiB with the plugin`, async () => {
    const directories = [packed, ...(await installed(manifest)).values()]
    const sizes = await Promise.all(directories.map(bytesBelow))
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MAX_INSTALLED_BYTES)
  })
})

describe('range of DSH', () => {
  const served = ['0.1.0-rc.6', '0.1.0-rc.7', '0.1.0-rc.8', '0.1.0', '0.1.1-rc.2', '0.1.2-alpha.2', '0.1.5-rc.2', '0.1.5', '0.1.9-beta.1', '0.1.42']
  const refused = ['0.0.1-rc.1', '0.1.0-rc.5', '0.2.0-rc.1', '0.2.0', '1.0.0']

  it.each(served)('admits %s', (version) => {
    for (const [name, range] of dshPeers()) expect(satisfies(version, range), `${name} ${range}`).toBe(true)
  })

  it.each(refused)('refuses %s', (version) => {
    for (const [name, range] of dshPeers()) expect(satisfies(version, range), `${name} ${range}`).toBe(false)
  })

  function dshPeers(): [string, string][] {
    return Object.entries(manifest.peerDependencies ?? {}).filter(([name]) => name.startsWith('@deepseek-ai/dsh-'))
  }
})

function isOfDsh(name: string): boolean {
  return name.startsWith('@deepseek-ai/')
}

/** Every package that installing the plugin brings, by name: its hard and optional dependencies and theirs. */
async function installed({ dependencies, optionalDependencies }: Manifest): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const open = Object.keys({ ...dependencies, ...optionalDependencies }).map(name => [name, ROOT] as const)
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [name, parent] = next
    if (found.has(name)) continue
    const directory = await resolvePackage(name, parent)
    found.set(name, directory)
    const child = await readManifest(directory)
    open.push(...Object.keys({ ...child.dependencies, ...child.optionalDependencies }).map(key => [key, directory] as const))
  }
  return found
}

/** The folder of a dependency, nested or hoisted. */
async function resolvePackage(name: string, parent: string): Promise<string> {
  const nested = join(parent, 'node_modules', name)
  return await stat(nested).then(() => true, () => false) ? nested : join(ROOT, 'node_modules', name)
}

async function readManifest(directory: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')) as Manifest
}

/** Paths of all files below a folder, with `/`, sorted. */
async function filesBelow(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return entries.filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(directory.length + 1).replaceAll('\\', '/'))
    .toSorted()
}

/** Size of a package's own files. */
async function bytesBelow(directory: string): Promise<number> {
  const own = (await filesBelow(directory)).filter(file => !file.startsWith('node_modules/'))
  const sizes = await Promise.all(own.map(async file => (await stat(join(directory, file))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}
