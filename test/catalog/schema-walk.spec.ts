import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { copyJson } from '../../src/catalog/json.ts'
import { MAX_PARAMETER_DESCRIPTION, MAX_SCHEMA_TEXT, MAX_VALUES, MAX_VALUE_LENGTH, resolvePointer, schemaTexts } from '../../src/catalog/schema-walk.ts'
import type { SchemaTexts } from '../../src/catalog/schema-walk.ts'

function textsOf(schema: unknown): SchemaTexts {
  return schemaTexts(copyJson(schema).value as Readonly<Record<string, unknown>>)
}

describe('the texts of a schema', () => {
  it('are parameter names, what is said about them, and the strings they take', () => {
    expect(textsOf({
      type: 'object',
      properties: {
        state: { type: 'string', description: 'Which issues', enum: ['open', 'closed', 7, null], default: 'open' },
        unit: { const: 'celsius', examples: ['kelvin'], title: 'Temperature scale' },
      },
    })).toEqual({
      parameterName: ['state', 'unit'],
      parameterDescription: ['Which issues', 'Temperature scale'],
      parameterValue: ['open', 'open', 'closed', 'celsius', 'kelvin'],
      truncated: false,
    })
  })

  it('come from every place a schema can be nested in', () => {
    const named = (name: string): object => ({ properties: { [name]: { description: `about ${name}` } } })
    const { parameterName, parameterDescription } = textsOf({
      properties: { object: named('inObject'), array: { items: named('inItems') }, tuple: { prefixItems: [named('inPrefix')], items: [named('inTuple')] } },
      additionalProperties: named('inAdditional'),
      patternProperties: { '^x-': named('inPattern') },
      dependentSchemas: { object: named('inDependent') },
      allOf: [named('inAllOf')],
      anyOf: [named('inAnyOf')],
      oneOf: [named('inOneOf')],
      if: named('inIf'),
      then: named('inThen'),
      else: named('inElse'),
    })
    const expected = ['inAdditional', 'inAllOf', 'inAnyOf', 'inDependent', 'inElse', 'inIf', 'inItems', 'inObject', 'inOneOf', 'inPattern', 'inPrefix', 'inThen',
      'inTuple']
    expect(parameterName.filter(name => name.startsWith('in')).sort()).toEqual(expected)
    expect([...parameterDescription].sort()).toEqual(expected.map(name => `about ${name}`))
  })

  it('do not come from `not`, from patterns, or from definitions that nothing uses', () => {
    expect(textsOf({
      not: { properties: { forbidden: {} } },
      patternProperties: { '^secret$': {} },
      $defs: { unused: { properties: { orphan: {} } } },
      properties: { kept: {} },
    }).parameterName).toEqual(['kept'])
  })

  it('follow references, pointers with escapes too, and each definition once', () => {
    const { parameterName, parameterDescription } = textsOf({
      properties: {
        from: { $ref: '#/$defs/a~1b~0c' },
        to: { $ref: '#/$defs/a~1b~0c' },
        when: { $ref: '#/definitions/time%20span' },
        missing: { $ref: '#/$defs/nowhere' },
        remote: { $ref: 'https://example.com/schema.json' },
      },
      $defs: { 'a/b~c': { description: 'a place', properties: { latitude: {} } } },
      definitions: { 'time span': { description: 'a span of time' } },
    })
    expect(parameterName).toEqual(['from', 'missing', 'remote', 'to', 'when', 'latitude'])
    expect(parameterDescription).toEqual(['a place', 'a span of time'])
  })

  it('end with a schema that refers to itself', () => {
    expect(textsOf({
      properties: { filter: { $ref: '#/$defs/filter' }, whole: { $ref: '#' } },
      $defs: { filter: { properties: { and: { items: { $ref: '#/$defs/filter' } }, field: {} } } },
    }).parameterName).toEqual(['filter', 'whole', 'and', 'field'])
  })

  it('leave out titles that only repeat the name, and the title of the whole', () => {
    expect(textsOf({
      title: 'search_toolArguments',
      properties: { page_size: { title: 'Page Size' }, query: { title: 'What to look for' } },
    }).parameterDescription).toEqual(['What to look for'])
  })

  it('take the first values of an enum, and no value that is a document', () => {
    const values = Array.from({ length: 100 }, (_, at) => `value${at}`)
    expect(textsOf({ properties: { a: { enum: values }, b: { default: 'x'.repeat(MAX_VALUE_LENGTH + 1) } } }).parameterValue)
      .toEqual(values.slice(0, MAX_VALUES))
  })

  it('keep names of the prototype', () => {
    const schema: unknown = JSON.parse('{"properties":{"__proto__":{"description":"a"},"constructor":{"description":"b"},"toString":true}}')
    expect(textsOf(schema)).toMatchObject({ parameterName: ['__proto__', 'constructor', 'toString'], parameterDescription: ['a', 'b'] })
  })

  it('do not depend on the order in which keys are written', () => {
    const properties = { b: { enum: ['x', 'y'], description: 'second' }, a: { description: 'first', anyOf: [{ const: 'z' }] } }
    const reversed = { a: { anyOf: [{ const: 'z' }], description: 'first' }, b: { description: 'second', enum: ['x', 'y'] } }
    expect(textsOf({ properties, description: 'd' })).toEqual(textsOf({ description: 'd', properties: reversed }))
  })

  it('are bounded, the outermost kept, and the cut is told', () => {
    const { parameterDescription } = textsOf({ properties: { long: { description: 'x'.repeat(50_000) } } })
    expect(parameterDescription[0]).toHaveLength(MAX_PARAMETER_DESCRIPTION)
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`parameter${at}`, { description: 'y'.repeat(1_000) }]))
    const texts = textsOf({ properties: many })
    expect(texts.parameterName).toHaveLength(500)
    expect(texts.truncated).toBe(true)
    expect(Object.values(texts).flat().join('').length).toBeLessThanOrEqual(MAX_SCHEMA_TEXT + 'true'.length)
    expect(textsOf({ properties: { few: {} } }).truncated).toBe(false)
  })

  it('are found in anything that is JSON, without an error', () => {
    const keyword = fc.constantFrom('properties', 'items', 'anyOf', '$ref', 'enum', 'title', 'description', 'const', '$defs', 'patternProperties', 'examples')
    const schema = fc.letrec<{ value: unknown }>(tie => ({
      value: fc.oneof({ depthSize: 'medium' }, fc.string(), fc.constantFrom('#', '#/properties', '#/%', 1, null, true),
        fc.array(tie('value'), { maxLength: 4 }), fc.dictionary(keyword, tie('value'), { maxKeys: 5 })),
    })).value
    fc.assert(fc.property(fc.dictionary(keyword, schema), (value) => {
      const { truncated, ...texts } = textsOf(value)
      expect(truncated).toBe(false)
      expect(Object.values(texts).flat().every(text => typeof text === 'string')).toBe(true)
    }))
  })
})

describe('a reference', () => {
  const root = { $defs: { 'a': { title: 'found' }, 'a~1b': { title: 'escaped' } }, list: [{ title: 'first' }] }

  it.each([
    ['#', root],
    ['#/$defs/a', root.$defs.a],
    ['#/%24defs/a', root.$defs.a],
    ['#/$defs/a~01b', root.$defs['a~1b']],
    ['#/list/0', root.list[0]],
    ['#/$defs/b', undefined],
    ['#/$defs/__proto__', undefined],
    ['#/list/length/x', undefined],
    ['#/%', undefined],
    ['#anchor', undefined],
    ['other.json#/a', undefined],
  ])('%s', (reference, target) => {
    expect(resolvePointer(root, reference)).toBe(target)
  })
})
