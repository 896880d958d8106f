/** Tools that the plugin's tests share: two core tools, three servers. */

import * as plugin from '../../src/index.ts'
import { boot, tool } from '../support/harness.ts'
import type { BootOptions, Harness } from '../support/harness.ts'

const object = (properties: Record<string, unknown>, required: string[] = []): Record<string, unknown> => ({ type: 'object', properties, required })

export const TOOLS = [
  tool('bash', { description: 'Run a shell command.' }),
  tool('read', { description: 'Read a file.' }),
  tool('mcp__github__create_issue', {
    description: 'Create a new issue in a GitHub repository.',
    parameters: object({ title: { type: 'string' }, body: { type: 'string' } }, ['title']),
  }),
  tool('mcp__github__list_issues', { description: 'List issues of a GitHub repository.' }),
  tool('mcp__github__merge_pull_request', { description: 'Merge a pull request.' }),
  tool('mcp__calendar__create_event', { description: 'Create a calendar event with attendees and a time.' }),
  tool('mcp__calendar__delete_event', { description: 'Delete a calendar event.' }),
  tool('mcp__weather__get_forecast', { description: 'Get the weather forecast of a city.' }),
]

/** The issue tool alone has arguments that can be wrong. */
export const ISSUE = 'mcp__github__create_issue'

export const FORECAST = 'mcp__weather__get_forecast'

/**
 * Boots DSH with these tools and the plugin; single options replace the defaults. The mode is `inject` unless a test names another one,
 * whatever the default is: mode `auto` shows a catalogue as small as this whole.
 */
export async function bootPlugin({ config, ...options }: BootOptions = {}): Promise<Harness> {
  return boot({ tools: TOOLS, plugin, config: injecting(config), ...options })
}

/** The same configuration in mode `inject`; what is no configuration stays as it is. */
function injecting(config: unknown = {}): unknown {
  if (typeof config !== 'object' || config === null) return config
  const { disclosure = {} } = config as { disclosure?: unknown }
  return typeof disclosure === 'object' ? { ...config, disclosure: { mode: 'inject', ...disclosure } } : config
}
