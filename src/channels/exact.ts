/**
 * The exact channel: tools that the query calls by name. It reads the query as written, never a rewrite of it. Since nothing
 * outranks this channel, it speaks only where a name cannot be an ordinary word:
 *
 * - `select:`, and queries that are nothing but names;
 * - a whole query that is a name in another spelling (`create issue` for `create_issue`);
 * - inside a sentence, words written as identifiers (`create_issue`, `createIssue`), any word in backticks, and any word pointed
 *   at (`the fetch tool`, `use "fetch"`).
 * @module
 */

import { nameForm, resolveFamilies, resolveName, resolveNames } from '../catalog/name-index.ts'
import type { NameForm, NameResolution } from '../catalog/name-index.ts'
import type { Catalog, CatalogTool } from '../catalog/types.ts'
import { cleanName, isIdentifierLike } from '../query/name-list.ts'
import type { QueryPlan } from '../query/plan.ts'
import { isAscii } from '../text/fold.ts'
import { identifierParts, runsOf } from '../text/words.ts'
import type { Channel, ChannelRanking } from './channel.ts'

/** Stronger forms score higher. Only their order counts: the fusion looks at ranks. */
const FORM_SCORES: Readonly<Record<NameForm, number>> = { name: 1, case: 0.9, leaf: 0.8, form: 0.7 }

/** Characters of a query that are searched for names, and of one name. */
const SEARCHED_CHARACTERS = 2_000
const LONGEST_NAME = 128

/** Text in quotes; the first group is what stands in backticks. Bounded, so that a quote that is never closed stays cheap. */
const QUOTED = new RegExp(
  [['`', '`'], ['"', '"'], ['“', '”'], ['‘', '’'], ['「', '」'], ['『', '』'], ['《', '》']]
    .map(([open, close]) => `${open}([^${open}${close}\\n]{1,${LONGEST_NAME}})${close}`).join('|'),
  'g',
)

/** A run without spaces of what may belong to a name, an address or a path: all of it or nothing is a name. */
const WORD = /(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}])[\p{L}\p{N}\p{M}_.:/@\\-])+/gu
/** The same in a text of ASCII characters. */
const ASCII_WORD = /[A-Za-z0-9_.:/@\\-]+/g

/** Words that make the one before them a tool's name, and the one in quotes after them. */
const TOOL = /tool|工具|ツール|도구/i
const TOOL_AFTER = /^[\s`"”’」』》]*(?:tool(?![\p{L}\p{N}])|工具|ツール|도구)/iu
const USE_BEFORE = /(?:\b(?:use|using|call|calling|invoke|invoking|via)(?:\s+the)?\s*|使用|调用|調用|用)[`"“‘「『《]?$/iu
/** How much of the text beside a word is looked at for them. */
const BESIDE = 24

function wordCount(name: string): number {
  return runsOf(name, name.length).reduce((count, { text, kind }) => count + (kind === 'word' ? identifierParts(text).length : 1), 0)
}

/** A word of a sentence that may be a name. */
interface Mention {
  readonly word: string
  /** What makes it one: it stands in backticks, the words beside it say so, or only its own spelling does. */
  readonly sign: 'code' | 'pointer' | 'spelling'
}

/**
 * Whether a word, known to be a name in some form, was meant as one. `_` is in no ordinary word. A brand (`GitHub`) is not the
 * tool `github` and a hyphenated word (`sign-up`) not the tool `sign_up`, unless written just like it; "the translate tool"
 * is not any tool whose name ends in `__translate`.
 */
function isMeantAsName({ word, sign }: Mention, form: NameForm, { name, leafName }: CatalogTool): boolean {
  if (sign === 'code' || word.includes('_') || word === name || word === leafName) return true
  if (sign === 'pointer' && nameForm(word) === nameForm(leafName)) return true
  if (!isIdentifierLike(word) || wordCount(leafName) < 2) return false
  return form !== 'form' || !/[-.]/.test(word) || wordCount(word) > 2
}

/** The words of a sentence that may be names, in order. */
function mentionsIn(text: string): Mention[] {
  const found: (Mention & { readonly start: number })[] = []
  const saysTool = TOOL.test(text)

  function signOf(start: number, end: number, quoted: boolean): Mention['sign'] {
    if (saysTool && TOOL_AFTER.test(text.slice(end, end + BESIDE))) return 'pointer'
    return quoted && USE_BEFORE.test(text.slice(Math.max(0, start - BESIDE), start)) ? 'pointer' : 'spelling'
  }

  for (const { 0: written, 1: code, index } of text.matchAll(QUOTED)) {
    found.push({ word: cleanName(written), sign: code !== undefined ? 'code' : signOf(index, index + written.length, true), start: index })
  }
  for (const { 0: written, index } of text.matchAll(isAscii(text) ? ASCII_WORD : WORD)) {
    if (written.length > LONGEST_NAME) continue
    found.push({ word: cleanName(written), sign: signOf(index, index + written.length, false), start: index })
  }
  return found
    .filter(({ word, sign }) => word !== '' && (sign !== 'spelling' || isIdentifierLike(word)))
    .sort((left, right) => left.start - right.start)
}

/** Settles an ambiguous name by the one server among the candidates that the query names: `create_issue on github`. */
function settleByServer(catalog: Catalog, resolution: NameResolution, text: string): NameResolution {
  if (resolution.outcome !== 'ambiguous') return resolution
  const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}_-]+/gu))
  const named = resolution.candidates.filter(tool => words.has(catalog.tools[tool]!.server?.toLowerCase() ?? ''))
  return named.length === 1 ? { name: resolution.name, outcome: 'found', tool: named[0]!, form: resolution.form } : resolution
}

