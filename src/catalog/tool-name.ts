/**
 * What a tool's name says about where the tool comes from.
 * @module
 */

/** The parts of a tool name. */
export interface ToolName {
  readonly server?: string | undefined
  /** What people call the tool: the name without its server. */
  readonly leafName: string
}

/**
 * Splits a name of the form `mcp__<server>__<tool>`. DSH appends `_` and 12 hexadecimal digits of a hash to names that it had
 * to change (`publicToolName` of its MCP client); they are no part of what people call the tool.
 */
export function splitToolName(name: string): ToolName {
  const parts = /^mcp__(.+?)__(.+)$/s.exec(name)
  if (parts === null) return { leafName: name }
  const [, server, tool] = parts as unknown as [string, string, string]
  return { server, leafName: tool.replace(/(?<=.)_(?=[a-f]*\d)[\da-f]{12}$/s, '') }
}
