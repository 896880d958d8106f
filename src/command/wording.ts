/**
 * What `/tool-search` says of what it loaded and forgot, and the way back.
 *
 * DSH logs each command with its outcome (`command/run`, `command/done`). The reducer reads the names there, as it reads them in the result
 * of a search: a resumed session and a fork then have what the command did, without an event type of our own.
 * @module
 */

/** The name behind the slash. */
export const COMMAND = 'tool-search'

/** What a command did to a selection. */
export interface CommandEffects {
  readonly loaded: readonly string[]
  readonly forgotten: readonly string[]
}

const NO_COMMAND_EFFECTS: CommandEffects = { loaded: [], forgotten: [] }

const LINE = /^\d+\. (.+) \((loaded|forgotten)\)$/

/** One line for each name, which {@link readCommand} reads back. */
export function listNames(names: readonly string[], what: 'loaded' | 'forgotten'): string {
  return names.map((name, index) => `${index + 1}. ${name} (${what})`).join('\n')
}

/** Splits the text behind the command's name; a blank one asks for the status. */
export function readVerb(input: string): { readonly verb: string; readonly rest: string } {
  const text = input.trim()
  const [verb = ''] = /^\S+/.exec(text) ?? []
  return { verb: verb === '' ? 'status' : verb.toLowerCase(), rest: text.slice(verb.length).trim() }
}

/**
 * What a command that succeeded did.
 * @param input - the text behind its name; only loading and forgetting do anything, whatever names other answers have in them.
 */
export function readCommand(input: string, text: string): CommandEffects {
  const { verb } = readVerb(input)
  if (verb !== 'load' && verb !== 'forget') return NO_COMMAND_EFFECTS
  const done = verb === 'load' ? 'loaded' : 'forgotten'
  const names = text.split('\n').flatMap((line) => {
    const [, name, what] = LINE.exec(line) ?? []
    return name !== undefined && what === done ? [name] : []
  })
  return verb === 'load' ? { loaded: names, forgotten: [] } : { loaded: [], forgotten: names }
}
