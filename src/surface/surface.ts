/**
 * The surface of every agent: what its next request shows, and what happens to calls of tools it does not show.
 *
 * One waterfall listener and one guard. It hides by leaving out of the assembly and never restricts the registry, so a tool that was
 * loaded in this turn runs in this turn, and no other policy's filter is widened.
 * @module
 */

import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { PromptAssembly } from '@deepseek-ai/dsh-system-prompt'
import type { ToolExecution } from '@deepseek-ai/dsh-tools'
import type { DisclosureConfig } from '../config.ts'
import { PROGRAM_TOOL, sdkRenderer, sdkSection } from '../host.ts'
import type { SdkTool } from '../host.ts'
import { derived } from '../live-config.ts'
import type { LiveConfig } from '../live-config.ts'
import type { SelectionTracker } from '../selection/tracker.ts'
import { DISPATCH_TOOL, SEARCH_TOOL } from '../tools/contract.ts'
import { autoPolicy, fixedPolicy } from './auto.ts'
import type { AutoPolicy } from './auto.ts'
import { denyDeferred, denyNever } from './hidden-calls.ts'
import { compilePatterns } from '../patterns.ts'
import type { NamePredicate } from '../patterns.ts'
import { partition, projectSections, projectTools, wireOrder } from './projection.ts'
import type { Partition } from './projection.ts'
import type { Preselection } from './preselect.ts'
import type { RegistryView, RegistryViews } from './registry-view.ts'
import { searchDescription } from './search-description.ts'
import type { SkillTools } from './skill-tools.ts'
import { isSurfaceTool } from './surface-tools.ts'

/** What an agent has, and what of it is shown now. */
export interface AgentSurface extends Partition {
  readonly registry: RegistryView
  /** Tools that are not always shown and whose schemas the agent was given: in its tool list, or in a search result. */
  readonly loaded: ReadonlySet<string>
  /** Deferred tools whose schemas the agent has not seen. */
  readonly undiscovered: ReadonlySet<string>
}

export interface Surface {
  /** The surface at this moment; the next request shows it. */
  of(agent: Agent): AgentSurface
  /** How a search that happens now hands over what it finds. */
  deliveryFor(agent: Agent): 'inject' | 'dispatch'
}

interface SurfaceOptions {
  readonly live: LiveConfig
  readonly selections: SelectionTracker
  readonly views: RegistryViews
  /** Tools that a skill brings along. */
  readonly skillTools: SkillTools
  readonly preselection: Preselection
  /** Agents without a search of ours are left alone: what is hidden from them could never be found. */
  readonly isAttached: (agent: Agent) => boolean
}

/** The rendered SDK text of one agent, kept while the tools in it stay the same. */
interface RenderedSdk {
  readonly registry: RegistryView
  readonly names: string
  readonly text: string
}

const NOTHING: readonly string[] = []

/** Gives the search its description for this session. */
function describe(tools: PromptAssembly['tools'], description: string): PromptAssembly['tools'] {
  return tools.map(tool => tool.name === SEARCH_TOOL ? { ...tool, description } : tool)
}

const NEVER_ABORTED = new AbortController().signal

/** Tools that are shown whatever is selected. */
export function alwaysVisible({ coreTools, alwaysVisible: more }: DisclosureConfig): NamePredicate {
  return compilePatterns([...coreTools, ...more])
}

/** What the configuration says of the surface, compiled. */
interface SurfaceRules {
  readonly disclosure: DisclosureConfig
  readonly always: NamePredicate
  readonly isNever: NamePredicate
  readonly hides: boolean
  readonly auto: AutoPolicy
}

function compileRules(disclosure: DisclosureConfig, selections: SelectionTracker): SurfaceRules {
  const always = alwaysVisible(disclosure)
  const isNever = compilePatterns(disclosure.neverSearch)
  return {
    disclosure,
    always,
    isNever,
    hides: disclosure.mode !== 'off',
    auto: disclosure.mode === 'auto'
      ? autoPolicy(disclosure, selections, name => !always(name) && !isNever(name))
      : fixedPolicy(disclosure.mode === 'dispatch' ? 'dispatch' : 'inject'),
  }
}

/** Whether tools can be called without being in the tool list. */
export function dispatches({ mode }: Pick<DisclosureConfig, 'mode'>): boolean {
  return mode === 'dispatch' || mode === 'auto'
}

/** The latest partition of an agent's tools and what it was made of. */
interface LastPartition {
  readonly rules: SurfaceRules
  readonly registry: RegistryView
  readonly selected: readonly string[]
  readonly names: readonly string[]
  readonly partition: Partition
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, index) => name === b[index])
}

/** Tools of the latest request, in order. */
function sentNames(agent: Agent): readonly string[] {
  return (agent.session.requestHeader()?.tools ?? []).map(({ name }) => name)
}

/**
 * Installs the projection and the guard.
 * @param ctx - plugin context; both go with it.
 */
