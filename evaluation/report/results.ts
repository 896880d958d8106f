/**
 * RESULTS.md: every harness replaces its own section between markers and leaves the others as they are.
 * @module
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT_ROOT } from '../sets.ts'
import { writeQuotes } from './quotes.ts'

const HEADER = [
  '# Results',
  'Written by the harnesses, never by hand: every value was measured by the command its section names, on the data and the runtime it names. '
  + 'Each command replaces its own section and keeps the others.',
].join('\n\n')

export interface ResultSection {
  /** Lower-case letters and hyphens. */
  readonly id: string
  readonly title: string
  /** The command that measured it, from the root of the repository. */
  readonly command: string
  /** Markdown below the title. */
  readonly body: string
}

/** What a reader wants first; further sections follow in the order of their ids. */
const SECTION_ORDER = ['recall', 'bench']

const open = (id: string): string => `<!-- section ${id}: generated -->`
const close = (id: string): string => `<!-- end of section ${id} -->`

function placeOf(id: string): number {
  const known = SECTION_ORDER.indexOf(id)
  return known < 0 ? SECTION_ORDER.length : known
}

/** Sections of a document, by id; text outside the markers is not kept. */
function sectionsOf(document: string): Map<string, string> {
  const pattern = /<!-- section ([a-z-]+): generated -->\n[\s\S]*?<!-- end of section \1 -->/g
  return new Map([...document.matchAll(pattern)].map(match => [match[1]!, match[0]]))
}

/** The document with one section replaced or added; the same input gives the same bytes. */
export function replaceSection(document: string, { id, title, command, body }: ResultSection): string {
  if (!/^[a-z-]+$/.test(id)) throw new TypeError(`section id "${id}": only lower-case letters and hyphens`)
  const provenance = `Measured by \`${command}\` with Node.js ${process.version}, ${process.platform} ${process.arch}.`
  const sections = sectionsOf(document)
  sections.set(id, [open(id), `## ${title}`, '', provenance, '', body.trim(), close(id)].join('\n'))
  const ids = [...sections.keys()].sort((a, b) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1))
  return `${[HEADER, ...ids.map(other => sections.get(other)!)].join('\n\n')}\n`
}

/** Replaces one section of RESULTS.md, and what the READMEs quote of it. */
export function writeSection(section: ResultSection, root: string = PROJECT_ROOT): void {
  const file = join(root, 'RESULTS.md')
  writeFileSync(file, replaceSection(existsSync(file) ? readFileSync(file, 'utf8') : '', section))
  writeQuotes(root)
}
