import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_DESCRIPTION } from '../../src/catalog/analysis.ts'
import { MAX_NAME } from '../../src/catalog/declarations.ts'
import { buildCatalog, createCatalogStore } from '../../src/catalog/store.ts'
import type { Catalog, ToolDeclaration } from '../../src/catalog/types.ts'

const ISSUE: ToolDeclaration = {
  name: 'mcp__github__create_issue',
  description: 'Open an issue',
  parameters: { type: 'object', properties: { title: { type: 'string', description: 'Headline' }, state: { enum: ['open', 'closed'] } } },
}

function declare(count: number): ToolDeclaration[] {
  return Array.from({ length: count }, (_, at) => ({
    name: `tool_${at}`, description: `Does ${at}`, parameters: { properties: { [`argument${at}`]: { type: 'string' } } },
  }))
}

function reasonsFor(catalog: Catalog, tool: string): string[] {
  return catalog.warnings.filter(warning => warning.tool === tool).map(({ reason }) => reason)
}

const declarations = fc.uniqueArray(
  fc.record({
    name: fc.string({ minLength: 1, maxLength: 12 }),
    description: fc.string(),
    parameters: fc.dictionary(fc.string(), fc.jsonValue()),
  }),
  { selector: ({ name }) => name, maxLength: 12 },
)

describe('a catalogue', () => {
  it('holds what a search can look at', () => {
    const { tools: [tool], warnings } = buildCatalog([ISSUE])
    expect(tool).toMatchObject({
      ...ISSUE,
      server: 'github',
      leafName: 'create_issue',
      family: 'github',
      texts: {
        name: ['github', 'create_issue'],
        description: ['Open an issue'],
        parameterName: ['state', 'title'],
        parameterDescription: ['Headline'],
        parameterValue: ['open', 'closed'],
      },
    })
    expect(tool!.contentHash).toMatch(/^[0-9a-f]{64}$/)
    expect(warnings).toEqual([])
  })

  it('orders tools by code units, whatever the locale says', () => {
    const names = ['b', 'Z', 'ä', 'a', '_', 'z1', 'z10', 'z2']
    const { tools, indexByName } = buildCatalog(names.map(name => ({ name })))
    expect(tools.map(({ name }) => name)).toEqual(['Z', '_', 'a', 'b', 'z1', 'z10', 'z2', 'ä'])
    expect(tools.every(({ name }, index) => indexByName.get(name) === index)).toBe(true)
  })

  it('is the same in any order of registration and of schema keys', () => {
    const shuffled = declarations.chain(list => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })))
    fc.assert(fc.property(shuffled, ([list, other]) => {
      const reversed = other.map(({ name, description, parameters }) =>
        ({ parameters: Object.fromEntries(Object.entries(parameters).reverse()), description, name }))
      const { tools, families, revision, warnings } = buildCatalog(list)
      const again = buildCatalog(reversed)
      expect(again).toEqual({ ...again, tools, families, revision, warnings })
    }))
  })

  it('has another revision when anything about a tool is another', () => {
    const other: ToolDeclaration[] = [
      { ...ISSUE, name: 'mcp__github__create_issues' },
      { ...ISSUE, description: 'Open an issue.' },
      { ...ISSUE, parameters: { ...ISSUE.parameters as object, required: ['title'] } },
    ]
    const revisions = [[ISSUE], ...other.map(tool => [tool]), [], [ISSUE, ...declare(1)]].map(list => buildCatalog(list).revision)
    expect(new Set(revisions).size).toBe(revisions.length)
    expect(buildCatalog([structuredClone(ISSUE)]).revision).toBe(revisions[0])
  })

  it('can not be changed, and no change of a declaration reaches it', () => {
    const declaration = structuredClone(ISSUE)
    const { tools } = buildCatalog([declaration])
    ;(declaration.parameters as { properties: Record<string, unknown> }).properties.title = 'gone'
    expect(tools[0]!.parameters).toEqual(ISSUE.parameters)
    expect([tools[0], tools[0]!.parameters, tools[0]!.texts].every(Object.isFrozen)).toBe(true)
  })
})

