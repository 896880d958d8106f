/**
 * The tools of the replayed sessions: a made-up catalogue of MCP servers, and stand-ins for DSH's own tools.
 *
 * Servers of one domain have the same objects and verbs, as real trackers and calendars do, so a search that leaves the server unsaid has
 * several good answers. Requests say verb and object in other words than names and descriptions do.
 * @module
 */

import type { ToolDefinition, ToolRunContext } from '@deepseek-ai/dsh-tools'
import { SEARCH_TOOL } from '../../src/tools/contract.ts'
import { tool } from '../../test/support/harness.ts'
import { createRandom } from '../random.ts'
import { proseOf } from './prose.ts'

/** A word as declarations say it and as users say it. */
type Wording = readonly [declared: string, asked: string]

const VERBS: readonly Wording[] = [
  ['create', 'make a new'], ['list', 'show me every'], ['get', 'look up one'], ['update', 'change an existing'], ['delete', 'get rid of a'],
]

/** Domains with the servers that offer them and the five objects that these servers keep. */
const DOMAINS: readonly { readonly servers: readonly string[]; readonly objects: readonly Wording[] }[] = [
  { servers: ['trackly', 'bugnest', 'issuehive', 'workboard'], objects: [
    ['issue', 'ticket'], ['sprint', 'iteration'], ['milestone', 'release goal'], ['label', 'tag'], ['comment', 'remark']] },
  { servers: ['calendo', 'daybook', 'meetgrid', 'planora'], objects: [
    ['event', 'appointment'], ['attendee', 'guest'], ['reminder', 'alert'], ['room', 'meeting place'], ['schedule', 'timetable']] },
  { servers: ['shopkit', 'cartwise', 'storelane', 'vendora'], objects: [
    ['order', 'purchase'], ['product', 'article for sale'], ['refund', 'repayment'], ['coupon', 'discount code'], ['shipment', 'parcel']] },
  { servers: ['mailpost', 'inboxly', 'letterbox', 'sendwell'], objects: [
    ['message', 'mail'], ['draft', 'unsent letter'], ['folder', 'mailbox'], ['signature', 'closing lines'], ['filter', 'sorting rule']] },
  { servers: ['cloudrig', 'hostplane', 'stackyard', 'nodefarm'], objects: [
    ['server', 'virtual machine'], ['volume', 'disk'], ['network', 'subnet'], ['snapshot', 'disk image'], ['firewall', 'port rule']] },
  { servers: ['ledgerly', 'billfold', 'accura', 'finbook'], objects: [
    ['invoice', 'bill'], ['payment', 'transfer of money'], ['account', 'ledger'], ['budget', 'spending plan'], ['receipt', 'proof of purchase']] },
  { servers: ['wikipad', 'notehub', 'docshelf', 'pagecraft'], objects: [
    ['page', 'document'], ['template', 'boilerplate'], ['notebook', 'collection of notes'], ['attachment', 'enclosed file'], ['revision', 'earlier version']] },
  { servers: ['peopledesk', 'staffline', 'crewbase', 'hirewell'], objects: [
    ['employee', 'staff member'], ['vacation', 'time off'], ['contract', 'agreement'], ['candidate', 'applicant'], ['shift', 'working hours']] },
  { servers: ['roadmap_gps', 'geopin', 'wayfind', 'terraview'], objects: [
    ['route', 'way to drive'], ['place', 'point of interest'], ['marker', 'pin on the map'], ['region', 'area'], ['distance', 'mileage']] },
  { servers: ['tunebox', 'playdeck', 'soundloft', 'medialane'], objects: [
    ['playlist', 'mix of songs'], ['track', 'song'], ['album', 'record'], ['podcast', 'audio show'], ['subscription', 'channel that I follow']] },
]

/** A tool of the catalogue with what a user says who needs it. */
export interface CatalogTool {
  readonly server: string
  readonly definition: ToolDefinition
  /** What a user asks for, and what the model searches for first. */
  readonly ask: string
  /** What the model searches for when that did not bring the tool. */
  readonly again: string
  readonly args: Readonly<Record<string, unknown>>
}

const RESULT_TOKENS = 300

/**
 * A result of the size that a tool's result has in these sessions. It differs from call to call, as real ones do, and is the same for the
 * same call of the session under every policy: counted by the session's own log, without what only some policies call.
 */
function result(_args: unknown, { agent }: ToolRunContext): string {
  const calls = agent!.session.events.filter(event => event.type === 'tool/call' && event.data.name !== SEARCH_TOOL).length
  return proseOf(RESULT_TOKENS, 7_000_000 + calls)
}

