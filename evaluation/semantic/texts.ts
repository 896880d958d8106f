/**
 * The unlabelled training texts: what tools do, said the way catalogues say it, and everyday English beside it. No text of
 * `../shared/bench`, neither tool nor query, is among them, so every figure measured there is measured on foreign data.
 * @module
 */

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TEXT_PACKAGES, unpackedFolder } from './packages.ts'

export type SourceId = keyof typeof TEXT_PACKAGES

export interface TrainingText {
  readonly source: SourceId
  readonly text: string
}

/** Longest training text in characters: the teacher reads 128 word pieces, and tool descriptions open with what matters. */
const MAX_CHARACTERS = 220

/** How many operations of one API, and of one provider, are kept: no vendor's vocabulary should fill the table. */
const OPERATIONS_PER_API = 40
const OPERATIONS_PER_PROVIDER = 900

/** WordNet material kept: about as much everyday English as there is API English. */
const GLOSSES = 16_000
const EXAMPLES = 7_000

/** A pseudo-random order that is the same on every machine. */
function inHashOrder<T>(items: readonly T[], key: (item: T) => string): T[] {
  return items
    .map(item => ({ item, hash: createHash('sha256').update(key(item)).digest('hex') }))
    .sort((a, b) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0))
    .map(({ item }) => item)
}

/** Plain text of Markdown or HTML: no tags, links reduced to their words, white space single. */
function plainText(marked: string): string {
  return marked
    .replace(/```[^`]*```/g, ' ')
    .replace(/<[^<>]{0,200}>/g, ' ')
    .replace(/\[([^[\]]{0,200})\]\([^()\s]{0,300}\)/g, '$1')
    .replace(/\{@link(?:code|plain)? +([^{}]{0,100})\}/g, '$1')
    .replace(/&[a-z]{2,8};/g, ' ')
    .replace(/[*_`#|>]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** The opening sentences of a text that fit the length limit; never less than the first, cut when it is too long. */
function opening(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text
  const end = text.lastIndexOf('. ', MAX_CHARACTERS)
  return end > 30 ? text.slice(0, end + 1) : text.slice(0, MAX_CHARACTERS).replace(/\s\S*$/, '')
}

/** Names in camel or snake case as words, the way the index reads tool names. */
function spaced(identifier: string): string {
  return identifier.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[^A-Za-z0-9]+/g, ' ').trim()
}

interface Operation { operationId?: unknown; summary?: unknown; description?: unknown; responses?: unknown }
interface Specification {
  info?: { title?: unknown; description?: unknown }
  paths?: Record<string, Record<string, Operation | undefined> | undefined>
}

const string = (value: unknown): string => (typeof value === 'string' ? value : '')

/** `name. description` of an operation, as a tool made of it would be declared. */
function operationText({ operationId, summary, description }: Operation): string {
  const name = plainText(string(summary)) || spaced(string(operationId))
  const described = plainText(string(description))
  if (described === '' || described.toLowerCase().startsWith(name.toLowerCase())) return opening(described || name)
  return opening(`${name.replace(/\.$/, '')}. ${described}`)
}

function openapiTexts(): string[] {
  const root = join(unpackedFolder(TEXT_PACKAGES.openapi), 'package/api')
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.json')).sort()
  const texts: string[] = []
  const perProvider = new Map<string, string[]>()
  for (const file of files) {
    const { info, paths } = JSON.parse(readFileSync(join(root, file), 'utf8')) as Specification
    texts.push(opening(`${plainText(string(info?.title))}. ${plainText(string(info?.description))}`))
    const operations = Object.values(paths ?? {})
      .flatMap(methods => Object.values(methods ?? {}))
      .filter(operation => typeof operation === 'object' && 'responses' in operation)
      .map(operation => operationText(operation!))
    const provider = file.split('/')[0]!
    const kept = perProvider.get(provider) ?? []
    perProvider.set(provider, kept)
    kept.push(...inHashOrder([...new Set(operations)], text => text).slice(0, OPERATIONS_PER_API))
  }
  for (const kept of perProvider.values()) texts.push(...inHashOrder([...new Set(kept)], text => text).slice(0, OPERATIONS_PER_PROVIDER))
  return texts
}

