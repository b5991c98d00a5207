import { type ToolOutputFields, toolOutput } from '../../protocol/tool-output.js';
import { unwrapped } from './shell-words.js';
import type { WireItem } from './wire.js';

/** A tool call under the name that it has in every runtime. */
export interface ToolCall {
  readonly tool: string;
  readonly input: Record<string, unknown>;
}

/** How a call ended. */
export interface CallEnd extends ToolOutputFields {
  readonly success: boolean;
}

/** The tool call that an item is, or null when it is something else. */
export function toolCallOf(item: WireItem, cwd: string): ToolCall | null {
  switch (item.type) {
    case 'commandExecution':
      return commandCall(item, cwd);
    case 'fileChange':
      return { tool: 'Edit', input: editInput(item) };
    case 'mcpToolCall':
      return { tool: `mcp__${item.server ?? ''}__${item.tool ?? ''}`, input: recordOf(item.arguments) };
    case 'dynamicToolCall':
      return { tool: dynamicName(item), input: recordOf(item.arguments) };
    case 'webSearch':
      return { tool: 'WebSearch', input: { query: item.query ?? '' } };
    case 'imageView':
      return { tool: 'Read', input: { file_path: item.path ?? '' } };
    case 'collabAgentToolCall':
      return item.tool === 'spawnAgent'
        ? { tool: 'Agent', input: { prompt: item.prompt ?? '' } }
        : { tool: `Agent.${item.tool ?? ''}`, input: item.prompt ? { prompt: item.prompt } : {} };
    default:
      return null;
  }
}

/** The directory is told only where it is not the workspace itself. */
export function commandCall(
  { command, cwd: where }: { command?: string | null | undefined; cwd?: string | null | undefined },
  cwd: string,
): ToolCall {
  const elsewhere = where === undefined || where === null || where === cwd ? {} : { cwd: where };
  return { tool: 'Bash', input: { command: unwrapped(command ?? ''), ...elsewhere } };
}

/** The changes of files with their diffs. */
function editInput({ changes = [] }: Pick<WireItem, 'changes'>): Record<string, unknown> {
  return {
    file_path: changes.map(({ path }) => path).join(', '),
    changes: changes.map(({ path, kind, diff }) => ({
      path,
      kind: kind.type,
      ...(kind.move_path ? { movedTo: kind.move_path } : {}),
      diff,
    })),
  };
}

/** A tool of ours is called as other runtimes call the tools of a server. */
export function dynamicName({
  namespace,
  tool = '',
}: {
  namespace?: string | null | undefined;
  tool?: string | undefined;
}): string {
  return namespace ? `mcp__${namespace}__${tool}` : tool;
}

/** How the call of an item ended. */
export function toolEndOf(item: WireItem): CallEnd {
  const success = item.status === 'completed' && item.success !== false && (item.exitCode ?? 0) === 0;
  return { success, ...toolOutput(outputOf(item)) };
}

function outputOf(item: WireItem): string {
  if (item.status === 'declined') return 'Declined.';
  if (item.aggregatedOutput) return item.aggregatedOutput;
  if (item.changes) return item.changes.map(({ path, kind }) => `${kind.type} ${path}`).join('\n');
  const text = textsIn(item.error) || textsIn(item.result) || textsIn(item.contentItems);
  if (text) return text;
  return typeof item.exitCode === 'number' ? `exit code ${item.exitCode}` : (item.status ?? '');
}

/** The texts in an answer of a tool, whichever way they are wrapped. */
function textsIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textsIn).filter(Boolean).join('\n');
  if (typeof value !== 'object' || value === null) return '';
  if ('text' in value) return textsIn(value.text);
  if ('message' in value) return textsIn(value.message);
  return 'content' in value ? textsIn(value.content) : '';
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
