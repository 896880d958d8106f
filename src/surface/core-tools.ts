/**
 * The tools of DSH itself that an ordinary coding session uses all the time. Deferring these makes agents worse: they are what the
 * model reaches for without thinking of a search.
 * @module
 */

/**
 * Names and patterns, a group for each DSH package. Groups are patterns where the package names its tools alike, so that a tool that a
 * later DSH adds to the group is not hidden by accident. MCP tools (`mcp__…`) match none of them.
 */
export const CORE_TOOLS: readonly string[] = [
  // shell and terminals
  'bash', 'bash_*', 'pwsh', 'pwsh_*', 'terminal_*',
  // files and code
  'read', 'read_image', 'write', 'edit', 'multi_edit', 'glob', 'grep', 'ls', 'str_replace_editor', 'apply_patch', 'lsp', 'lsp_*',
  // background jobs
  'job_*',
  // the user, plans, goals and the todo list
  'ask_user', 'ask_user_*', 'exit_plan_mode', 'enter_plan_mode', 'todo_*', '*_goal',
  // other agents
  'subagent', 'subagent_*', 'list_agents', 'send_message', 'interrupt_agent', 'wait_agent', 'spawn_teammate', 'followup_task',
  'team_task_*', 'report', 'workflow', 'ralph',
  // skills, schedules, past sessions, the web
  'skill', 'skill_*', 'schedule_*', 'session_search', 'session_trace', 'session_event_*', 'web_search', 'web_fetch',
  // plugins under development
  'cordis_*',
]
