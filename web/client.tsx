/**
 * The browser half: one card in Settings > Plugins.
 * @module
 */

import { SETTINGS_SECTION } from '../src/web/protocol.ts'
import css from './card.css?inline'
import { Card } from './card.tsx'
import type { PageContext } from './host.ts'
import { createPluginCalls } from './plugin-calls.ts'
import { createSettingsAccess } from './settings-access.ts'

export const inject = ['slots', 'settingsScope', 'connection']

export function apply(ctx: PageContext): void {
  const calls = createPluginCalls(ctx.connection)
  const settings = createSettingsAccess(ctx.connection, ctx.settingsScope.describe())
  const locale = ctx.get('locale')
  ctx.effect(() => {
    const style = document.createElement('style')
    style.textContent = css
    document.head.append(style)
    return () => { style.remove() }
  }, 'dsh-tool-retriever: style')
  ctx.slots.inject('settings.plugin.item', () => ctx.slots.register(
    { name: 'settings.plugin.item', key: SETTINGS_SECTION },
    () => <Card calls={calls} settings={settings} locale={locale} />,
  ))
}
