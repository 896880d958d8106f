/**
 * What the card says, in English and Chinese.
 * @module
 */

import { useSyncExternalStore } from 'react'
import type { ChannelShare, OverviewTool, PreviewResult, ToolState } from '../src/web/protocol.ts'
import type { Observable } from './host.ts'

type Field = OverviewFields[number]
type OverviewFields = PreviewResult['matchedFields']

const en = {
  title: 'Tool retriever',
  description: 'Which tools agents see, and how they find the rest.',
  expand: 'Show settings',
  collapse: 'Hide settings',
  loading: 'Reading the tools…',
  noAgent: 'Open a session to see its tools.',
  failed: (reason: string) => `The tools can't be read: ${reason}`,
  agent: 'Agent',
  newSession: 'New session',
  subagent: 'sub-agent',

  overview: 'Now',
  totalTools: 'Tools',
  totalShown: 'In every request',
  totalDeferred: 'Left out',
  totalSaved: 'Saved so far',
  toolCount: (n: string, one: boolean) => `${n} ${one ? 'tool' : 'tools'}`,
  requestCount: (n: string, one: boolean) => `in ${n} ${one ? 'request' : 'requests'}`,
  neverCount: (n: string) => `${n} switched off`,
  tokenUnit: 'tokens',
  tokens: (n: string) => `${n} tokens`,
  tokensHint: 'Tokens are estimated from the size of the schemas.',

  preview: 'Try a search',
  previewHint: 'Runs what tool_search would run for this agent now, and loads nothing.',
  query: 'Query',
  queryExample: 'What do you want to do?',
  search: 'Search',
  searching: 'Searching…',
  match: {
    exact: 'Asked for by name.',
    ranked: 'Found.',
    weak: 'Weak: the agent is told the names, and nothing is loaded.',
    none: 'Nothing matches. Nothing would be loaded.',
    listing: 'A listing: names only, nothing is loaded.',
  },
  resultCount: (n: string, one: boolean) => `${n} ${one ? 'result' : 'results'}`,
  confidence: (percent: string) => `evidence ${percent}`,
  status: {
    loaded: 'would be loaded',
    ready: 'would be ready to call',
    already_loaded: 'already in the list',
    unavailable: 'does not exist',
    listed: 'would be named',
    weak: 'would be named',
  },
  channels: {
    exact: 'name', bm25: 'words (BM25F)', semantic: 'meaning', gloss: 'translation', dense: 'embeddings', rewrite: 'other words by a model',
  },
  place: (n: string) => `place ${n}`,
  matchedIn: 'Matched in',
  matchedBy: 'By',
  noReason: 'Came along with another result.',
  fields: {
    name: 'name', description: 'description', parameterName: 'parameter name', parameterDescription: 'parameter description', parameterValue: 'parameter value',
  },
  answer: 'What the agent reads',
  rewrites: { applied: 'A model gave other words:', failed: 'A model was asked for other words and gave none.' },
  unanswered: (channel: string, reason: string) => `${channel} did not answer: ${reason}`,

  tools: 'Tools',
  filter: 'Filter by name, family or description',
  stateFilter: 'State',
  anyState: 'Any state',
  shownCount: (n: string, all: string) => `${n} of ${all}`,
  noMatch: 'No tool fits the filter.',
  more: (n: string) => `Show ${n} more`,
  columns: { name: 'Name', family: 'Family', tokens: 'Tokens', state: 'State', policy: 'Policy' },
  states: { always: 'Always', deferred: 'Deferred', loaded: 'Loaded', never: 'Never' },
  why: {
    coreTools: 'core tool', alwaysVisible: 'your list', neverSearch: 'your list', deferred: 'a search loads it',
    loaded: 'a search found it', shown: 'nothing is hidden now',
  },
  policyOf: (name: string) => `Policy of ${name}`,
  policies: { automatic: 'Automatic', always: 'Always', never: 'Never' },
  policySaved: (name: string, policy: string) => `${name}: ${policy}. Agents follow with their next request.`,

  settings: 'Settings',
  topK: 'Results of a search',
  topKHint: 'Most tools that one search brings, 1 to 50.',
  mode: 'Mode',
  modes: {
    inject: 'Inject: found tools join the tool list',
    dispatch: 'Dispatch: the tool list never changes',
    auto: 'Auto: the cheaper of the two',
    off: 'Off: every tool is shown',
  },
  preselect: 'Loaded before the first request',
  preselectHint: 'Tools chosen for a session\'s first message, 0 to 20.',
  rewrite: 'Ask the model for other words when a search is unsure',
  dense: 'Search with embeddings too',
  alwaysVisible: 'Always shown',
  neverSearch: 'Never shown, found or run',
  listHint: 'A name or a pattern with * a line.',
  overridden: 'Changed',
  reset: 'Reset to default',
  readOnly: 'This deployment stores settings read-only.',
  number: 'Enter a whole number.',
  save: 'Save',
  saving: 'Saving…',
  discard: 'Discard',
  unsaved: 'Unsaved',
  saved: 'Saved. Agents follow with their next request.',
}

export type Texts = typeof en

