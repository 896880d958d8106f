import { describe, expect, it } from 'vitest'
import type { FamilyDeclaration } from '../../src/catalog/families.ts'
import { resolveFamilies } from '../../src/catalog/name-index.ts'
import { buildCatalog } from '../../src/catalog/store.ts'
import { splitToolName } from '../../src/catalog/tool-name.ts'

/** Tools by family id and origin, and the families that tools are shown under. */
function familiesOf(names: readonly string[], families: readonly FamilyDeclaration[] = []): Record<string, readonly string[]> {
  const catalog = buildCatalog(names.map(name => ({ name })), { families })
  return Object.fromEntries(catalog.families.map(({ id, origin, tools }) => [`${origin} ${id}`, tools.map(tool => catalog.tools[tool]!.name)]))
}

describe('families', () => {
  it('are the servers that names say, however few tools they have', () => {
    expect(familiesOf(['mcp__github__create_issue', 'mcp__my_server__a__b', 'read'])).toEqual({
      'server github': ['mcp__github__create_issue'],
      'server my_server': ['mcp__my_server__a__b'],
    })
  })

  it('are prefixes that at least three tools share', () => {
    expect(familiesOf(['browser_click', 'browser_close', 'browserNavigate', 'memory_add', 'memory_read'])).toEqual({
      'prefix browser': ['browserNavigate', 'browser_click', 'browser_close'],
    })
  })

  it('are never verbs or other words that any tool may begin with', () => {
    expect(familiesOf(['get_user', 'get_weather', 'getIssue', 'list-files', 'list_users', 'listAll', 'delete.a', 'delete_b', 'delete_c'])).toEqual({})
    expect(Object.keys(familiesOf(['maps_get', 'maps_list', 'maps_delete']))).toEqual(['prefix maps'])
  })

  it('are namespaces as they are written, generic or not', () => {
    expect(Object.keys(familiesOf(['search_engine__get', 'search_engine__list', 'search_engine__find']))).toEqual(['prefix search_engine'])
  })

  it('are what the configuration says, for tools of servers too', () => {
    const catalog = buildCatalog(
      ['mcp__github__push', 'mcp__gitlab__push', 'svn_commit', 'svn_update', 'svn_log'].map(name => ({ name })),
      { families: [{ id: 'vcs', include: ['mcp__git*', 'svn_commit'] }] },
    )
    expect(catalog.families.find(({ id }) => id === 'vcs')).toEqual({ id: 'vcs', origin: 'configured', tools: [0, 1, 2] })
    expect(catalog.tools.map(({ family }) => family)).toEqual(['github', 'gitlab', 'vcs', undefined, undefined])
  })

  it('that are configured leave out what they exclude, and may describe a server', () => {
    const catalog = buildCatalog(
      ['mcp__github__push', 'svn_commit', 'svn_log'].map(name => ({ name })),
      { families: [
        { id: 'vcs', include: ['svn_*'], exclude: ['svn_log'], aliases: ['subversion'], description: 'Version control.' },
        { id: 'GitHub', include: ['none'], aliases: ['gh'] },
        { id: 'github', include: ['mcp__github__*'], aliases: ['gh'], description: 'Code hosting.' },
      ] },
    )
    expect(catalog.families).toEqual([
      { id: 'github', origin: 'server', tools: [0], aliases: ['gh'], description: 'Code hosting.' },
      { id: 'vcs', origin: 'configured', tools: [1], aliases: ['subversion'], description: 'Version control.' },
    ])
    expect(resolveFamilies(catalog, ['GH', 'subversion', 'nothing'])).toEqual({ tools: new Set([0, 1]), unknown: ['nothing'] })
  })

  it('with one id are one family, of the stronger origin', () => {
    expect(familiesOf(['mcp__GitHub__push', 'github_a', 'github_b', 'github_c'])).toEqual({
      'server GitHub': ['github_a', 'github_b', 'github_c', 'mcp__GitHub__push'],
    })
  })
})

describe('a tool name', () => {
  it.each([
    ['mcp__github__create_issue', { server: 'github', leafName: 'create_issue' }],
    ['mcp__a_b__c__d', { server: 'a_b', leafName: 'c__d' }],
    ['mcp__docs__get_my_page_0a1b2c3d4e5f', { server: 'docs', leafName: 'get_my_page' }],
    ['mcp__docs__open_deadbeefcafe', { server: 'docs', leafName: 'open_deadbeefcafe' }],
    ['mcp__docs__deadbeefcafe', { server: 'docs', leafName: 'deadbeefcafe' }],
    ['mcp__docs___0a1b2c3d4e5f', { server: 'docs', leafName: '_0a1b2c3d4e5f' }],
    ['read_0a1b2c3d4e5f', { leafName: 'read_0a1b2c3d4e5f' }],
    ['mcp__github__', { leafName: 'mcp__github__' }],
    ['mcp____x', { leafName: 'mcp____x' }],
    ['mcp_github_x', { leafName: 'mcp_github_x' }],
  ])('%s', (name, parts) => {
    expect(splitToolName(name)).toEqual(parts)
  })
})