/** Names inside a sentence, each once. */
function namesInSentence(catalog: Catalog, text: string, within: ReadonlySet<number> | undefined): NameResolution[] {
  const resolutions = new Map<string, NameResolution>()
  for (const mention of mentionsIn(text)) {
    const resolution = settleByServer(catalog, resolveName(catalog, mention.word, within), text)
    if (resolution.outcome === 'unknown') continue
    const tool = resolution.outcome === 'found' ? resolution.tool : resolution.candidates[0]!
    if (isMeantAsName(mention, resolution.form, catalog.tools[tool]!)) resolutions.set(mention.word, resolution)
  }
  return [...resolutions.values()]
}

/**
 * The names in a query and what they mean, in the order of the query.
 *
 * `select:` gives a resolution for every name. In natural language, a plain word that is no name, or that is the short name of
 * several tools, is just a word and is left out; a word written as an identifier is kept, also when it is ambiguous, and when it
 * is unknown if the query consists of names only.
 */
export function namesInQuery(catalog: Catalog, plan: NameQuery): readonly NameResolution[] {
  const last = resolved.get(plan)
  if (last?.catalog === catalog) return last.names
  const names = resolveNamesOf(catalog, plan)
  resolved.set(plan, { catalog, names })
  return names
}

/** Both the channel and the retriever ask, of the same plan. */
const resolved = new WeakMap<NameQuery, { readonly catalog: Catalog; readonly names: readonly NameResolution[] }>()

type NameQuery = Pick<QueryPlan, 'kind' | 'names' | 'families' | 'text'>

function resolveNamesOf(catalog: Catalog, plan: NameQuery): readonly NameResolution[] {
  const within = plan.families.length === 0 ? undefined : resolveFamilies(catalog, plan.families).tools
  if (plan.kind === 'select') return resolveNames(catalog, plan.names, within)
  if (plan.names.length > 0) {
    const resolutions = resolveNames(catalog, plan.names, within)
    const allFound = resolutions.every(({ outcome }) => outcome === 'found')
    return allFound ? resolutions : resolutions.filter(({ name }) => isIdentifierLike(name))
  }
  const text = plan.text.slice(0, SEARCHED_CHARACTERS)
  const whole = cleanName(text)
  const resolution: NameResolution = whole === '' || whole.length > LONGEST_NAME
    ? { name: whole, outcome: 'unknown' }
    : resolveName(catalog, whole, within)
  return resolution.outcome === 'found' ? [resolution] : namesInSentence(catalog, text, within)
}

function rank(catalog: Catalog, resolutions: readonly NameResolution[], limit: number): ChannelRanking {
  const best = new Map<number, { readonly name: string; readonly score: number }>()
  for (const resolution of resolutions) {
    if (resolution.outcome !== 'found') continue
    const score = FORM_SCORES[resolution.form]
    if (score > (best.get(resolution.tool)?.score ?? 0)) best.set(resolution.tool, { name: resolution.name, score })
  }
  const ranked = [...best].sort(([left, { score }], [right, { score: other }]) => other - score || left - right).slice(0, limit)
  return {
    tools: ranked.map(([tool]) => tool),
    scores: ranked.map(([, { score }]) => score),
    matchedFields: () => ['name'],
    explain: (tool) => {
      const { name: term, score } = best.get(tool)!
      const via = catalog.tools[tool]!.name
      return [{ term, ...(via === term ? {} : { via }), fields: ['name'], score }]
    },
  }
}

export function createExactChannel(): Channel {
  return {
    id: 'exact',
    index: catalog => ({ search: (plan, limit) => rank(catalog, namesInQuery(catalog, plan), limit) }),
  }
}