const zh: Texts = {
  title: '工具检索',
  description: '智能体看到哪些工具，以及如何找到其余的工具。',
  expand: '展开设置',
  collapse: '收起设置',
  loading: '正在读取工具…',
  noAgent: '打开一个会话即可查看它的工具。',
  failed: reason => `无法读取工具：${reason}`,
  agent: '智能体',
  newSession: '新会话',
  subagent: '子智能体',

  overview: '当前状态',
  totalTools: '工具',
  totalShown: '每次请求携带',
  totalDeferred: '未携带',
  totalSaved: '累计节省',
  toolCount: n => `${n} 个工具`,
  requestCount: n => `共 ${n} 次请求`,
  neverCount: n => `停用 ${n} 个`,
  tokenUnit: 'tokens',
  tokens: n => `${n} tokens`,
  tokensHint: 'Token 数按工具定义的长度估算。',

  preview: '试搜',
  previewHint: '执行该智能体此刻调用 tool_search 的同一次搜索，但不加载任何工具。',
  query: '查询',
  queryExample: '想做什么？',
  search: '搜索',
  searching: '搜索中…',
  match: {
    exact: '按名称指定。',
    ranked: '已找到。',
    weak: '证据不足：只告诉智能体名称，不加载。',
    none: '没有匹配的工具，不会加载任何工具。',
    listing: '列表：只给出名称，不加载。',
  },
  resultCount: n => `${n} 个结果`,
  confidence: percent => `证据 ${percent}`,
  status: {
    loaded: '将被加载',
    ready: '将可直接调用',
    already_loaded: '已在工具列表中',
    unavailable: '不存在',
    listed: '只给出名称',
    weak: '只给出名称',
  },
  channels: { exact: '名称', bm25: '词语（BM25F）', semantic: '语义', gloss: '中英释义', dense: '向量', rewrite: '模型改写' },
  place: n => `第 ${n} 位`,
  matchedIn: '匹配字段',
  matchedBy: '匹配词',
  noReason: '随其他结果一并带出。',
  fields: { name: '名称', description: '描述', parameterName: '参数名', parameterDescription: '参数描述', parameterValue: '参数取值' },
  answer: '智能体读到的内容',
  rewrites: { applied: '模型给出的其他说法：', failed: '已请模型换一种说法，但没有得到结果。' },
  unanswered: (channel, reason) => `${channel} 没有应答：${reason}`,

  tools: '工具列表',
  filter: '按名称、分组或描述筛选',
  stateFilter: '状态',
  anyState: '全部状态',
  shownCount: (n, all) => `${n} / ${all}`,
  noMatch: '没有符合筛选条件的工具。',
  more: n => `再显示 ${n} 个`,
  columns: { name: '名称', family: '分组', tokens: 'Tokens', state: '状态', policy: '策略' },
  states: { always: '始终显示', deferred: '按需', loaded: '已加载', never: '停用' },
  why: {
    coreTools: '核心工具', alwaysVisible: '你的列表', neverSearch: '你的列表', deferred: '搜索后加载', loaded: '由搜索找到', shown: '目前不隐藏工具',
  },
  policyOf: name => `${name} 的策略`,
  policies: { automatic: '自动', always: '始终显示', never: '停用' },
  policySaved: (name, policy) => `${name}：${policy}。智能体从下一次请求起生效。`,

  settings: '设置',
  topK: '每次搜索的结果数',
  topKHint: '一次搜索最多带来多少个工具，1 到 50。',
  mode: '模式',
  modes: {
    inject: '注入：找到的工具加入工具列表',
    dispatch: '转发：工具列表保持不变',
    auto: '自动：选择更省的一种',
    off: '关闭：显示全部工具',
  },
  preselect: '首次请求前加载',
  preselectHint: '按会话第一条消息选出的工具数，0 到 20。',
  rewrite: '搜索没有把握时，请模型换一种说法',
  dense: '同时使用向量搜索',
  alwaysVisible: '始终显示',
  neverSearch: '不显示、不可搜索、不可调用',
  listHint: '每行一个名称，或带 * 的模式。',
  overridden: '已修改',
  reset: '恢复默认',
  readOnly: '本部署的设置为只读。',
  number: '请填整数。',
  save: '保存',
  saving: '保存中…',
  discard: '放弃修改',
  unsaved: '未保存',
  saved: '已保存。智能体从下一次请求起生效。',
}

/** The texts with the numbers of their language. */
export interface Language {
  readonly t: Texts
  readonly number: (value: number) => string
  /** A share of 0 to 1. */
  readonly percent: (share: number) => string
}

function languageOf(t: Texts, tag: string): Language {
  const number = new Intl.NumberFormat(tag)
  const percent = new Intl.NumberFormat(tag, { style: 'percent' })
  return { t, number: value => number.format(value), percent: share => percent.format(share) }
}

const LANGUAGES = { en: languageOf(en, 'en'), zh: languageOf(zh, 'zh-CN') }

const neverChanges = (): () => void => () => undefined

/**
 * The language of the page; that of the browser in a DSH without a choice.
 * @param locale - DSH's locale service.
 */
export function useLanguage(locale: Observable<{ readonly active: string }> | undefined): Language {
  const tag = useSyncExternalStore(
    locale === undefined ? neverChanges : listener => locale.subscribe(listener),
    () => locale?.getSnapshot().active ?? navigator.language,
  )
  return tag.toLowerCase().startsWith('zh') ? LANGUAGES.zh : LANGUAGES.en
}

export function channelName({ t }: Language, channel: ChannelShare['channel']): string {
  return t.channels[channel]
}

export function fieldNames({ t }: Language, fields: readonly Field[]): string {
  return fields.map(field => t.fields[field]).join(t === zh ? '、' : ', ')
}

/** Why a tool is in its state, in a few words. */
export function reasonFor({ t }: Language, { name, state, rule }: OverviewTool): string {
  if (rule !== undefined && (state === 'always' || state === 'never')) {
    return rule.list === 'coreTools' || rule.pattern === name ? t.why[rule.list] : `${t.why[rule.list]}: ${rule.pattern}`
  }
  return state === 'always' ? t.why.shown : t.why[state as Exclude<ToolState, 'always' | 'never'>]
}
