/**
 * What showing, injecting and dispatching cost, in the price of one cached input token.
 *
 * A provider's prefix cache is read front to back, and tools stand before the system prompt and the history. A tool that is added to the
 * list therefore makes everything behind the list uncached once; a schema in a search result adds to the end of the history and makes
 * nothing uncached. After that both are read from the cache in every request, so the schema's own price is the same and cancels out.
 * @module
 */

/** Prices of one input token; only their ratio counts. */
export interface Pricing {
  readonly cacheHit: number
  readonly cacheMiss: number
}

/**
 * How many times an uncached input token costs a cached one, by the model's family, where providers publish it. DSH's routes carry no
 * prices, so the name of the model has to do; the first match counts.
 */
const RATIOS: readonly (readonly [model: RegExp, ratio: number])[] = [
  [/deepseek/i, 50],
  [/claude/i, 10],
  [/gpt-5/i, 10],
  [/gpt-4\.1|\bo3|\bo4/i, 4],
  [/gpt-4o|\bo1/i, 2],
  [/gemini/i, 10],
]

/** DeepSeek's: the one that DSH is made for. Too high a ratio makes nothing uncached. */
const UNKNOWN_RATIO = 50

/** A route as a request's header has it. */
export interface ModelRoute {
  readonly provider: string
  readonly model: string
}

/**
 * @param configured - prices that somebody set; a `cacheMiss` of 0 leaves them to the route.
 * @param route - of the agent's latest request; undefined before the first one.
 */
export function pricingOf(configured: Pricing, route: ModelRoute | undefined): Pricing {
  if (configured.cacheMiss > 0) return configured
  const name = route === undefined ? '' : `${route.provider}/${route.model}`
  return { cacheHit: 1, cacheMiss: RATIOS.find(([model]) => model.test(name))?.[1] ?? UNKNOWN_RATIO }
}

/** Output tokens cost about twice an uncached input token at DeepSeek and its kind. */
const OUTPUT_TO_MISS = 2

/** Tokens that a dispatch makes the model write beyond a native call: the wrapper's name and keys. */
const DISPATCH_TOKENS = 15

/** Calls that a tool gets after it was found, in sessions that call it at all. */
const EXPECTED_CALLS = 3

/**
 * Whether adding tools to the list now is cheaper than calling them through the dispatch.
 * @param behindTools - tokens of the system prompt and the history: what a change of the list makes uncached.
 */
export function isInjectionCheaper(behindTools: number, { cacheHit, cacheMiss }: Pricing): boolean {
  const rebilled = behindTools * Math.max(0, cacheMiss - cacheHit)
  return rebilled < EXPECTED_CALLS * DISPATCH_TOKENS * OUTPUT_TO_MISS * cacheMiss
}

/**
 * Tokens of what stands behind the tools: its share of the characters, of the input that the provider counted. A share, because the
 * difference of a count and an estimate is mostly the error of the estimate while the history is short. At least what the characters
 * suggest, because some adapters leave cached tokens out of their count, and too high an answer makes nothing uncached.
 * @param inputTokens - of the whole request; 0 when the provider did not say.
 */
export function tokensBehind(behindCharacters: number, toolCharacters: number, inputTokens: number): number {
  const share = inputTokens === 0 ? 0 : inputTokens * behindCharacters / (behindCharacters + toolCharacters)
  return Math.max(Math.ceil(share), estimateTokens(behindCharacters))
}

/** A quarter of the characters: what a token of JSON and English prose comes to, within a tenth. */
export function estimateTokens(characters: number): number {
  return Math.ceil(characters / 4)
}
