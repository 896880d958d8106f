/**
 * What a search knows of the tools: an immutable snapshot in code-unit name order.
 * @module
 */

/** A tool as a registry or an MCP server declares it; every part but the name may be missing or malformed. */
export interface ToolDeclaration {
  readonly name: string
  readonly description?: string | undefined
  /** JSON Schema of the arguments, as declared; never trusted to be well-formed. */
  readonly parameters?: unknown
}

/**
 * The searchable parts of one tool, in the order in which evidence is reported. `parameterValue` holds the strings that
 * an argument may take (enum, const, default, examples): they are vocabulary of the tool, but not prose about it.
 */
export const FIELDS = ['name', 'description', 'parameterName', 'parameterDescription', 'parameterValue'] as const

export type Field = (typeof FIELDS)[number]

/** One tool of a {@link Catalog}. */
export interface CatalogTool {
  readonly name: string
  /** The declared description cut to `MAX_DESCRIPTION` characters, `''` when missing. */
  readonly description: string
  /**
   * The catalogue's own frozen copy of the declared JSON Schema, keys in declared order; `{}` when missing or unusable.
   * Always a finite tree within the bounds of `json.ts`, so that it is safe to serialise and to recurse into.
   */
  readonly parameters: Readonly<Record<string, unknown>>
  /** Hex SHA-256 of the canonical JSON of name, description and parameters: the key of every cached analysis. */
  readonly contentHash: string
  /** The MCP server that a name of the form `mcp__<server>__<tool>` says. */
  readonly server?: string | undefined
  /** The name without its `mcp__<server>__` prefix and without a hash that DSH appended; the name itself when it has no prefix. */
  readonly leafName: string
  /** Id of the {@link Family} this tool is shown under: its server, else the first configured one, else its shared prefix. */
  readonly family?: string | undefined
  /** Raw texts of each field, within the bounds of the schema walk, in an order that no declaration order changes. */
  readonly texts: Readonly<Record<Field, readonly string[]>>
}

/** Tools that come from one place: an MCP server, a configured group, or a shared name prefix. */
export interface Family {
  readonly id: string
  /** Where the id comes from; a later origin that has the same id adds its tools to the earlier one's family. */
  readonly origin: 'server' | 'configured' | 'prefix'
  readonly description?: string
  /** Other ids that a query may use. */
  readonly aliases?: readonly string[]
  /** Indices into {@link Catalog.tools}, ascending. */
  readonly tools: readonly number[]
}

/** Why a tool was indexed only in part, or not at all. */
export interface CatalogWarning {
  /** The tool's name, or `declaration <position>` (from 1) when it has no usable one. */
  readonly tool: string
  readonly reason: string
}

/** An immutable searchable snapshot of one agent's tools. */
export interface Catalog {
  /** Every usable tool, ascending by name in UTF-16 code units. */
  readonly tools: readonly CatalogTool[]
  /** Shared by successive catalogues of the same names: what depends on names alone can be cached by it. */
  readonly indexByName: ReadonlyMap<string, number>
  readonly families: readonly Family[]
  /** Hex SHA-256 over the content hashes in tool order: independent of locale and of registration order. */
  readonly revision: string
  readonly warnings: readonly CatalogWarning[]
}
