/**
 * The texts of a parameter schema as the baseline and the peers index them.
 * @module
 */

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Each schema node's description, then its property names in code-unit order with their schemas, then `items`, then `anyOf`.
 * Nothing else of JSON Schema is read, by definition of the baseline: no enum values, no `$ref`, no `oneOf`.
 */
export function schemaTexts(schema: unknown): string[] {
  if (!isObject(schema)) return []
  const texts = typeof schema['description'] === 'string' ? [schema['description']] : []
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  for (const name of Object.keys(properties).sort()) texts.push(name, ...schemaTexts(properties[name]))
  texts.push(...schemaTexts(schema['items']))
  for (const alternative of Array.isArray(schema['anyOf']) ? schema['anyOf'] : []) texts.push(...schemaTexts(alternative))
  return texts
}
