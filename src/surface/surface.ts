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
import type { SelectionTracker } from '../selection/tracker.ts'
import { SEARCH_TOOL } from '../tools/contract.ts'
import { autoPolicy, fixedPolicy } from './auto.ts'
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
  readonly disclosure: DisclosureConfig
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

/** An assembly as it would be without this plugin, but for what the configuration switches off. */
function withoutSurfaceTools(full: PromptAssembly, isNever: NamePredicate): PromptAssembly {
  return { ...full, tools: full.tools.filter(({ name }) => name === PROGRAM_TOOL || (!isSurfaceTool(name) && !isNever(name))) }
}

const NEVER_ABORTED = new AbortController().signal

/** Tools that are shown whatever is selected. */
export function alwaysVisible({ coreTools, alwaysVisible: more }: DisclosureConfig): NamePredicate {
  return compilePatterns([...coreTools, ...more])
}

/** The latest partition of an agent's tools and what it was made of. */
interface LastPartition {
  readonly registry: RegistryView
  readonly selected: readonly string[]
  readonly names: readonly string[]
  readonly partition: Partition
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, index) => name === b[index])
}

/**
 * Installs the projection and the guard.
 * @param ctx - plugin context; both go with it.
 */
export function installSurface(ctx: Context, options: SurfaceOptions): Surface {
  const { disclosure, selections, views, skillTools, preselection, isAttached } = options
  const always = alwaysVisible(disclosure)
  const isNever = compilePatterns(disclosure.neverSearch)
  const hides = disclosure.mode !== 'off'
  const auto = disclosure.mode === 'auto'
    ? autoPolicy(disclosure, selections, name => !always(name) && !isNever(name))
    : fixedPolicy(disclosure.mode === 'dispatch' ? 'dispatch' : 'inject')
  const sdkTexts = new WeakMap<Agent, RenderedSdk>()
  const partitions = new WeakMap<Agent, LastPartition>()
  /** Tool names of an agent's latest full assembly: what to read tool by tool when the registry can't be read at once. */
  const assembledNames = new WeakMap<Agent, readonly string[]>()

  /** Whether a tool is shown without a search; one that the registry does not know could never be loaded again. */
  function isShown(registry: RegistryView): NamePredicate {
    return name => !hides || always(name) || !registry.names.has(name)
  }

  /** Names whose schemas go with requests: in dispatch mode none, so that the tool list never changes. */
  function selectedOf(agent: Agent, registry: RegistryView): readonly string[] {
    if (disclosure.mode === 'dispatch') return NOTHING
    const { names, skills } = selections.of(agent.session)
    return skills.length === 0 ? names : [...names, ...skillTools.of(skills, registry.names)]
  }

  /** Most requests find the same tools and the same selection as the one before. */
  function sort(agent: Agent, registry: RegistryView, names: readonly string[], preselected: readonly string[]): Partition {
    const selected = preselected.length === 0 ? selectedOf(agent, registry) : [...new Set([...selectedOf(agent, registry), ...preselected])]
    const last = partitions.get(agent)
    if (last?.registry === registry && sameNames(last.selected, selected) && sameNames(last.names, names)) return last.partition
    const sorted = partition(names, { isAlwaysVisible: isShown(registry), isNever, selected })
    partitions.set(agent, { registry, selected, names, partition: sorted })
    return sorted
  }

  function surfaceOf(agent: Agent): AgentSurface {
    const registry = views.of(agent, assembledNames.get(agent))
    if (auto.isInert(agent, registry)) return inertSurface(registry)
    const sorted = partition([...registry.names], { isAlwaysVisible: isShown(registry), isNever, selected: selectedOf(agent, registry) })
    const { names, discovered, skills } = selections.of(agent.session)
    const seen = new Set([...discovered, ...names, ...skillTools.of(skills, registry.names)])
    const isAlways = isShown(registry)
    return {
      ...sorted,
      registry,
      loaded: new Set([...sorted.shown, ...sorted.deferred].filter(name => seen.has(name) && !isAlways(name) && !isSurfaceTool(name))),
      undiscovered: new Set([...sorted.deferred].filter(name => !seen.has(name))),
    }
  }

  /** While there is little to hide everything is shown, and there is no search. */
  function inertSurface(registry: RegistryView): AgentSurface {
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

  function project(full: PromptAssembly, agent: Agent, preselected: readonly string[]): PromptAssembly {
    const names = full.tools.map(tool => tool.name)
    assembledNames.set(agent, names)
    const registry = views.of(agent, names)
    if (!hides) {
      const searchable = [...registry.names].some(name => !isSurfaceTool(name) && !always(name) && !isNever(name))
      return searchable ? full : { ...full, tools: full.tools.filter(tool => tool.name !== SEARCH_TOOL) }
    }
    if (auto.isInert(agent, registry)) return withoutSurfaceTools(full, isNever)
    const sdk = sdkSection(full)
    // In Code Mode the assembly carries the program tool alone; the SDK declares what the registry holds.
    const sorted = sort(agent, registry, sdk === undefined ? names : [...new Set([...names, ...registry.names])], preselected)
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
      return project(full, agent, disclosure.mode === 'inject' || disclosure.mode === 'auto' ? await preselection.of(agent, signal ?? NEVER_ABORTED) : NOTHING)
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
    if (definition === undefined || !hides) return undefined
    if (isNever(name)) return denyNever(name)
    if (auto.isInert(agent, views.of(agent))) return undefined
    if (always(name) || selectedOf(agent, views.of(agent)).includes(name)) return undefined
    return denyDeferred(disclosure, definition, execution.arguments)
  })

  return { of: surfaceOf, deliveryFor: agent => auto.deliveryFor(agent) }
}

/** Whether the model wrote a call: directly, or inside a program. A plugin's own tool that calls another one knows what it does. */
function isModelAuthored(execution: Readonly<ToolExecution>, selections: SelectionTracker): boolean {
  if (execution.parent === undefined || execution.agent === undefined) return true
  return selections.of(execution.agent.session).openCalls.get(execution.rootCallId)?.name === PROGRAM_TOOL
}
