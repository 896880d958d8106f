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

/** The searchable parts of one tool, in the order in which evidence is reported. */
export const FIELDS = ['name', 'description', 'parameterName', 'parameterDescription'] as const

export type Field = (typeof FIELDS)[number]

/** One tool of a {@link Catalog}. */
export interface CatalogTool {
  readonly name: string
  /** The declared description, `''` when missing. */
  readonly description: string
  /** The declared JSON Schema, `{}` when missing or unusable. */
  readonly parameters: unknown
  /** Hex SHA-256 of the canonical JSON of name, description and parameters: the key of every cached analysis. */
  readonly contentHash: string
  /** The name without its `mcp__<server>__` prefix; the name itself when it has none. */
  readonly leafName: string
  /** Id of the {@link Family} this tool belongs to. */
  readonly family?: string | undefined
  /** Raw texts of each field, bounded by the schema walk. */
  readonly texts: Readonly<Record<Field, readonly string[]>>
}

/** Tools that come from one place: an MCP server, a configured group, or a shared name prefix. */
export interface Family {
  readonly id: string
  readonly origin: 'server' | 'configured' | 'prefix'
  /** Indices into {@link Catalog.tools}, ascending. */
  readonly tools: readonly number[]
}

/** Why a tool was indexed only in part, or not at all. */
export interface CatalogWarning {
  readonly tool: string
  readonly reason: string
}

/** An immutable searchable snapshot of one agent's tools. */
export interface Catalog {
  /** Every tool, ascending by name in UTF-16 code units. */
  readonly tools: readonly CatalogTool[]
  readonly indexByName: ReadonlyMap<string, number>
  readonly families: readonly Family[]
  /** Hex SHA-256 over the content hashes in tool order: independent of locale and of registration order. */
  readonly revision: string
  readonly warnings: readonly CatalogWarning[]
}
