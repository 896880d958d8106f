/**
 * The demo's built-in tasks: what the user says, what a scripted model knows about it, and how the effect is checked.
 * @module
 */

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { memoryFile } from './mcp-servers.ts'

/** What a task did to the world outside the agent. */
export interface Effect {
  readonly happened: boolean
  /** The evidence, for people. */
  readonly evidence: string
}

export interface DemoTask {
  /** The user's message. */
  readonly prompt: string
  /** What the scripted model searches for, in its user's language. It knows no tool by name. */
  readonly query: string
  /** Values that the scripted model takes from the prompt, by the parameter they fill. */
  readonly facts: Readonly<Record<string, unknown>>
  /** Reads back from disk what the task was to do. */
  effect(): Promise<Effect>
}

const DRAFT = 'A tool that is not shown costs nothing.\n'

/**
 * Prepares a folder for the built-in tasks.
 * @param folder - absolute; the file and memory servers work in it.
 */
export async function builtInTasks(folder: string): Promise<DemoTask[]> {
  const source = 'inbox/draft.txt'
  const destination = 'archive/2026-draft.txt'
  const [draft, archived] = [join(folder, source), join(folder, destination)]
  await mkdir(dirname(draft), { recursive: true })
  await mkdir(dirname(archived), { recursive: true })
  await writeFile(draft, DRAFT)
  return [
    {
      prompt: 'Remember in the knowledge graph: Ada Lovelace is a mathematician who published the first computer program.',
      query: 'add a new person to the knowledge graph',
      facts: { name: 'Ada Lovelace', entityType: 'mathematician', observations: ['published the first computer program'] },
      async effect() {
        const graph = await readFile(memoryFile(folder), 'utf8').catch(() => '')
        const line = graph.split('\n').find(entry => entry.includes('Ada Lovelace'))
        return { happened: line !== undefined, evidence: `${basename(memoryFile(folder))}: ${line ?? 'no such entity'}` }
      },
    },
    {
      prompt: `把 ${source} 移到 ${destination}。`,
      query: '移动文件',
      facts: { source, destination },
      async effect() {
        const moved = await readFile(archived, 'utf8').catch(() => undefined)
        const gone = await readFile(draft).then(() => false, () => true)
        return {
          happened: moved === DRAFT && gone,
          evidence: `${destination}: ${moved === undefined ? 'missing' : JSON.stringify(moved)}; ${source}: ${gone ? 'gone' : 'still there'}`,
        }
      },
    },
  ]
}
