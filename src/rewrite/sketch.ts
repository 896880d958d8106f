/**
 * A sketch of a catalogue for a model that is to speak its language: its families, and for each the words that tell it from the others.
 *
 * It is made of single words and nothing else, so that a sentence in a tool's description can't reach the model. It depends on the
 * catalogue alone, and its length is bounded whatever the catalogue is.
 * @module
 */

import { compareCodeUnits } from '../catalog/json.ts'
import type { Catalog, CatalogTool } from '../catalog/types.ts'
import { isStopWord, wordTerm } from '../text/english.ts'
import { identifierParts, runsOf } from '../text/words.ts'

/** Bound of a sketch in UTF-16 code units: about 700 tokens of English. */
export const SKETCH_CHARS = 2_800

/** Families that are told; the rest is counted among the other tools. */
const MOST_FAMILIES = 48

/** Words of a family: some for the smallest, more with each tool; a catalogue is often one family, or none. */
const FEWEST_WORDS = 4
const WORDS_PER_TOOL = 1.5
const MOST_WORDS = 160

/** How much of a description is read: what a tool does is said at its beginning. */
const READ_CHARS = 200

/** Tools of a family that are read, at even distances: more would find the same words, and a sketch must not stop the host. */
const READ_TOOLS = 400

const LONGEST_ID = 40
const LONGEST_WORD = 24
const LONGEST_HANGUL = 6

/** Pairs with one of these characters are no words: particles, prepositions and conjunctions of Chinese and Japanese. */
const FUNCTION_CHARACTER = /[的了和与與或及在是将將并並以从從对對为為给給把被のをにはがでとも]/u

const sketches = new WeakMap<Catalog, string>()

/** The sketch of a catalogue, made once for it. */
export function sketchOf(catalog: Catalog): string {
  let sketch = sketches.get(catalog)
  if (sketch === undefined) sketches.set(catalog, sketch = makeSketch(catalog))
  return sketch
}

/** Tools of a group, and how many of them have each term. */
interface Group {
  readonly id: string
  readonly tools: readonly CatalogTool[]
  readonly counts: ReadonlyMap<string, number>
}

/** Terms of words, each word stemmed once, and how often each term is spelled in which way. */
interface Vocabulary {
  readonly terms: Map<string, string>
  readonly spellings: Map<string, Map<string, number>>
}

function makeSketch({ tools, families }: Catalog): string {
  const told = [...families].sort((a, b) => b.tools.length - a.tools.length || compareCodeUnits(a.id, b.id)).slice(0, MOST_FAMILIES)
  const inFamily = new Set(told.flatMap(family => family.tools))
  const vocabulary: Vocabulary = { terms: new Map(), spellings: new Map() }
  const groups = told.map(({ id, tools: members }) => groupOf(cleanId(id), members.map(tool => tools[tool]!), vocabulary))
  const others = groupOf('other', tools.filter((_, tool) => !inFamily.has(tool)), vocabulary)
  if (others.tools.length > 0) groups.push(others)
  const having = new Map<string, number>()
  for (const { counts } of groups) for (const term of counts.keys()) having.set(term, (having.get(term) ?? 0) + 1)
  return withinBound(groups.map(({ id, tools: { length }, counts }) => {
    const most = Math.min(MOST_WORDS, Math.ceil(FEWEST_WORDS + WORDS_PER_TOOL * length))
    const telling = tellingTerms(counts, term => groups.length / having.get(term)!).slice(0, most)
    return { label: `${id} (${length})`, words: telling.map(term => commonSpelling(vocabulary, term)) }
  }))
}

function groupOf(id: string, tools: readonly CatalogTool[], { terms, spellings }: Vocabulary): Group {
  const counts = new Map<string, number>()
  const stride = Math.max(1, tools.length / READ_TOOLS)
  for (let at = 0; at < tools.length; at += stride) {
    const tool = tools[Math.floor(at)]!
    const seen = new Set<string>()
    for (const word of wordsOf(tool)) {
      let term = terms.get(word)
      if (term === undefined) terms.set(word, term = wordTerm(word))
      if (term === '' || seen.has(term)) continue
      seen.add(term)
      counts.set(term, (counts.get(term) ?? 0) + 1)
      const spelled = spellings.get(term) ?? new Map<string, number>()
      spelled.set(word, (spelled.get(word) ?? 0) + 1)
      spellings.set(term, spelled)
    }
  }
  return { id, tools, counts }
}

/**
 * Words of a tool's name and of the beginning of its description, in lower case. Scripts without spaces give pairs of characters, which in
 * Chinese are mostly words; Korean is spaced.
 */
function wordsOf({ leafName, description }: CatalogTool): string[] {
  return [...runsOf(leafName, READ_CHARS), ...runsOf(description, READ_CHARS)].flatMap(({ text, kind }) => {
    if (kind === 'word') {
      return identifierParts(text).map(part => part.toLowerCase())
        .filter(part => part.length > 1 && part.length <= LONGEST_WORD && /\p{L}/u.test(part) && !isStopWord(part))
    }
    if (/^\p{sc=Hangul}/u.test(text)) return text.length <= LONGEST_HANGUL ? [text] : []
    const characters = Array.from(text)
    return characters.slice(1).map((character, at) => characters[at]! + character).filter(pair => !FUNCTION_CHARACTER.test(pair))
  })
}

/**
 * Terms of a group, most telling first: `count(term, group) · ln(1 + groups / groups with the term)`, tf–idf with groups in place of
 * documents. In a catalogue of one group that is the count. Ties by code units.
 */
function tellingTerms(counts: ReadonlyMap<string, number>, rarity: (term: string) => number): string[] {
  return [...counts]
    .map(([term, count]) => ({ term, weight: count * Math.log(1 + rarity(term)) }))
    .sort((a, b) => b.weight - a.weight || compareCodeUnits(a.term, b.term))
    .map(({ term }) => term)
}

function commonSpelling({ spellings }: Vocabulary, term: string): string {
  const [[word]] = [...spellings.get(term)!].sort(([a, m], [b, n]) => n - m || compareCodeUnits(a, b)) as [[string, number]]
  return word
}

/** Gives each entry one more word in turn while there is room, so that no family takes the room of the others. */
function withinBound(entries: readonly { readonly label: string; readonly words: readonly string[] }[]): string {
  let length = 0
  const shown = entries.filter(({ label }) => (length += label.length + 2) <= SKETCH_CHARS)
  const counts = shown.map(() => 0)
  length = shown.reduce((sum, { label }) => sum + label.length + 2, 0)
  for (let round = 0, grown = true; grown; round++) {
    grown = false
    for (const [at, { words }] of shown.entries()) {
      const word = words[round]
      if (word === undefined || counts[at] !== round || length + word.length + 1 > SKETCH_CHARS) continue
      length += word.length + 1
      counts[at] = round + 1
      grown = true
    }
  }
  return shown.map(({ label, words }, at) => `${label}:${words.slice(0, counts[at]).map(word => ` ${word}`).join('')}`).join('\n')
}

/** An id as letters, digits, `_`, `-` and `.` only: it may come from a server's name. */
function cleanId(id: string): string {
  return id.replace(/[^\p{L}\p{N}_.-]+/gu, ' ').trim().slice(0, LONGEST_ID).toWellFormed()
}
