/**
 * Mode `auto`: decides, from tokens and prices, whether to hide at all and how a search hands over what it found.
 *
 * Nothing is remembered: the log says what was sent, and every decision is a function of it.
 * @module
 */

import type { Agent } from '@deepseek-ai/dsh-agent'
import type { ToolSchema } from '@deepseek-ai/dsh-llm'
import type { DisclosureConfig } from '../config.ts'
import { PROGRAM_TOOL } from '../host.ts'
import type { NamePredicate } from '../patterns.ts'
import type { SelectionTracker } from '../selection/tracker.ts'
import { SEARCH_TOOL } from '../tools/contract.ts'
import { isInjectionCheaper, pricingOf, tokensBehind } from './economics.ts'
import type { RegistryView } from './registry-view.ts'
import { SEARCH_DESCRIPTION } from './search-description.ts'
import { isSurfaceTool } from './surface-tools.ts'

export interface AutoPolicy {
  /** Whether there is so little to hide that everything is simply shown. */
  isInert(agent: Agent, registry: RegistryView): boolean
  /** How a search that happens now hands over what it finds. */
  deliveryFor(agent: Agent): 'inject' | 'dispatch'
  /**
   * Dispatched tools that move into the list now, because the list changes anyway and with it everything behind it is uncached.
   * @param tools - the list as it would be sent.
   */
  promoted(agent: Agent, tools: readonly ToolSchema[]): readonly string[]
}

/** The policy of the other modes: hide, hand over in one way, promote nothing. */
export function fixedPolicy(delivery: 'inject' | 'dispatch'): AutoPolicy {
  return { isInert: () => false, deliveryFor: () => delivery, promoted: () => [] }
}

/** In Code Mode the list holds the program tool alone, and the prompt declares the search with its description. */
function hasShownSearch({ session }: Agent): boolean {
  const { tools = [], system = '' } = session.requestHeader() ?? {}
  return tools.some(({ name }) => name === SEARCH_TOOL)
    || (tools.some(({ name }) => name === PROGRAM_TOOL) && system.includes(SEARCH_DESCRIPTION))
}

/** @param isDeferrable - tools that a search could load. */
export function autoPolicy(
  { inertTokens, pricing }: DisclosureConfig,
  selections: SelectionTracker,
  isDeferrable: NamePredicate,
): AutoPolicy {
  return {
    isInert(agent, registry) {
      // Once a search was shown it stays: taking it away would change the list again.
      if (hasShownSearch(agent)) return false
      let tokens = 0
      for (const name of registry.names) {
        if (isSurfaceTool(name) || !isDeferrable(name)) continue
        tokens += registry.tokensOf(name)
        if (tokens > inertTokens) return false
      }
      return true
    },
    deliveryFor(agent) {
      const { sent, inputTokens } = selections.of(agent.session)
      const { system = '', config } = agent.session.requestHeader() ?? {}
      const behind = system.length + JSON.stringify(agent.session.deriveMessages()).length
      return isInjectionCheaper(tokensBehind(behind, JSON.stringify(sent).length, inputTokens), pricingOf(pricing, config)) ? 'inject' : 'dispatch'
    },
    promoted(agent, tools) {
      const { sent, discovered, lastCalls } = selections.of(agent.session)
      const listed = new Set(tools.map(({ name }) => name))
      const used = discovered.filter(name => lastCalls.has(name) && !listed.has(name))
      if (used.length === 0 || sent.length === 0) return []
      const isUnchanged = tools.length === sent.length
        && sent.every((tool, index) => JSON.stringify(tool) === JSON.stringify(tools[index]))
      return isUnchanged ? [] : used
    },
  }
}
