/**
 * Chinese words with English terms: the shipped dictionary, and over it the vocabulary of tools, whose terms replace those of the
 * dictionary (登录 is `log in`, not `register`). Read from disk when first asked for.
 * @module
 */

import { readFileSync } from 'node:fs'

import { packageFile } from '../package-files.ts'
import { readDictionary } from './dictionary.ts'
import type { Dictionary } from './dictionary.ts'
import { functionWords } from './function-words.ts'

export interface Glossary extends Dictionary {
  /** Whether the word is one of the segmentation: of the list, of the vocabulary of tools, or a function word. */
  has(word: string): boolean
}

let loaded: Glossary | undefined

/** The glossary; the first call takes some 25 ms, most of it decompression. @throws when the package's data files are missing. */
export function loadGlossary(): Glossary {
  return loaded ??= createGlossary(
    readDictionary(readFileSync(packageFile('data/gloss.bin'))),
    readFileSync(packageFile('data/gloss.tools.txt'), 'utf8'),
  )
}

/** Whether {@link loadGlossary} was ever called with success; a search without Han characters must not call it. */
export function isGlossaryLoaded(): boolean {
  return loaded !== undefined
}

/** @param toolWords - the text of `data/gloss.tools.txt`, whose head describes it. */
export function createGlossary(dictionary: Dictionary, toolWords: string): Glossary {
  const toolTerms = new Map<string, readonly string[]>()
  for (const [words, terms] of parseToolWords(dictionary.fold(toolWords))) {
    for (const word of words) toolTerms.set(word, terms)
  }
  return {
    fold: text => dictionary.fold(text),
    has: word => toolTerms.has(word) || functionWords.has(word) || dictionary.has(word),
    find(word) {
      const listed = dictionary.find(word)
      const terms = toolTerms.get(word)
      return terms === undefined ? listed : { glosses: terms, rarity: listed?.rarity ?? 1 }
    },
  }
}

/** Lines `words: terms`, words separated by blanks, terms by commas; `#` begins a comment line. */
export function* parseToolWords(text: string): Generator<readonly [words: readonly string[], terms: readonly string[]]> {
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':')
    if (line.startsWith('#') || colon < 0) continue
    yield [line.slice(0, colon).trim().split(/\s+/), line.slice(colon + 1).split(',').map(term => term.trim())]
  }
}
