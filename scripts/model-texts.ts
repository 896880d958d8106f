/**
 * What the model reads of this plugin, word for word: collected from sessions of a real DSH with a handful of tools and a scripted model.
 * @module
 */

import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import * as plugin from '../src/index.ts'
import { DISPATCH_TOOL, SEARCH_TOOL } from '../src/tools/contract.ts'
import { boot, call, lastText, shownTool, text, tool } from '../test/support/harness.ts'
import type { Harness, Script, TestAgent } from '../test/support/harness.ts'

export type Language = 'en' | 'zh'

type Words = Readonly<Record<Language, string>>

/** One thing that the model reads. */
interface ModelText {
  readonly when: Words
  /** What it does to the provider's prefix cache. */
  readonly cache: Words
  readonly text: string
}

const CACHE = {
  prefix: { en: 'part of the prefix, repeated byte for byte in a session', zh: '属于前缀，会话内逐字节重复' },
  result: { en: 'appended to the history', zh: '追加到历史' },
  loads: {
    en: 'appended to the history; the next request appends the schemas to the tool list, which makes the system prompt and the history uncached once',
    zh: '追加到历史；下一次请求把 schema 追加到工具列表，系统提示和历史因此一次性失去缓存',
  },
} satisfies Readonly<Record<string, Words>>

const object = (properties: Record<string, unknown>, required: string[]): Record<string, unknown> => ({ type: 'object', properties, required })

const TOOLS = [
  tool('bash', { description: 'Run a shell command.' }),
  tool('mcp__github__create_issue', {
    description: 'Create a new issue in a GitHub repository.', parameters: object({ title: { type: 'string' }, body: { type: 'string' } }, ['title']),
  }),
  tool('mcp__github__list_issues', { description: 'List issues of a GitHub repository.' }),
  tool('mcp__gitlab__list_issues', { description: 'List issues of a GitLab project.' }),
  tool('mcp__weather__get_forecast', { description: 'Get the weather forecast of a city.', parameters: object({ city: { type: 'string' } }, ['city']) }),
]

const search = (query: string) => call(SEARCH_TOOL, { query })

/** Runs one session and reads what the model was sent. */
async function session<T>(disclosure: object, script: Script, read: (harness: Harness, agent: TestAgent) => T): Promise<T> {
  const harness = await boot({ tools: TOOLS, plugin, config: { disclosure }, script })
  try {
    const agent = await harness.createAgent()
    await agent.say('go')
    return read(harness, agent)
  } finally {
    await harness.dispose()
  }
}

/** The results of the first steps of a session, in order. */
async function results(disclosure: object, ...steps: Exclude<Script, (...args: never[]) => unknown>[number][]): Promise<readonly string[]> {
  return session(disclosure, [...steps, text('done')], ({ requests }) => requests.slice(1).map(lastText))
}

const definition = (disclosure: object, name: string): Promise<string> =>
  session(disclosure, [text('done')], ({ requests }) => JSON.stringify(shownTool(requests[0]!, name)))

async function collect(): Promise<readonly ModelText[]> {
  const inject = { mode: 'inject' }
  const dispatch = { mode: 'dispatch' }
  const vague = 'book a flight to Oslo'
  const [loaded, again] = await results(inject, search('weather in Oslo'), search('weather in Oslo'))
  const [, repeated, refused] = await results({ ...inject, maxFruitlessSearches: 2 }, search(vague), search(vague), search(vague))
  const [nothing] = await results(inject, search(vague))
  const [ambiguous] = await results(inject, search('select:list_issues'))
  const [listing] = await results(inject, search('status:'))
  const [guided] = await results(inject, call('mcp__github__create_issue', { name: 'Crash' }))
  const [denied] = await results({ ...inject, hiddenCalls: 'deny' }, call('mcp__github__create_issue', { title: 'Crash' }))
  const [off] = await results({ ...inject, neverSearch: ['mcp__github__*'] }, call('mcp__github__create_issue', { title: 'Crash' }))
  const [ready] = await results(dispatch, search('weather in Oslo'))
  const [misfit] = await results(dispatch, call(DISPATCH_TOOL, { name: 'mcp__github__create_issue', arguments: { name: 'Crash' } }))
  return [
    { when: { en: '`tool_search`, in every request that has something to search', zh: '`tool_search`，出现在每个有可搜索内容的请求里' }, cache: CACHE.prefix, text: await definition(inject, SEARCH_TOOL) },
    { when: { en: '`tool_dispatch`, in modes `dispatch` and `auto`', zh: '`tool_dispatch`，在 `dispatch` 和 `auto` 模式下' }, cache: CACHE.prefix, text: await definition(dispatch, DISPATCH_TOOL) },
    { when: { en: 'A search that loads tools', zh: '加载了工具的搜索' }, cache: CACHE.loads, text: loaded! },
    { when: { en: 'The same search again', zh: '再搜一次相同的内容' }, cache: CACHE.result, text: again! },
    { when: { en: 'A search in mode `dispatch`', zh: '`dispatch` 模式下的搜索' }, cache: CACHE.result, text: ready! },
    { when: { en: 'A search that finds nothing', zh: '什么也没找到的搜索' }, cache: CACHE.result, text: nothing! },
    { when: { en: 'A fruitless search, repeated', zh: '重复没有结果的搜索' }, cache: CACHE.result, text: repeated! },
    { when: { en: 'After `maxFruitlessSearches` of them in one turn', zh: '一轮中达到 `maxFruitlessSearches` 次之后' }, cache: CACHE.result, text: refused! },
    { when: { en: 'A short name that two servers have', zh: '两个服务器共有的短名称' }, cache: CACHE.result, text: ambiguous! },
    { when: { en: '`status:`', zh: '`status:`' }, cache: CACHE.result, text: listing! },
    { when: { en: 'A call of a deferred tool whose arguments do not fit', zh: '调用未加载的工具，而参数不符' }, cache: CACHE.loads, text: guided! },
    { when: { en: 'The same in mode `dispatch`, or through `tool_dispatch`', zh: '同上，`dispatch` 模式或经由 `tool_dispatch`' }, cache: CACHE.result, text: misfit! },
    { when: { en: 'A call of a deferred tool with `hiddenCalls: deny`', zh: '`hiddenCalls: deny` 时调用未加载的工具' }, cache: CACHE.result, text: denied! },
    { when: { en: 'A call of a tool in `neverSearch`', zh: '调用 `neverSearch` 里的工具' }, cache: CACHE.result, text: off! },
  ]
}

const TOKENS: Words = { en: 'tokens', zh: '个 token' }

/** The texts in Markdown, each with its size (gpt-tokenizer, encoding o200k_base) and its effect on the cache. */
export async function modelTexts(language: Language): Promise<string> {
  return (await collect()).map(({ when, cache, text: words }) => [
    `**${when[language]}** (${countTokens(words)} ${TOKENS[language]}; ${cache[language]})`, '', '```text', words, '```',
  ].join('\n')).join('\n\n')
}

const OPEN = '<!-- model texts: generated -->'
const CLOSE = '<!-- end of model texts -->'

/** A README with these texts between its markers. */
export function withModelTexts(readme: string, texts: string): string {
  const [start, end] = [readme.indexOf(OPEN), readme.indexOf(CLOSE)]
  if (start < 0 || end < start) throw new Error('a README has no place for the texts that the model reads')
  return `${readme.slice(0, start + OPEN.length)}\n${texts}\n${readme.slice(end)}`
}