describe('bad declarations', () => {
  it('without a usable name are left out with a warning, and cost the others nothing', () => {
    const broken = [undefined, null, 7, {}, { name: 5 }, { name: '' }, { name: 'x'.repeat(MAX_NAME + 1) }] as unknown as ToolDeclaration[]
    const { tools, warnings } = buildCatalog([...broken, ISSUE, { get name(): string { throw new Error('hostile') } }])
    expect(tools.map(({ name }) => name)).toEqual([ISSUE.name])
    const [unreadable, unnamed] = ['it cannot be read; left out', 'it has no name; left out']
    expect(warnings).toEqual([
      { tool: 'declaration 1', reason: unreadable },
      { tool: 'declaration 2', reason: unreadable },
      ...[3, 4, 5, 6].map(position => ({ tool: `declaration ${position}`, reason: unnamed })),
      { tool: 'declaration 9', reason: unreadable },
      { tool: `${'x'.repeat(80)}…`, reason: `its name has ${MAX_NAME + 1} characters, more than ${MAX_NAME}; left out` },
    ])
  })

  it('of one name: the first is used, the others are warned of', () => {
    const catalog = buildCatalog([ISSUE, { ...ISSUE, description: 'Another' }, { ...ISSUE, description: 'A third' }])
    expect(catalog.tools.map(({ description }) => description)).toEqual(['Open an issue'])
    expect(reasonsFor(catalog, ISSUE.name)).toEqual(Array(2).fill('declared more than once; the first declaration is used'))
  })

  it.each([undefined, null, true, {}])('parameters %j mean any arguments, and are no mistake', (parameters) => {
    const { tools: [tool], warnings } = buildCatalog([{ name: 'tool', description: 'd', parameters }])
    expect(tool!.parameters).toEqual({})
    expect(warnings).toEqual([])
  })

  it.each([false, 'string', 7, [{}]])('parameters %j are a mistake: the tool is found by the rest', (parameters) => {
    const catalog = buildCatalog([{ name: 'tool', description: 'd', parameters }])
    expect(catalog.tools[0]).toMatchObject({ description: 'd', parameters: {} })
    expect(reasonsFor(catalog, 'tool')).toEqual(['its parameters are not a JSON Schema object; indexed without them'])
  })

  it('that can not be read are indexed without what can not be read', () => {
    const parameters = { properties: { get bad(): never { throw new Error('hostile') } } }
    const catalog = buildCatalog([{ name: 'tool', description: 'd', parameters }])
    expect(catalog.tools[0]!.parameters).toEqual({})
    expect(reasonsFor(catalog, 'tool')).toEqual(['its parameters cannot be read; indexed without them'])
  })

  it('with a description that is none are indexed without it', () => {
    const catalog = buildCatalog([{ name: 'number', description: 5 as never }, { name: 'missing' }, { name: 'empty', description: '' }])
    expect(catalog.tools.map(({ description }) => description)).toEqual(['', '', ''])
    expect(catalog.warnings).toEqual([{ tool: 'number', reason: 'its description is not a string; indexed without it' }])
  })

  it('of any size are indexed within bounds', () => {
    const description = `weather ${'x'.repeat(5_000_000)}`
    const cyclic: Record<string, unknown> = { properties: { city: { description: 'y'.repeat(10_000) } } }
    ;(cyclic.properties as Record<string, unknown>).self = cyclic
    const wide = { properties: Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`p${at}`, { type: 'string' }])) }
    const catalog = buildCatalog([{ name: 'long', description }, { name: 'cyclic', description: 'd'.repeat(10_000), parameters: cyclic }, { name: 'wide', parameters: wide }])
    const [byCycle, long, byWidth] = catalog.tools
    expect(long!.description).toBe(description.slice(0, MAX_DESCRIPTION))
    expect(byCycle!.description).toHaveLength(10_000)
    expect(byWidth!.texts.parameterName).toHaveLength(500)
    expect(catalog.warnings).toEqual([
      { tool: 'cyclic', reason: 'cyclic schema; the rest is not indexed' },
      { tool: 'long', reason: `its description has 5000008 characters; only the first ${MAX_DESCRIPTION} are indexed` },
    ])
  })

  it('with lone surrogates and names of the prototype are tools like others', () => {
    const parameters: unknown = JSON.parse('{"properties":{"__proto__":{"description":"odd"},"constructor":{}}}')
    const names = ['\ud800', '\ud801', '__proto__', 'constructor', 'hasOwnProperty']
    const catalog = buildCatalog(names.map(name => ({ name, description: '\udc00', parameters })))
    expect(new Set(catalog.tools.map(({ contentHash }) => contentHash)).size).toBe(names.length)
    expect(names.map(name => catalog.tools[catalog.indexByName.get(name)!]!.name)).toEqual(names)
    expect(catalog.tools[0]!.texts).toMatchObject({ parameterName: ['__proto__', 'constructor'], parameterDescription: ['odd'] })
    expect(catalog.warnings).toEqual([])
  })

  it('that differ only in what is not indexed are still told apart', () => {
    const description = 'x'.repeat(MAX_DESCRIPTION)
    const [first, second] = [`${description}a`, `${description}b`].map(text => buildCatalog([{ name: 'tool', description: text }]))
    expect(first!.tools[0]!.description).toBe(second!.tools[0]!.description)
    expect(first!.revision).not.toBe(second!.revision)
  })

  it('of whatever kind give a catalogue', () => {
    const named = fc.record({ name: fc.string(), description: fc.anything(), parameters: fc.anything({ withNullPrototype: true }) })
    fc.assert(fc.property(fc.array(fc.oneof(fc.anything(), named)), (list) => {
      const { tools, revision } = buildCatalog(list as ToolDeclaration[])
      expect(revision).toMatch(/^[0-9a-f]{64}$/)
      expect(() => JSON.stringify(tools)).not.toThrow()
    }))
  })
})

