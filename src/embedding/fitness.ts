/**
 * How far a model is to be trusted with a language: an English model takes Korean for noise, and ranks it all the same. Fusion by ranks
 * can't see that, so it is measured by tasks whose answers are known.
 *
 * Only where a query or a catalogue is written in another script than Latin, so that most sessions pay nothing for it; languages in Latin
 * script are not told from English.
 * @module
 */

import type { EmbeddingProvider } from './provider.ts'
import { REFERENCE_TASKS } from './reference-tasks.ts'
import type { Script } from './reference-tasks.ts'
import type { VectorCache } from './vector-cache.ts'
import { storeVector } from '../vectors/vector-rows.ts'
import type { StoredVector } from '../vectors/vector-rows.ts'
import { vectorKey } from './vector-segment.ts'

/** What a model of no use here still counts, beside one of full use: its vectors of names and loan words are worth a little. */
export const LEAST_TRUST = 0.1

/**
 * Tasks of twelve that chance reaches (four or more by guessing: once in seventy), and tasks from which on a model counts in full: half.
 * MiniLM, an English model, does eight in English, three in Chinese and one in Korean.
 */
const BY_CHANCE = 3
const IN_FULL = 6

/** Scripts by what they are told by, and how many characters stand for a word. */
const SCRIPTS: readonly (readonly [script: Script, word: RegExp, characters: number])[] = [
  ['latin', /\p{Script=Latin}+/gu, Infinity],
  ['han', /\p{Script=Han}+/gu, 2],
  ['kana', /[\p{Script=Hiragana}\p{Script=Katakana}ー]+/gu, 2],
  ['hangul', /\p{Script=Hangul}+/gu, Infinity],
  ['cyrillic', /\p{Script=Cyrillic}+/gu, Infinity],
  ['arabic', /\p{Script=Arabic}+/gu, Infinity],
]

/** Words of a text by script. */
function wordCounts(text: string): Map<Script, number> {
  return new Map(SCRIPTS.map(([script, word, characters]) => [
    script, (text.match(word) ?? []).reduce((sum, run) => sum + (characters === Infinity ? 1 : run.length / characters), 0),
  ]))
}

/**
 * The script that most words of a text are in; undefined when there are none, or in a script that there are no tasks in.
 * Japanese is mixed of Han and Kana: any Kana make it Kana.
 */
export function scriptOf(text: string): Script | undefined {
  const words = wordCounts(text)
  if (words.get('kana')! > 0) words.set('kana', words.get('kana')! + words.get('han')!)
  const [script, count] = [...words].sort(([, a], [, b]) => b - a)[0]!
  return count === 0 ? undefined : script
}

/** Words of a query up to which it is one thought, and what the one vector of a longer query counts. */
const SHORT_WORDS = 12
const LONG_QUERY_TRUST = 1 / 3

/**
 * What the vector of a query counts for its length: one vector blurs what several sentences ask for, while each of their words is
 * evidence for the lexical channels. "Play some jazz" to dense, a paragraph of a bug report to lexical: over two samples of the
 * English dev sets +0.2 Recall@8 and +0.4 Recall@1 against one weight for all, and no set that dense makes a point worse.
 */
export function lengthTrust(query: string): number {
  const words = [...wordCounts(query).values()].reduce((sum, count) => sum + count, 0)
  return words <= SHORT_WORDS ? 1 : LONG_QUERY_TRUST
}

export interface Fitness {
  /** @returns what the model counts for queries and tools in these scripts, {@link LEAST_TRUST} to 1; 1 where nothing is measured. */
  trust(query: Script | undefined, tools: Script | undefined, signal: AbortSignal): Promise<number>
  forget(): void
}

/** Embeds the tasks of a script when they are needed for the first time, and keeps them beside the tools' vectors. */
export function createFitness(provider: EmbeddingProvider, cache: VectorCache): Fitness {
  const vectors = new Map<string, readonly StoredVector[]>()

  async function load(script: Script, kind: 'asked' | 'declared', signal: AbortSignal): Promise<readonly StoredVector[]> {
    const known = vectors.get(`${script} ${kind}`)
    if (known !== undefined) return known
    const texts = REFERENCE_TASKS[script][kind]
    const keys = texts.map(text => vectorKey(`${kind}\0${text}`))
    const kept = await cache.read(new Set(keys)).catch(() => new Map<string, StoredVector>())
    let loaded = keys.flatMap(key => kept.get(key) ?? [])
    if (loaded.length < keys.length) {
      loaded = (kind === 'asked' ? await provider.embedQueries(texts, signal) : await embedDeclared(texts, signal)).map(storeVector)
      // A folder that can't be written is warned of when the tools are.
      await cache.write(new Map(loaded.map((vector, at) => [keys[at]!, vector]))).catch(() => {})
    }
    vectors.set(`${script} ${kind}`, loaded)
    return loaded
  }

  async function embedDeclared(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    const made: Float32Array[] = []
    await provider.embedDocuments(texts, signal, (from, batch) => { batch.forEach((vector, at) => { made[from + at] = vector }) })
    return made
  }

  return {
    async trust(query, tools, signal) {
      if (query === undefined || tools === undefined || (query === 'latin' && tools === 'latin')) return 1
      const declared = await load(tools, 'declared', signal)
      const asked = await load(query, 'asked', signal)
      const solved = asked.filter((task, at) => nearest(task, declared) === at).length
      return Math.min(1, Math.max(LEAST_TRUST, (solved - BY_CHANCE) / (IN_FULL - BY_CHANCE)))
    },
    forget() { vectors.clear() },
  }
}

/** The place of the vector with the greatest cosine. */
function nearest(of: StoredVector, among: readonly StoredVector[]): number {
  const cosines = among.map(vector => dot(of, vector) / Math.sqrt(dot(vector, vector)))
  return cosines.indexOf(Math.max(...cosines))
}

function dot(a: StoredVector, b: StoredVector): number {
  return a.reduce((sum, value, at) => sum + value * b[at]!, 0)
}
