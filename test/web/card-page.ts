/**
 * The card as a person finds it: Settings > Plugins on DSH's own page.
 * @module
 */

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Browser, ElementHandle, Page } from 'puppeteer-core'
import { ROOT } from '../support/pack.ts'

/** For a person to look at; nothing reads them, and they are not kept in the repository. */
const SCREENSHOTS = join(ROOT, '.eval/screenshots')

/** What DSH and the card call the way to the card. */
const WAY = {
  en: { notice: 'Continue', settings: 'Settings', plugins: 'Plugins', card: 'Show settings: Tool retriever' },
  zh: { notice: '继续', settings: '设置', plugins: '插件', card: '展开设置: 工具检索' },
} as const

export interface Preferences {
  readonly language?: 'en' | 'zh'
  readonly scheme?: 'light' | 'dark'
  /** Of the window while the card is looked at, in CSS pixels. */
  readonly width?: number
  readonly isCardOpen?: boolean
}

/** Every wait is for something that a person would see at once. */
const WAIT_MS = 10_000

export class CardPage {
  readonly page: Page
  readonly failures: string[] = []

  constructor(page: Page) {
    this.page = page
    page.setDefaultTimeout(WAIT_MS)
    page.on('pageerror', (error) => { this.failures.push(String(error)) })
  }

  button(name: string) {
    return this.page.locator(`::-p-aria([name="${name}"][role="button"])`)
  }

  field(name: string) {
    return this.page.locator(`.tool-retriever ::-p-aria([name="${name}"])`)
  }

  /** The text of the first element, as it is drawn. */
  async text(selector: string): Promise<string> {
    return this.page.$eval(`.tool-retriever ${selector}`, element => (element as HTMLElement).innerText)
  }

  async texts(selector: string): Promise<string[]> {
    return this.page.$$eval(`.tool-retriever ${selector}`, elements => elements.map(element => (element as HTMLElement).innerText.trim()))
  }

  /** Names of the tools in the table, as many as are drawn. */
  async rows(): Promise<string[]> {
    return this.page.$$eval('.tool-retriever tr[data-tool]', rows => rows.map(row => (row as HTMLElement).dataset['tool']!))
  }

  /** A row's cells: name, family, tokens, state. */
  async row(name: string): Promise<string[]> {
    const cells = await this.texts(`tr[data-tool="${name}"] > *`)
    return cells.slice(0, 4).map(cell => cell.replace(/\s+/g, ' '))
  }

  async filter(text: string): Promise<void> {
    await this.field('Filter by name, family or description').click({ count: 3 })
    await this.page.keyboard.press('Backspace')
    await this.page.keyboard.type(text)
  }

  async decide(name: string, policy: 'automatic' | 'always' | 'never'): Promise<void> {
    await this.filter(name)
    await this.page.select(`.tool-retriever tr[data-tool="${name}"] select`, policy)
  }

  /** Types a query and waits for its answer. */
  async search(query: string): Promise<void> {
    await this.page.locator('.tool-retriever [role=search] input').fill(query)
    const answered = this.page.waitForResponse(response => response.url().endsWith('/preview'))
    await this.page.keyboard.press('Enter')
    await answered
    await this.page.waitForSelector('.tool-retriever details')
  }

  /** @param selector - what to begin the picture with. */
  async screenshot(name: string, selector: string): Promise<void> {
    await mkdir(SCREENSHOTS, { recursive: true })
    await this.page.$eval(`.tool-retriever ${selector}`, (element) => { element.scrollIntoView({ block: 'start' }) })
    await this.page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) })
  }

  async card(): Promise<ElementHandle> {
    return (await this.page.$('.tool-retriever'))!
  }

  /** Nothing on the page has failed since it was opened. */
  async close(): Promise<void> {
    await this.page.browserContext().close()
    expect(this.failures).toEqual([])
  }
}

/** Accepts what DSH tells a first visitor; it remembers that for all. */
export async function acceptNotice(browser: Browser, url: string): Promise<void> {
  const page = new CardPage(await (await browser.createBrowserContext()).newPage())
  await page.page.goto(url)
  await page.button(WAY.en.notice).setTimeout(30_000).click()
  await page.page.waitForFunction(() => document.querySelector('[role=dialog]') === null)
  await page.close()
}

/** Opens the card in a browser profile of its own. */
export async function openCard(browser: Browser, url: string, preferences: Preferences = {}): Promise<CardPage> {
  const { language = 'en', scheme = 'light', width = 1200, isCardOpen = true } = preferences
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  const card = new CardPage(page)
  const height = 1_000
  await page.setViewport({ width: 1_200, height })
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
  await page.evaluateOnNewDocument((tag: string) => {
    Object.defineProperty(navigator, 'language', { get: () => tag })
    Object.defineProperty(navigator, 'languages', { get: () => [tag] })
  }, language === 'zh' ? 'zh-CN' : 'en-US')
  await page.goto(url)
  const way = WAY[language]
  await card.button(way.settings).click()
  await card.button(way.plugins).click()
  await page.waitForSelector('.tool-retriever')
  await page.setViewport({ width, height })
  // Another width may have DSH draw the settings anew.
  await page.waitForNetworkIdle({ idleTime: 500 })
  if (!isCardOpen) return card
  await card.button(way.card).click()
  await page.waitForSelector('.tool-retriever tr[data-tool]')
  return card
}