export function installSurface(ctx: Context, options: SurfaceOptions): Surface {
  const { live, selections, views, skillTools, preselection, isAttached } = options
  const rulesNow = derived(live, ({ disclosure }) => [disclosure], ({ disclosure }) => compileRules(disclosure, selections))
  const sdkTexts = new WeakMap<Agent, RenderedSdk>()
  const partitions = new WeakMap<Agent, LastPartition>()
  /** Tool names of an agent's latest full assembly: what to read tool by tool when the registry can't be read at once. */
  const assembledNames = new WeakMap<Agent, readonly string[]>()

  /** Whether a tool is shown without a search; one that the registry does not know could never be loaded again. */
  function isShown({ hides, always }: SurfaceRules, registry: RegistryView): NamePredicate {
    return name => !hides || always(name) || !registry.names.has(name)
  }

  /**
   * Names whose schemas go with requests. In dispatch mode only those that another mode has sent, so that the tool list never changes;
   * in inject mode also what another mode has dispatched, since nothing else could call it now.
   */
  function selectedOf(agent: Agent, registry: RegistryView, { disclosure: { mode } }: SurfaceRules): readonly string[] {
    const { names, discovered, skills, sent } = selections.of(agent.session)
    if (mode === 'dispatch') return names.length === 0 ? names : names.filter(name => sent.some(tool => tool.name === name))
    const loaded = mode === 'auto' || discovered.length === 0 ? names : [...new Set([...names, ...discovered])]
    return skills.length === 0 ? loaded : [...loaded, ...skillTools.of(skills, registry.names)]
  }

  /** What the registry has and this mode can show: an agent keeps a dispatch that another mode gave it. */
  function usable(names: Iterable<string>, { disclosure }: SurfaceRules): string[] {
    const all = [...names]
    return dispatches(disclosure) ? all : all.filter(name => name !== DISPATCH_TOOL)
  }

  /** Most requests find the same tools and the same selection as the one before. */
  function sort(
    agent: Agent, rules: SurfaceRules, registry: RegistryView, names: readonly string[], preselected: readonly string[],
  ): Partition {
    const loaded = selectedOf(agent, registry, rules)
    const selected = preselected.length === 0 ? loaded : [...new Set([...loaded, ...preselected])]
    const last = partitions.get(agent)
    const isSame = last?.rules === rules && last.registry === registry && sameNames(last.selected, selected) && sameNames(last.names, names)
    if (isSame) return last.partition
    const sorted = partition(usable(names, rules), { isAlwaysVisible: isShown(rules, registry), isNever: rules.isNever, selected })
    partitions.set(agent, { rules, registry, selected, names, partition: sorted })
    return sorted
  }

  function surfaceOf(agent: Agent): AgentSurface {
    const rules = rulesNow()
    const registry = views.of(agent, assembledNames.get(agent))
    if (rules.auto.isInert(agent, registry)) return inertSurface(registry, rules)
    const selected = selectedOf(agent, registry, rules)
    const sorted = partition(usable(registry.names, rules), { isAlwaysVisible: isShown(rules, registry), isNever: rules.isNever, selected })
    const { names, discovered, skills } = selections.of(agent.session)
    const seen = new Set([...discovered, ...names, ...skillTools.of(skills, registry.names)])
    const isAlways = isShown(rules, registry)
    return {
      ...sorted,
      registry,
      loaded: new Set([...sorted.shown, ...sorted.deferred].filter(name => seen.has(name) && !isAlways(name) && !isSurfaceTool(name))),
      undiscovered: new Set([...sorted.deferred].filter(name => !seen.has(name))),
    }
  }

  /** While there is little to hide everything is shown, and there is no search. */
  function inertSurface(registry: RegistryView, { isNever }: SurfaceRules): AgentSurface {
    const names = [...registry.names].filter(name => !isSurfaceTool(name))
    return {
      registry,
      shown: names.filter(name => !isNever(name)),
      deferred: new Set(),
      never: new Set(names.filter(isNever)),
      loaded: new Set(),
      undiscovered: new Set(),
    }
  }

  function project(full: PromptAssembly, agent: Agent, rules: SurfaceRules, preselected: readonly string[]): PromptAssembly {
    const { hides, always, isNever, auto } = rules
    const names = full.tools.map(tool => tool.name)
    assembledNames.set(agent, names)
    const registry = views.of(agent, names)
    if (!hides) {
      const isSearchable = [...registry.names].some(name => !isSurfaceTool(name) && !always(name) && !isNever(name))
      return unhidden(full, agent, registry, isNever, isSearchable)
    }
    if (auto.isInert(agent, registry)) return unhidden(full, agent, registry, isNever, false)
    const sdk = sdkSection(full)
    // In Code Mode the assembly carries the program tool alone; the SDK declares what the registry holds.
    const sorted = sort(agent, rules, registry, sdk === undefined ? names : [...new Set([...names, ...registry.names])], preselected)
    const previous = agent.session.requestHeader()?.tools ?? []
    const settled = wireOrder(sorted.shown, previous.map(tool => tool.name))
    // Once sent, the description is repeated byte for byte: a server that connects later must not break the prefix at this tool.
    const description = previous.find(tool => tool.name === SEARCH_TOOL)?.description ?? searchDescription(sorted.deferred)
    const listed = describe(projectTools(full.tools, settled), description)
    const promoted = auto.promoted(agent, listed)
    const shown = new Set([...settled, ...promoted])
    return {
      ...full,
      tools: promoted.length === 0 ? listed : [...listed, ...projectTools(full.tools, promoted)],
      sections: projectSections(full.sections, name => registry.names.has(name) && !shown.has(name))
        .map(section => section === sdk ? { ...section, text: sdkText(agent, registry, shown, section.text) } : section),
    }
  }

  /**
   * An assembly that hides nothing but what the configuration switches off.
   * @param withSearch - whether the search is shown, behind the rest, where it stands in every mode: what follows it in a first request was
   * chosen for the message.
   */
  function unhidden(
    full: PromptAssembly, agent: Agent, registry: RegistryView, isNever: NamePredicate, withSearch: boolean,
  ): PromptAssembly {
    const isUseful: NamePredicate = name => name === PROGRAM_TOOL || (withSearch && name === SEARCH_TOOL)
    const isHidden: NamePredicate = name => isSurfaceTool(name) ? !isUseful(name) : isNever(name)
    const tools = full.tools.filter(({ name }) => !isHidden(name))
    const names = tools.map(({ name }) => name)
    const order = [...names.filter(name => name !== SEARCH_TOOL), ...names.filter(name => name === SEARCH_TOOL)]
    const sdk = sdkSection(full)
    const text = sdk && sdkText(agent, registry, new Set([...registry.names].filter(name => !isHidden(name))), sdk.text)
    return {
      ...full,
      tools: withSearch ? projectTools(tools, wireOrder(order, sentNames(agent))) : tools,
      sections: projectSections(full.sections, isHidden).map(section => section === sdk ? { ...section, text: text! } : section),
    }
  }

  /** The SDK text for the shown tools; the given text when this DSH exports no renderer for its language, which hides nothing. */
  function sdkText(agent: Agent, registry: RegistryView, shown: ReadonlySet<string>, given: string): string {
    const render = sdkRenderer(ctx)
    if (render === undefined) return given
    const tools = registry.schemas.filter(schema => shown.has(schema.name) && schema.name !== PROGRAM_TOOL)
    const names = tools.map(tool => tool.name).join('\n')
    const cached = sdkTexts.get(agent)
    if (cached?.registry === registry && cached.names === names) return cached.text
    const text = render(tools.flatMap((tool): SdkTool[] => {
      const definition = ctx.tools.get(tool.name, agent)
      return definition === undefined ? [] : [{ ...tool, output: definition.output.schema }]
    }))
    sdkTexts.set(agent, { registry, names, text })
    return text
  }

  ctx.on('system-prompt/assemble', async (_assembly, { agent, signal }, next) => {
    const full = await next()
    if (agent === undefined || !isAttached(agent)) return full
    try {
      const { mode } = rulesNow().disclosure
      const preselected = mode === 'inject' || mode === 'auto' ? await preselection.of(agent, signal ?? NEVER_ABORTED) : NOTHING
      return project(full, agent, rulesNow(), preselected)
    } catch (error: unknown) {
      // Showing everything costs tokens; failing the assembly would cost the turn.
      ctx.logger.error(`dsh-tool-retriever: the tool surface of agent "${agent.id}" could not be built, showing every tool: ${String(error)}`)
      return full
    }
  }, { prepend: true })

  ctx.tools.guard((execution) => {
    const { agent, name } = execution
    if (agent === undefined || !isAttached(agent) || isSurfaceTool(name) || !isModelAuthored(execution, selections)) return undefined
    const definition = ctx.tools.get(name, agent)
    const rules = rulesNow()
    if (definition === undefined) return undefined
    if (rules.isNever(name)) return denyNever(name)
    if (!rules.hides) return undefined
    if (rules.auto.isInert(agent, views.of(agent))) return undefined
    if (rules.always(name) || selectedOf(agent, views.of(agent), rules).includes(name)) return undefined
    return denyDeferred(rules.disclosure, definition, execution.arguments)
  })

  return { of: surfaceOf, deliveryFor: agent => rulesNow().auto.deliveryFor(agent) }
}

/** Whether the model wrote a call: directly, or inside a program. A plugin's own tool that calls another one knows what it does. */
function isModelAuthored(execution: Readonly<ToolExecution>, selections: SelectionTracker): boolean {
  if (execution.parent === undefined || execution.agent === undefined) return true
  return selections.of(execution.agent.session).openCalls.get(execution.rootCallId)?.name === PROGRAM_TOOL
}
