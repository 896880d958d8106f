/**
 * Debian's Chromium, headless.
 * @module
 */

import { existsSync } from 'node:fs'
import { launch } from 'puppeteer-core'
import type { Browser } from 'puppeteer-core'

/** Where Debian's package, and others, put it. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

const CHROMIUM = PLACES.find(place => existsSync(place))

/** Whether browser tests run: without a browser they are left out, but a run that counts (`CI=true`) fails instead. */
export const HAS_BROWSER: boolean = CHROMIUM !== undefined || process.env['CI'] === 'true'

/** @throws when there is none. */
export async function launchBrowser(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error('there is no Chromium on this machine; install one: apt-get install chromium')
  // The sandbox needs rights that a container's root does not have, and the page is our own.
  return launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
}
