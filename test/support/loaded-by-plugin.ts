/**
 * Run as a process of its own: boots DSH with the plugin, searches once, and prints what this process has loaded for it.
 *
 *     node test/support/loaded-by-plugin.ts '<configuration as JSON>'
 *
 * @module
 */

import { registerHooks } from 'node:module'

export interface Loaded {
  /** URLs of all modules, in the order of their loading. */
  readonly modules: readonly string[]
  /** Threads that were started. */
  readonly threads: number
  /** Files of native libraries in this process. */
  readonly libraries: readonly string[]
  /** Resident memory after the search, in bytes. */
  readonly memory: number
  /** What the model read of its search. */
  readonly answer: string
}

const modules: string[] = []
registerHooks({
  load(url, context, nextLoad) {
    modules.push(url)
    return nextLoad(url, context)
  },
})
let threads = 0
process.on('worker', () => { threads += 1 })

const { bootPlugin } = await import('../plugin/tools.ts')
const { call, lastText, text } = await import('./harness.ts')
const harness = await bootPlugin({
  config: JSON.parse(process.argv[2]!),
  script: [call('tool_search', { query: 'weather forecast of a city' }), text('done')],
})
await (await harness.createAgent()).say('go')
const { sharedObjects } = process.report.getReport() as unknown as { sharedObjects: string[] }
const memory = process.memoryUsage().rss
const loaded: Loaded = { modules, threads, libraries: sharedObjects, memory, answer: lastText(harness.requests[1]!) }
await harness.dispose()
process.stdout.write(JSON.stringify(loaded))