describe('a store', () => {
  it('gives the same catalogue as long as nothing changed', () => {
    const store = createCatalogStore()
    const list = declare(20)
    const catalog = store.snapshot(list)
    expect(store.snapshot(list)).toBe(catalog)
    expect(store.snapshot(structuredClone(list).reverse())).toBe(catalog)
    expect(store.snapshot(list.slice(1))).not.toBe(catalog)
    expect(store.snapshot(list)).toBe(catalog)
  })

  it('gives another one when only a warning changed', () => {
    const store = createCatalogStore()
    const catalog = store.snapshot([ISSUE, ISSUE])
    const clean = store.snapshot([ISSUE])
    expect(clean.revision).toBe(catalog.revision)
    expect([catalog.warnings.length, clean.warnings.length]).toEqual([1, 0])
  })

  it('does not warn of a declaration for what was wrong with an earlier one', () => {
    const store = createCatalogStore()
    const warnings = [7, {}, undefined, 7].map(parameters => store.snapshot([{ name: 'tool', description: 'd', parameters }]).warnings.length)
    expect(warnings).toEqual([1, 0, 0, 1])
  })

  it('analyses only what changed', () => {
    const store = createCatalogStore()
    const list = declare(50)
    const before = store.snapshot(list)
    const changed = structuredClone(list)
    changed[7] = { ...changed[7]!, description: 'Something else' }
    const after = store.snapshot([...changed, { name: 'tool_new' }])
    const renewed = after.tools.filter(tool => !before.tools.includes(tool)).map(({ name }) => name)
    expect(renewed).toEqual(['tool_7', 'tool_new'])
  })

  it('finds a tool again after it was removed, or declared with its keys in another order', () => {
    const store = createCatalogStore()
    const [tool] = store.snapshot([ISSUE]).tools
    store.snapshot([])
    const { properties, type } = ISSUE.parameters as { properties: unknown; type: unknown }
    expect(store.snapshot([{ ...ISSUE, parameters: { properties, type } }]).tools[0]).toBe(tool)
  })

  it('takes a schema object for what it was, and a new object for what it is', () => {
    const store = createCatalogStore()
    const changed = structuredClone(ISSUE.parameters) as { properties: Record<string, unknown> }
    const before = store.snapshot([ISSUE])
    changed.properties.labels = {}
    const after = store.snapshot([{ ...ISSUE, parameters: changed }])
    expect(after.tools[0]!.texts.parameterName).toEqual(['labels', 'state', 'title'])
    expect(before.tools[0]!.texts.parameterName).toEqual(['state', 'title'])
  })

  it('does nothing for registrations that nobody looks at, and one build for all of them', () => {
    let reads = 0
    const watched = declare(500).map(({ parameters, ...rest }) => Object.defineProperty(rest, 'parameters', {
      get: () => { reads += 1; return parameters },
    }))
    const store = createCatalogStore()
    const registry: ToolDeclaration[] = []
    for (const declaration of watched) registry.push(declaration)
    expect([reads, store.size]).toEqual([0, 0])
    expect(store.snapshot(registry).tools).toHaveLength(500)
    expect([reads, store.size]).toEqual([500, 500])
  })

  it('forgets what no remembered catalogue uses', () => {
    const store = createCatalogStore({ maxCatalogs: 2 })
    for (let version = 0; version < 100; version += 1) store.snapshot([ISSUE, { name: 'changing', description: `version ${version}` }])
    expect(store.size).toBe(3)
    store.snapshot([])
    store.snapshot(declare(1))
    expect(store.size).toBe(1)
  })

  it('keeps the catalogues of agents that take turns', () => {
    const store = createCatalogStore({ maxCatalogs: 2 })
    const [left, right] = [declare(5), [ISSUE, { ...declare(1)[0]!, description: 'shadowed' }]]
    const catalogs = [store.snapshot(left), store.snapshot(right)]
    expect([store.snapshot(left), store.snapshot(right), store.snapshot(left)]).toEqual([catalogs[0], catalogs[1], catalogs[0]])
    expect(store.snapshot(left)).toBe(catalogs[0])
    expect(store.snapshot(right)).toBe(catalogs[1])
    expect(catalogs[1]!.tools[1]).toMatchObject({ name: 'tool_0', description: 'shadowed' })
  })

  it('says the same as a catalogue built from nothing, whatever came before', () => {
    const store = createCatalogStore({ maxCatalogs: 2 })
    fc.assert(fc.property(declarations, (list) => {
      const expected = buildCatalog(list)
      expect(store.snapshot(list)).toEqual(expected)
      const changed = list.map((tool, at) => at === 0 ? { ...tool, description: `${tool.description}!` } : tool)
      expect(store.snapshot(changed)).toEqual(buildCatalog(changed))
    }))
  })

  it('makes of a few changed declarations what it would make of them anew, also back again, with mistakes and other families', () => {
    const store = createCatalogStore({ maxCatalogs: 3 })
    const names = [...Array.from({ length: 40 }, (_, at) => `tool_${at}`), 'mcp__a__x', 'mcp__a__y']
    let list: ToolDeclaration[] = names.map(name => ({ name, description: 'first', parameters: { type: 'object' } }))
    store.snapshot(list)
    const edit = fc.record({
      at: fc.nat({ max: names.length - 1 }),
      description: fc.constantFrom<unknown>('first', 'second', 'third', 7),
      parameters: fc.constantFrom<unknown>({ type: 'object' }, { type: 'object', properties: { a: {} } }, true, 'mistake'),
    })
    fc.assert(fc.property(fc.array(edit, { maxLength: 4 }), (edits) => {
      list = [...list]
      for (const { at, description, parameters } of edits) list[at] = { ...list[at]!, description: description as string, parameters }
      const catalog = store.snapshot(list)
      expect(catalog).toEqual(buildCatalog(list))
      expect(store.snapshot(structuredClone(list))).toBe(catalog)
      expect(store.snapshot([...list])).toBe(catalog)
    }))
  })

  it('does not take a catalogue with a declaration that was left out for one without', () => {
    const store = createCatalogStore()
    const list = declare(20)
    const other = list.map((tool, at) => at === 3 ? { ...tool, description: 'other' } : tool)
    expect(store.snapshot([...list, list[0]!]).warnings).toHaveLength(1)
    store.snapshot(other)
    expect(store.snapshot(list).warnings).toEqual([])
    expect(store.snapshot(list).tools).toEqual(buildCatalog(list).tools)
  })
})
