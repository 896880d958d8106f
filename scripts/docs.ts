/**
 * `pnpm docs:update`: brings what the READMEs show into step with the code and with RESULTS.md. Draws a run of the demo, collects what the
 * model reads, quotes what was measured. Tests look whether it was run.
 * @module
 */

import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { writeQuotes } from '../evaluation/report/quotes.ts'
import { modelTexts, withModelTexts } from './model-texts.ts'
import { drawSession, pictureLines } from './session-picture.ts'

const root = join(import.meta.dirname, '..')
// The scripted model: its sessions are the same everywhere.
const { DEEPSEEK_API_KEY: _key, ...env } = process.env
const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'demo/main.ts')], { cwd: root, env: { ...env, NO_COLOR: '1' } })
writeFileSync(join(root, 'docs/session.svg'), drawSession(pictureLines(stdout)))
for (const [file, language] of [['README.md', 'en'], ['README.zh.md', 'zh']] as const) {
  const path = join(root, file)
  writeFileSync(path, withModelTexts(readFileSync(path, 'utf8'), await modelTexts(language)))
}
writeQuotes(root)
