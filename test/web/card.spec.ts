/**
 * The packed plugin's card in a real browser, on a real `dsh web` in an empty home, with real MCP servers and a scripted model.
 */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'puppeteer-core'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { mcpPatch, runDsh, startWeb } from '../support/dsh.ts'
import type { WebServer } from '../support/dsh.ts'
import { startModelServer, wireToolNames } from '../support/model-server.ts'
import type { ModelServer } from '../support/model-server.ts'
import { packPlugin, toolEnvironment } from '../support/pack.ts'
import { HAS_BROWSER, launchBrowser } from './browser.ts'
import { acceptNotice, openCard } from './card-page.ts'
import type { CardPage } from './card-page.ts'

const ISSUE = 'mcp__github__create_issue'

/** Of the server that only has many; with those of GitHub and DSH the page has a thousand and more. */
const MANY = 1_000

const COMPOSED = ['dsh-tool-retriever', '@deepseek-ai/dsh-client-ui-settings-plugins', '@deepseek-ai/dsh-mcp-client']

/** Longest that a key press may take until the page is drawn anew, milliseconds. */
const INTERACTION_MS = 50

let folder: string
let models: ModelServer
let web: WebServer
let browser: Browser
let sessionId: string
let card: CardPage

if (!HAS_BROWSER) console.log('test/web: skipped, there is no Chromium on this machine (apt-get install chromium)')

