/**
 * `pnpm eval:rewrite:record`: answers prepared requests through any provider of DSH, in this process.
 * @module
 */

import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Context } from '@deepseek-ai/cordis'
import type { Plugin } from '@deepseek-ai/cordis'
import LlmRuntime from '@deepseek-ai/dsh-llm'
import { Command } from 'commander'
import { createProgress } from '../report/progress.ts'
import { SetError } from '../sets.ts'
import { EVAL_FOLDER, price, run, wholeNumber } from './command.ts'
import { estimateCost, record, unanswered } from './recorder.ts'
import type { CostEstimate } from './recorder.ts'
import { readRequests, readResponses, REQUESTS_FILE, RESPONSES_FILE } from './requests.ts'

interface Options {
  readonly requests: string
  readonly out?: string
  readonly plugin: string
  readonly pluginConfig: string
  readonly concurrency: number
  readonly timeout: number
  readonly inputPrice: number
  readonly outputPrice: number
  readonly yes?: true
}

/** Loads DSH's model service and the provider plugin, and makes sure that it serves the route. */
async function openRoute(plugin: string, config: string, provider: string): Promise<Context> {
  const ctx = new Context()
  await ctx.plugin(LlmRuntime)
  let namespace: Plugin
  try {
    namespace = await import(plugin) as Plugin
  } catch (error) {
    throw new SetError(`--plugin ${plugin} can't be loaded: ${(error as Error).message.split('\n')[0]}; install it, or name another`)
  }
  await ctx.plugin(namespace, parseConfig(config))
  const served = ctx.llm.listProviders().map(({ id }) => id)
  if (!served.includes(provider)) {
    throw new SetError(`the requests are for provider "${provider}", but ${plugin} serves ${served.join(', ') || 'none'}; prepare them with --provider, or name the right --plugin`)
  }
  return ctx
}

function parseConfig(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw new SetError(`--plugin-config ${json} is not JSON`)
  }
}

const million = (tokens: number): string => `${(tokens / 1e6).toFixed(2)} M`

function estimateLine(count: number, { inputTokens, outputTokens, dollars }: CostEstimate): string {
  return `${count} calls: ${million(inputTokens)} tokens in, about ${million(outputTokens.usual)} out; about $${dollars.usual.toFixed(2)}, `
    + `at most $${dollars.most.toFixed(2)} at the given prices, less with the provider's cache`
}

/** Ends half a line that a killed run left, so that the next line is one of its own. */
function mendEnd(file: string): void {
  if (existsSync(file) && !/(?:^|\n)$/.test(readFileSync(file, 'utf8'))) appendFileSync(file, '\n')
}

async function main(options: Options): Promise<void> {
  const requests = readRequests(resolve(options.requests))
  const out = resolve(options.out ?? join(dirname(options.requests), RESPONSES_FILE))
  const left = unanswered(requests, existsSync(out) ? readResponses(out) : [])
  if (left.length === 0) {
    process.stdout.write(`all ${requests.length} requests are answered in ${out}\n`)
    return
  }
  const providers = [...new Set(left.map(({ provider }) => provider))]
  if (providers.length > 1) throw new SetError(`the requests are for ${providers.join(' and ')}; record one provider at a time`)
  process.stdout.write(`${requests.length - left.length} of ${requests.length} requests are answered. `
    + `${estimateLine(left.length, estimateCost(left, { input: options.inputPrice, output: options.outputPrice }))}\n`)
  if (options.yes !== true) {
    process.stdout.write('Nothing was sent. Add --yes to start.\n')
    return
  }
  const ctx = await openRoute(options.plugin, options.pluginConfig, providers[0]!)
  const stop = new AbortController()
  const interrupt = (): void => stop.abort(new SetError('interrupted; what was answered is kept, run again to go on'))
  process.once('SIGINT', interrupt)
  const progress = createProgress()
  const reasons = new Map<string, number>()
  mendEnd(out)
  progress.stage('responses', left.length)
  try {
    await record(ctx.llm, left, {
      concurrency: options.concurrency,
      timeoutMs: options.timeout * 1_000,
      signal: stop.signal,
      keep(response) {
        appendFileSync(out, `${JSON.stringify(response)}\n`)
        progress.step()
      },
      failed: (_request, reason) => reasons.set(reason, (reasons.get(reason) ?? 0) + 1),
    })
  } finally {
    process.off('SIGINT', interrupt)
    progress.end()
    await ctx.fiber.dispose()
  }
  const failures = [...reasons.values()].reduce((sum, count) => sum + count, 0)
  process.stdout.write(`${left.length - failures} answered: ${out}\n`)
  if (failures > 0) throw new SetError(`${failures} failed (${[...reasons].map(([reason, count]) => `${count} × ${reason}`).join('; ')}); run again to try those`)
}

await run(new Command('eval:rewrite:record')
  .description('Sends prepared requests to a model through DSH\'s own provider plugin and keeps each answer as a JSON line. Says first what it will cost, and '
    + 'starts with --yes only. Goes on where an earlier run ended. The key comes from the environment, by the name that the provider plugin reads '
    + '(DEEPSEEK_API_KEY for DeepSeek).')
  .option('--requests <file>', 'from eval:rewrite:prepare', join(EVAL_FOLDER, REQUESTS_FILE))
  .option('--out <file>', `where the responses go (default: ${RESPONSES_FILE} beside the requests)`)
  .option('--plugin <package>', 'provider plugin of DSH', '@deepseek-ai/dsh-llm-deepseek')
  .option('--plugin-config <json>', 'its configuration', '{}')
  .option('--concurrency <n>', 'calls at once', wholeNumber, 4)
  .option('--timeout <seconds>', 'time of one call', wholeNumber, 60)
  .option('--input-price <dollars>', 'of a million input tokens; the default is DeepSeek Flash at peak hours', price, 0.3)
  .option('--output-price <dollars>', 'of a million output tokens; as above', price, 1.2)
  .option('--yes', 'start')
  .action(main))
