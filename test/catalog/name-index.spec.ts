import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nameForm, nameFormsOf, resolveFamilies, resolveName, resolveNames } from '../../src/catalog/name-index.ts'
import { nearestNames } from '../../src/catalog/nearest-names.ts'
import { buildCatalog } from '../../src/catalog/store.ts'
import type { Catalog } from '../../src/catalog/types.ts'

function catalogOf(...names: string[]): Catalog {
  return buildCatalog(names.map(name => ({ name })))
}

/** What a name means, in names: `[form, tool]`, `[form, several tools]`, or `unknown`. */
function meaningOf(catalog: Catalog, asked: string, within?: ReadonlySet<number>): unknown {
  const resolution = resolveName(catalog, asked, within)
  expect(resolution.name).toBe(asked)
  if (resolution.outcome === 'unknown') return 'unknown'
  const tools = resolution.outcome === 'found' ? [resolution.tool] : resolution.candidates
  return [resolution.form, ...tools.map(tool => catalog.tools[tool]!.name)]
}

const MIXED = catalogOf('mcp__github__create_issue', 'mcp__gitlab__create_issue', 'mcp__gitlab__listBoards', 'readFile', 'aws.s3.list_buckets',
  'weather__get-forecast', 'ＦＵＬＬ', '___')

describe('a name', () => {
  it.each([
    ['mcp__github__create_issue', ['name', 'mcp__github__create_issue']],
    ['MCP__GitHub__Create_Issue', ['case', 'mcp__github__create_issue']],
    ['listBoards', ['leaf', 'mcp__gitlab__listBoards']],
    ['list_boards', ['form', 'mcp__gitlab__listBoards']],
    ['gitlab list-boards', ['form', 'mcp__gitlab__listBoards']],
    ['gitlab.listBoards', ['form', 'mcp__gitlab__listBoards']],
    ['github__create_issue', ['form', 'mcp__github__create_issue']],
    ['READFILE', ['case', 'readFile']],
    ['read_file', ['form', 'readFile']],
    ['read-file', ['form', 'readFile']],
    ['read.file', ['form', 'readFile']],
    ['read file', ['form', 'readFile']],
    ['functions.readFile', ['name', 'readFile']],
    ['list_buckets', ['leaf', 'aws.s3.list_buckets']],
    ['get-forecast', ['leaf', 'weather__get-forecast']],
    ['getForecast', ['form', 'weather__get-forecast']],
    ['full', ['case', 'ＦＵＬＬ']],
    ['create_issue', ['leaf', 'mcp__github__create_issue', 'mcp__gitlab__create_issue']],
    ['createIssue', ['form', 'mcp__github__create_issue', 'mcp__gitlab__create_issue']],
    ['issue', 'unknown'],
    ['readFiles', 'unknown'],
    ['create', 'unknown'],
    ['', 'unknown'],
    ['--', 'unknown'],
    ['__proto__', 'unknown'],
  ])('%j', (asked, meaning) => {
    expect(meaningOf(MIXED, asked)).toEqual(meaning)
  })

  it('of any length is answered', () => {
    expect(meaningOf(MIXED, 'tools.'.repeat(50_000))).toBe('unknown')
    expect(meaningOf(MIXED, 'tools.readFile')).toEqual(['name', 'readFile'])
  })

  it('in full wins over the same name without a server', () => {
    const catalog = catalogOf('create_issue', 'mcp__github__create_issue')
    expect(meaningOf(catalog, 'create_issue')).toEqual(['name', 'create_issue'])
    expect(meaningOf(catalog, 'Create_Issue')).toEqual(['case', 'create_issue'])
    expect(meaningOf(catalog, 'createIssue')).toEqual(['form', 'create_issue', 'mcp__github__create_issue'])
  })

  it('that only case tells apart is settled by case, and else is ambiguous', () => {
    const catalog = catalogOf('mcp__a__getUser', 'mcp__b__getuser')
    expect(meaningOf(catalog, 'getUser')).toEqual(['leaf', 'mcp__a__getUser'])
    expect(meaningOf(catalog, 'GETUSER')).toEqual(['leaf', 'mcp__a__getUser', 'mcp__b__getuser'])
  })

  it('is settled by a restriction, and not found outside it', () => {
    const { tools } = resolveFamilies(MIXED, ['gitlab'])
    expect(meaningOf(MIXED, 'create_issue', tools)).toEqual(['leaf', 'mcp__gitlab__create_issue'])
    expect(meaningOf(MIXED, 'mcp__github__create_issue', tools)).toBe('unknown')
  })

  it('of a tool finds the tool in full, and without its server where no other tool is called so', () => {
    const names = fc.uniqueArray(fc.stringMatching(/^(?:mcp__[a-c]__)?[a-c]{1,2}[_A-C.-]?[a-c]$/), { maxLength: 10 })
    fc.assert(fc.property(names, (list) => {
      const catalog = catalogOf(...list)
      const forms = catalog.tools.map((_, tool) => nameFormsOf(catalog, tool))
      for (const { name, leafName } of catalog.tools) {
        expect(meaningOf(catalog, name)).toEqual(['name', name])
        if (forms.filter(tool => tool.includes(nameForm(leafName))).length === 1) expect(meaningOf(catalog, leafName)).toContain(name)
        expect(meaningOf(catalog, name.toUpperCase())).not.toBe('unknown')
      }
    }))
  })
})