/** About 200 tokens on the wire: a nested object, an array of objects and enumerations, as MCP servers declare them. */
function parametersOf(verb: string, object: string): Record<string, unknown> {
  const text = (description: string) => ({ type: 'string', description })
  return {
    type: 'object',
    properties: {
      workspace: text('Identifier of the workspace, as in its address.'),
      [`${object}_id`]: text(`Identifier of the ${object}; see list_${object}s.`),
      fields: {
        type: 'object',
        description: `Values of the ${object} to ${verb}.`,
        properties: {
          title: text('Short title.'),
          state: { type: 'string', enum: ['open', 'active', 'closed', 'archived'] },
          properties: {
            type: 'array',
            description: 'Further values by key.',
            items: { type: 'object', properties: { key: text('Name of the value.'), value: text('The value as text.') }, required: ['key', 'value'] },
          },
        },
      },
      page_size: { type: 'integer', minimum: 1, maximum: 100, description: 'Results of one page.' },
    },
    required: ['workspace', `${object}_id`],
  }
}

/** The whole catalogue: 40 servers of 25 tools; a smaller one is a prefix of it, so that it holds whole servers. */
function allTools(): CatalogTool[] {
  const servers = [0, 1, 2, 3].flatMap(place => DOMAINS.map(({ servers: names, objects }) => ({ server: names[place]!, objects })))
  return servers.flatMap(({ server, objects }) => objects.flatMap(object => VERBS.map(verb => catalogTool(server, verb, object))))
}

function catalogTool(server: string, [verb, askedVerb]: Wording, [object, askedObject]: Wording): CatalogTool {
  return {
    server,
    definition: tool(`mcp__${server}__${verb}_${object}`, {
      description: `${verb[0]!.toUpperCase()}${verb.slice(1)} ${verb === 'list' ? `${object}s` : `one ${object}`} of a ${server} workspace. `
        + `Fails when the caller may not ${verb} it, or when the ${object} is locked by somebody else.`,
      parameters: parametersOf(verb, object),
      run: result,
    }),
    ask: `${askedVerb} ${askedObject}${verb === 'list' ? ' there is' : ''} in ${server}`,
    again: `${verb} ${askedObject} ${object} ${server}`,
    args: { workspace: 'northwind', [`${object}_id`]: '48213', fields: { title: 'Quarterly review', state: 'active' } },
  }
}

/** @param size - tools, at most 1,000. */
export function createCatalog(size: number): readonly CatalogTool[] {
  return allTools().slice(0, size)
}

/** Most tools of one piece of work are on few servers. */
const SERVERS_OF_NEEDS = 3

/**
 * Draws the tools that one session needs, from at most three servers.
 * @returns `count` tools, or all that these servers have when there are fewer.
 */
export function drawNeeds(catalog: readonly CatalogTool[], count: number, seed: number): readonly CatalogTool[] {
  const random = createRandom(seed)
  const draw = <T>(items: readonly T[], wanted: number): T[] => {
    const left = [...items]
    return Array.from({ length: Math.min(wanted, left.length) }, () => left.splice(Math.floor(random() * left.length), 1)[0]!)
  }
  const servers = new Set(draw([...new Set(catalog.map(({ server }) => server))], SERVERS_OF_NEEDS))
  return draw(catalog.filter(({ server }) => servers.has(server)), count)
}

/** Bytes on the wire of the tools of DSH's headless profile (0.1.0-rc.8), captured: 27 kB, about 6.8k tokens of JSON. */
const CORE_BYTES: Readonly<Record<string, number>> = {
  workflow: 4045, bash: 3295, str_replace_editor: 2411, subagent: 1455, todo_write: 1381, list_agents: 1333, update_goal: 1172,
  subagent_fork: 1163, edit: 1103, glob: 957, job_output: 863, ralph: 857, write: 806, grep: 796, send_message: 785,
  interrupt_agent: 741, create_goal: 728, exit_plan_mode: 582, job_kill: 488, read: 469, web_search: 432, skill: 407,
  read_image: 354, get_goal: 350, job_list: 199,
}

/** A token of JSON and English comes to about four bytes; the declaration's own frame is about 40 tokens. */
const FRAME_TOKENS = 40

/** Stand-ins for DSH's own tools, with their names and sizes and with text that no request of these sessions matches. */
export function coreTools(): ToolDefinition[] {
  return Object.entries(CORE_BYTES).map(([name, bytes], index) =>
    tool(name, { description: proseOf(Math.max(5, Math.round(bytes / 4) - FRAME_TOKENS), 1_000 + index), run: result }))
}