/** One synset of WordNet's data files (wndb(5WN)): its words, its definition, its examples. */
function synset(line: string): { words: string[]; definition: string; examples: string[] } {
  const bar = line.indexOf(' | ')
  const columns = line.slice(0, bar).split(' ')
  const count = Number.parseInt(columns[3]!, 16)
  const words = Array.from({ length: count }, (_, i) => columns[4 + 2 * i]!.replace(/\(\w+\)$/, '').replaceAll('_', ' '))
  const gloss = line.slice(bar + 3)
  return {
    words,
    definition: gloss.replace(/;?\s*"[^"]*"/g, '').trim(),
    examples: [...gloss.matchAll(/"([^"]{20,160})"/g)].map(match => match[1]!),
  }
}

function wordnetTexts(isCommon: (word: string) => boolean): string[] {
  const root = join(unpackedFolder(TEXT_PACKAGES.wordnet), 'package/dict')
  const glosses: string[] = []
  const examples: string[] = []
  for (const part of ['noun', 'verb', 'adj', 'adv']) {
    const lines = readFileSync(join(root, `data.${part}`), 'utf8').split('\n').filter(line => /^\d{8} /.test(line))
    for (const line of lines) {
      const entry = synset(line)
      const words = entry.words.filter(isCommon)
      if (words.length === 0 || /^[A-Z]/.test(words[0]!)) continue
      glosses.push(opening(`${words.slice(0, 3).join(', ')}: ${entry.definition}`))
      examples.push(...entry.examples)
    }
  }
  return [...inHashOrder(glosses, text => text).slice(0, GLOSSES), ...inHashOrder(examples, text => text).slice(0, EXAMPLES)]
}

/** `name. first paragraph` of each documentation comment that a declaration follows. */
function documentationTexts(source: 'node' | 'vscode'): string[] {
  const root = join(unpackedFolder(TEXT_PACKAGES[source]), TEXT_PACKAGES[source].members[0])
  const files = readdirSync(root).filter(file => file.endsWith('.d.ts')).sort()
  return files.flatMap((file) => {
    const declarations = readFileSync(join(root, file), 'utf8').matchAll(/\/\*\*((?:[^*]|\*(?!\/)){10,4000})\*\/\s*((?:[a-z]+ )*)([A-Za-z]\w*)/g)
    return [...declarations].map(([, comment, , name]) => {
      const paragraph = comment!.replace(/^\s*\* ?/gm, '').split(/\n\s*\n|\n@/)[0]!
      return opening(`${spaced(name!)}. ${plainText(paragraph)}`)
    })
  })
}

/**
 * Every training text once, in a fixed order.
 * @param isCommon - whether a word is frequent enough in general English for its definition to be of use.
 */
export function trainingTexts(isCommon: (word: string) => boolean): TrainingText[] {
  const bySource: Record<SourceId, string[]> = {
    openapi: openapiTexts(),
    wordnet: wordnetTexts(isCommon),
    node: documentationTexts('node'),
    vscode: documentationTexts('vscode'),
  }
  const seen = new Set<string>()
  const texts: TrainingText[] = []
  for (const source of Object.keys(TEXT_PACKAGES) as SourceId[]) {
    for (const text of bySource[source]) {
      const key = text.toLowerCase().replace(/[^a-z]+/g, ' ').trim()
      // the teacher reads English only; other scripts would be embedded as noise
      const isEnglish = /^[\x20-\x7e‘’“”–—…]*$/.test(text)
      if (key.length < 12 || !isEnglish || seen.has(key)) continue
      seen.add(key)
      texts.push({ source, text })
    }
  }
  return texts
}