describe('several names', () => {
  it('are resolved in the order they are asked for', () => {
    expect(resolveNames(MIXED, ['read_file', 'nothing', 'create_issue']).map(({ name, outcome }) => `${name}: ${outcome}`))
      .toEqual(['read_file: found', 'nothing: unknown', 'create_issue: ambiguous'])
  })

  it('in one phrase are taken apart only when every word is a name', () => {
    const catalog = catalogOf('read', 'write', 'read_all')
    const outcomes = (phrase: string): string[] => resolveNames(catalog, [phrase]).map(({ name, outcome }) => `${name}: ${outcome}`)
    expect(outcomes('read write')).toEqual(['read: found', 'write: found'])
    expect(outcomes('read all')).toEqual(['read all: found'])
    expect(outcomes('read books')).toEqual(['read books: unknown'])
  })
})

describe('a restriction', () => {
  it('finds families in any case and spelling, and tells which ids none has', () => {
    const catalog = catalogOf('mcp__My_Server__a', 'mcp__other__b', 'plain')
    expect(resolveFamilies(catalog, ['my-server', 'nowhere'])).toEqual({ tools: new Set([0]), unknown: ['nowhere'] })
    expect(resolveFamilies(catalog, ['MYSERVER', 'other'])).toEqual({ tools: new Set([0, 1]), unknown: [] })
    expect(resolveFamilies(catalog, ['my'])).toEqual({ tools: undefined, unknown: ['my'] })
    expect(resolveFamilies(catalog, [])).toEqual({ tools: undefined, unknown: [] })
  })
})

describe('the nearest names', () => {
  const catalog = catalogOf('mcp__github__create_issue', 'mcp__github__create_branch', 'mcp__slack__post_message', 'get_weather', '天气查询')

  it.each([
    ['creat_isue', 'mcp__github__create_issue'],
    ['issue_create', 'mcp__github__create_issue'],
    ['github create brunch', 'mcp__github__create_branch'],
    ['postMessages', 'mcp__slack__post_message'],
    ['weather', 'get_weather'],
    ['天气', '天气查询'],
  ])('to %j begin with %s', (asked, nearest) => {
    expect(nearestNames(catalog, asked, 3)[0]).toBe(nearest)
  })

  it('are none when nothing is near', () => {
    expect(nearestNames(catalog, 'zzzzqqqq', 5)).toEqual([])
    expect(nearestNames(catalog, '!?', 5)).toEqual([])
    expect(nearestNames(catalog, '', 5)).toEqual([])
  })

  it('are as many as asked for, inside the restriction', () => {
    expect(nearestNames(catalog, 'create', 1)).toHaveLength(1)
    expect(nearestNames(catalog, 'create', 5)).toEqual(['mcp__github__create_issue', 'mcp__github__create_branch'])
    expect(nearestNames(catalog, 'create', 5, resolveFamilies(catalog, ['github']).tools)).toHaveLength(2)
    expect(nearestNames(catalog, 'create', 5, new Set([catalog.indexByName.get('mcp__github__create_branch')!]))).toEqual(['mcp__github__create_branch'])
  })

  it('count a repeated pair as often as both have it', () => {
    expect(nearestNames(catalogOf('aaaaaaaaaa', 'aab'), 'aab', 2)).toEqual(['aab'])
  })
})
