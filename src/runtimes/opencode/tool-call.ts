import { type ToolOutputFields, toolOutput } from '../../protocol/tool-output.js';
import type { WirePart, WireToolState } from './wire.js';

/** A tool call under the name that it has in every runtime. */
export interface OpencodeCall {
  readonly tool: string;
  readonly input: Record<string, unknown>;
}

const names: Readonly<Record<string, string>> = {
  bash: 'Bash',
  edit: 'Edit',
  glob: 'Glob',
  grep: 'Grep',
  list: 'LS',
  apply_patch: 'Edit',
  patch: 'Edit',
  question: 'AskUserQuestion',
  read: 'Read',
  skill: 'Skill',
  task: 'Agent',
  todoread: 'TodoRead',
  todowrite: 'TodoWrite',
  webfetch: 'WebFetch',
  websearch: 'WebSearch',
  write: 'Write',
};

const fields: Readonly<Record<string, string>> = {
  filePath: 'file_path',
  oldString: 'old_string',
  newString: 'new_string',
  replaceAll: 'replace_all',
};

/** The call of a tool; a tool of a server is called after both, as in other runtimes. */
export function opencodeCall(
  { tool = '', state }: Pick<WirePart, 'tool' | 'state'>,
  servers: readonly string[],
): OpencodeCall {
  const input = Object.entries(state?.input ?? {}).map(([name, value]) => [fields[name] ?? name, value]);
  return { tool: nameOf(tool, servers), input: Object.fromEntries(input) };
}

function nameOf(tool: string, servers: readonly string[]): string {
  const server = servers
    .filter((name) => tool.startsWith(`${plain(name)}_`))
    .toSorted((a, b) => b.length - a.length)[0];
  if (server !== undefined) return `mcp__${server}__${tool.slice(plain(server).length + 1)}`;
  return Object.hasOwn(names, tool) ? (names[tool] ?? tool) : tool;
}

/** OpenCode writes the names of servers with these letters alone. */
function plain(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_-]/g, '_');
}

/** How a call ended. */
export interface OpencodeCallEnd extends ToolOutputFields {
  readonly success: boolean;
}

export function opencodeCallEnd(state: WireToolState): OpencodeCallEnd {
  const exit = state.metadata?.exit ?? 0;
  const success = state.status === 'completed' && exit === 0;
  const words = (state.status === 'error' ? state.error : state.output) ?? '';
  return { success, ...toolOutput(words === '' && exit !== 0 ? `exit code ${exit}` : words) };
}
