/**
 * Tool-name patterns of the configuration: exact names, and `*` for any run of characters.
 * @module
 */

/** Whether a tool name is meant by a list of patterns. */
export type NamePredicate = (name: string) => boolean

/** Verdicts remembered before the memory is emptied; well above the largest registry anyone runs. */
const MAX_REMEMBERED = 50_000

/**
 * Compiles a list of names and `*` patterns. Verdicts are remembered by name, because every request asks about every tool.
 * @param patterns - every character but `*` is literal; an empty list means no name.
 */
export function compilePatterns(patterns: readonly string[]): NamePredicate {
  if (patterns.length === 0) return () => false
  const expression = new RegExp(`^(?:${patterns.map(toExpression).join('|')})$`, 's')
  const verdicts = new Map<string, boolean>()
  return (name) => {
    const known = verdicts.get(name)
    if (known !== undefined) return known
    if (verdicts.size >= MAX_REMEMBERED) verdicts.clear()
    const verdict = expression.test(name)
    verdicts.set(name, verdict)
    return verdict
  }
}

function toExpression(pattern: string): string {
  return pattern.split('*').map(literal => literal.replace(/[\\^$.|?+()[\]{}]/g, String.raw`\$&`)).join('.*')
}