describe.skipIf(!HAS_BROWSER)('the card', { timeout: 60_000 }, () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'web-'))
    models = await startModelServer(() => 'Done.')
    const options = {
      cwd: join(folder, 'project'),
      env: { ...await toolEnvironment(folder), DEEPSEEK_API_KEY: 'none', DEEPSEEK_BASE_URL: models.url },
    }
    await mkdir(options.cwd)
    browser = await launchBrowser()
    const tarball = await packPlugin(join(folder, 'tarball'))
    const { code, output } = await runDsh(['plugin', '--profile', 'web', 'add', tarball], options)
    expect(code, output).toBe(0)
    const patch = join(folder, 'mcp.patch.yml')
    const servers = [
      mcpPatch('github', '@modelcontextprotocol/server-github/dist/index.js', { GITHUB_PERSONAL_ACCESS_TOKEN: 'none' }),
      mcpPatch('archive', join(import.meta.dirname, 'many-tools.ts'), { TOOLS: `${MANY}` }),
    ]
    // The scripted model answers whatever it is asked beside the session with a title, which would match something.
    const quiet = { id: 'tool-retriever', config: { rewrite: false, disclosure: { mode: 'inject' } } }
    await writeFile(patch, JSON.stringify([...servers.flatMap(server => JSON.parse(server) as object[]), quiet]))
    web = await startWeb(patch, options)
    // The server listens before everything is composed, and a page that is loaded then stays without the rest.
    await vi.waitFor(async () => {
      expect(await activePlugins()).toEqual(expect.arrayContaining(COMPOSED))
    }, { timeout: 60_000, interval: 200 })
    sessionId = ((await web.call('session.create', { cwd: options.cwd })) as { sessionId: string }).sessionId
    await acceptNotice(browser, web.url)
    await ask()
  }, 300_000)

  afterEach(async () => { await card?.close() })

  afterAll(async () => {
    await browser?.close()
    await web?.close()
    await models?.close()
    await rm(folder, { recursive: true, force: true })
  })

  async function activePlugins(): Promise<readonly string[]> {
    const { entries } = await web.call('pluginInventory/list', { args: {} }) as { entries: readonly { moduleName: string; fiberPhase: string }[] }
    return entries.flatMap(({ moduleName, fiberPhase }) => fiberPhase === 'active' ? [moduleName] : [])
  }

  /** One turn of the agent. */
  async function ask(): Promise<readonly string[]> {
    const before = models.requests.length
    await web.call('session.prompt', { sessionId, mode: 'queue', content: [{ type: 'text', text: 'Say that you are done.' }] })
    await vi.waitFor(() => { expect(models.requests).toHaveLength(before + 1) }, { timeout: 30_000 })
    return wireToolNames(models.requests.at(-1)!)
  }

  it('shows what is so now: every tool with family, tokens and state, and the totals', async () => {
    card = await openCard(browser, web.url)
    expect(await card.text('.totals')).toMatch(/Tools\s+1,0\d\d\s.*In every request\s+[\d,]+ tokens\s.*Left out\s+[\d,]+ tokens\s.*Saved so far\s+[\d,]+ tokens\s+in 1 request/s)
    await card.screenshot('light', '.header')
    await card.screenshot('table', 'table')
    expect(await card.row('bash')).toEqual(['bash', '', expect.stringMatching(/^\d+$/), 'Always core tool'])
    await card.filter(ISSUE)
    expect(await card.row(ISSUE)).toEqual([expect.stringMatching(/^mcp__github__create_issue/), 'github', expect.stringMatching(/^\d+$/), 'Deferred a search loads it'])
  })

  it('filters and sorts the table', async () => {
    card = await openCard(browser, web.url)
    expect(await card.rows()).toContain('bash')
    await card.filter('github issue')
    const found = await card.rows()
    expect(found).toContain(ISSUE)
    expect(found.filter(name => !name.startsWith('mcp__github__'))).toEqual([])
    expect(await card.texts('[role=status]')).toContainEqual(expect.stringMatching(/^\d+ of 1,0\d\d$/))
    await card.filter('')
    await card.page.select('.tool-retriever select[aria-label="State"]', 'always')
    expect(await card.rows()).not.toContain(ISSUE)
    expect(await card.rows()).toContain('bash')
    await card.button('Tokens').click()
    const tokens = (await card.texts('td.column-tokens')).map(text => Number(text.replace(',', '')))
    expect(tokens).toEqual(tokens.toSorted((a, b) => b - a))
    await card.filter('nothing is called so')
    expect(await card.text('')).toContain('No tool fits the filter.')
    await card.screenshot('filter-empty', 'section:last-child')
  })

  it('previews a Chinese query: the ranking, the channels, the fields and the words, as the agent would get it', async () => {
    card = await openCard(browser, web.url)
    await card.search('在 GitHub 上新建一个问题')
    expect((await card.texts('.results code'))[0]).toBe(ISSUE)
    const [first] = await card.texts('.results > li')
    expect(first).toContain('would be loaded')
    expect(first).toMatch(/translation \d+% place 1/)
    expect(first).toMatch(/Matched in: .*name/)
    expect(first).toContain('问题 → issue')
    expect(await card.texts('[role=status]')).toContainEqual(expect.stringMatching(/^Found\. 8 results · evidence \d+%$/))
    await card.page.click('.tool-retriever summary')
    expect(await card.text('pre')).toMatch(new RegExp(`^Loaded 8 tools\\. .*\\n1\\. ${ISSUE} \\(loaded\\) - Create a new issue`))
    await card.screenshot('preview', '[role=search]')
    expect(await ask()).not.toContain(ISSUE)
  })

  it('says when nothing matches', async () => {
    card = await openCard(browser, web.url)
    await card.search('qzxv wkjh')
    expect(await card.texts('[role=status]')).toContainEqual('Nothing matches. Nothing would be loaded.')
    expect(await card.texts('.results')).toEqual([])
    expect(await card.text('pre')).toContain('No tool matches. Nothing was loaded.')
    await card.screenshot('preview-none', '[role=search]')
  })

  it('decides about a tool, and the agent\'s next request follows', async () => {
    card = await openCard(browser, web.url)
    expect(await ask()).not.toContain(ISSUE)
    await card.decide(ISSUE, 'always')
    await expect.poll(async () => (await card.row(ISSUE))[3], { timeout: 10_000 }).toBe('Always your list')
    expect(await ask()).toContain(ISSUE)
    await card.decide(ISSUE, 'never')
    await expect.poll(async () => (await card.row(ISSUE))[3], { timeout: 10_000 }).toBe('Never your list')
    await card.screenshot('policy', 'section:last-child')
    expect(await ask()).not.toContain(ISSUE)
    await card.search(`select:${ISSUE}`)
    expect(await card.text('.results')).toContain('does not exist')
    await card.decide(ISSUE, 'automatic')
    await expect.poll(async () => (await card.row(ISSUE))[3], { timeout: 10_000 }).not.toContain('your list')
  })

  it('saves a setting, refuses a wrong one with the rule, and takes one back', async () => {
    card = await openCard(browser, web.url)
    await card.field('Results of a search').fill('3')
    await card.button('Save').click()
    await expect.poll(async () => card.texts('[role=status]'), { timeout: 10_000 }).toContain('Saved. Agents follow with their next request.')
    await card.search('open an issue on GitHub')
    expect(await card.texts('.results > li')).toHaveLength(3)
    await card.field('Never shown, found or run').fill('mcp__archive__*\n')
    await card.field('Always shown').fill('mcp__github__get_*')
    await card.button('Save').click()
    await expect.poll(async () => (await card.texts('.totals > div'))[0], { timeout: 10_000 }).toContain('1,000 switched off')
    const next = await ask()
    expect(next.filter(name => name.startsWith('mcp__'))).not.toEqual([])
    expect(next.filter(name => name.startsWith('mcp__') && !name.startsWith('mcp__github__get_'))).toEqual([])
    await card.filter('mcp__github__get_issue')
    expect((await card.row('mcp__github__get_issue'))[3]).toBe('Always your list: mcp__github__get_*')
    await card.screenshot('settings', '.fields')
    await card.page.$eval('.tool-retriever form.fields', (form) => { form.noValidate = true })
    await card.field('Results of a search').fill('0')
    await card.button('Save').click()
    await card.page.waitForSelector('.tool-retriever form [role=alert]')
    expect(await card.text('form [role=alert]')).toMatch(/topK.*1 to 50/)
    await card.screenshot('settings-refused', '.footer')
    await card.button('Discard').click()
    for (const label of ['Results of a search', 'Never shown, found or run', 'Always shown']) await card.button(`Reset to default: ${label}`).click()
    await card.button('Save').click()
    await expect.poll(async () => card.page.$eval('.tool-retriever input[type=number]', input => input.value), { timeout: 10_000 }).toBe('8')
    expect((await ask()).filter(name => name.startsWith('mcp__'))).toEqual([])
  })

  it('asks the model for other words once that is switched on', async () => {
    card = await openCard(browser, web.url)
    await card.search('qzxv wkjh')
    expect(await card.text('')).not.toContain('A model gave other words')
    await card.field('Ask the model for other words when a search is unsure').click()
    await card.button('Save').click()
    await expect.poll(async () => card.texts('[role=status]'), { timeout: 10_000 }).toContain('Saved. Agents follow with their next request.')
    await card.search('wkjh qzxv')
    expect(await card.text('')).toContain('A model gave other words: A title')
    await card.screenshot('preview-rewritten', '[role=search]')
    await card.button('Reset to default: Ask the model for other words when a search is unsure').click()
    await card.button('Save').click()
    await card.page.waitForFunction(() => document.querySelector('.tool-retriever button[aria-label^="Reset to default: Ask"]') === null)
  })

  it.each([480, 700])('fits a window %i pixels wide', async (width) => {
    card = await openCard(browser, web.url, { width })
    await card.search('open an issue on GitHub')
    await card.filter('github')
    const overflow = await card.page.evaluate(() => {
      const box = document.querySelector('.tool-retriever')!.getBoundingClientRect()
      return [...document.querySelectorAll<HTMLElement>('.tool-retriever :is(input, select, textarea, button, code, td, th, .bar, strong)')]
        .filter(element => element.getBoundingClientRect().right > box.right + 1 && element.offsetParent !== null)
        .map(element => element.outerHTML.slice(0, 80))
    })
    expect(overflow).toEqual([])
    const [name] = await card.page.$$eval('.tool-retriever tbody .column-name', cells => cells.map(cell => cell.getBoundingClientRect().width))
    expect(name).toBeGreaterThan(100)
    await card.screenshot(`narrow-${width}`, '.header')
    await card.screenshot(`narrow-${width}-preview`, '[role=search]')
    await card.screenshot(`narrow-${width}-table`, 'table')
  })

  it.each(['light', 'dark'] as const)('can be read in the %s theme', async (scheme) => {
    card = await openCard(browser, web.url, { scheme })
    await card.search('open an issue on GitHub')
    await card.screenshot(`${scheme}-preview`, '.header')
    const [text, background] = await card.page.$eval('.tool-retriever', (element) => {
      const { color, backgroundColor } = getComputedStyle(element)
      return [color, backgroundColor]
    })
    expect(luminance(text!) < luminance(background!)).toBe(scheme === 'light')
    expect(contrast(text!, background!)).toBeGreaterThan(7)
  })

  it('speaks Chinese where the page does', async () => {
    card = await openCard(browser, web.url, { language: 'zh' })
    await card.search('在 GitHub 上新建一个问题')
    expect(await card.texts('h3')).toEqual(['当前状态', '试搜', '设置', '工具列表'])
    expect(await card.text('.results > li')).toMatch(/将被加载[\s\S]*中英释义/)
    expect(await card.texts('[role=status]')).toContainEqual(expect.stringMatching(/^已找到。 8 个结果/))
    await card.screenshot('chinese', '.header')
    await card.screenshot('chinese-settings', '.fields')
  })

  it('works with the keyboard alone', async () => {
    card = await openCard(browser, web.url, { isCardOpen: false })
    const { page } = card
    const focused = async () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '')
    const tabTo = async (name: string): Promise<void> => {
      for (let presses = 0; presses < 40 && await focused() !== name; presses++) await page.keyboard.press('Tab')
      expect(await focused()).toBe(name)
    }
    await tabTo('Show settings: Tool retriever')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.tool-retriever tr[data-tool]')
    expect(await focused()).toBe('Hide settings: Tool retriever')
    await tabTo('Query')
    await page.keyboard.type('open an issue')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.tool-retriever .results')
    expect(await focused()).toBe('Query')
    await card.screenshot('keyboard', '[role=search]')
    await tabTo('Filter by name, family or description')
    await page.keyboard.type('create_issue')
    await tabTo(`Policy of ${ISSUE}`)
    await page.keyboard.type('Nev')
    await expect.poll(async () => (await card.row(ISSUE))[3], { timeout: 10_000 }).toBe('Never your list')
    expect(await focused()).toBe(`Policy of ${ISSUE}`)
    // The browser takes letters that are typed within a second for the beginning of one option.
    await new Promise(resolve => setTimeout(resolve, 1_500))
    await page.keyboard.type('Aut')
    await expect.poll(async () => (await card.row(ISSUE))[3], { timeout: 10_000 }).not.toContain('your list')
  })

  it('names every control to a screen reader', async () => {
    card = await openCard(browser, web.url)
    await card.search('open an issue')
    const tree = await card.page.accessibility.snapshot({ root: await card.card(), interestingOnly: false })
    const nodes = flatten(tree!)
    const controls = nodes.filter(({ role }) => ['button', 'textbox', 'searchbox', 'combobox', 'checkbox', 'spinbutton'].includes(role))
    expect(controls.length).toBeGreaterThan(30)
    expect(controls.filter(({ name = '' }) => name.trim() === '')).toEqual([])
    const roles = new Set(nodes.map(({ role }) => role))
    expect(['table', 'columnheader', 'rowheader', 'search', 'status', 'list'].filter(role => !roles.has(role))).toEqual([])
  })

  it(`answers a key press within ${INTERACTION_MS} ms at ${MANY} tools`, async () => {
    card = await openCard(browser, web.url)
    const times = await card.page.$eval('.tool-retriever input[aria-label^="Filter"]', (input) => {
      return ['e', 'en', 'ent', 'entr', 'entry', 'entry_', 'entry_0', '', 'mcp', 'mcp__', '', '1', '12', '123', ''].map((text) => {
        const start = performance.now()
        // Past React's own setter on the element, which would take the text for its own and see no change.
        Reflect.set(HTMLInputElement.prototype, 'value', text, input)
        input.dispatchEvent(new Event('input', { bubbles: true }))
        // React draws a typed character before the event returns; asking for a size makes the browser lay it out too.
        document.body.getBoundingClientRect()
        return performance.now() - start
      })
    })
    expect(await card.rows()).not.toEqual([])
    expect(times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]).toBeLessThan(INTERACTION_MS)
  })
})

interface Node {
  readonly role: string
  readonly name?: string
  readonly children?: readonly Node[]
}

function flatten(node: Node): Node[] {
  return [node, ...(node.children ?? []).flatMap(flatten)]
}

/** Relative luminance of WCAG 2, 0 to 1, of `rgb(…)`. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [...color.matchAll(/[\d.]+/g)].slice(0, 3).map(([value]) => {
    const channel = Number(value) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Contrast ratio of WCAG 2, 1 to 21. */
function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
  return (light! + 0.05) / (dark! + 0.05)
}
