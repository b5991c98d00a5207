import { type ToolOutputFields, toolOutput } from '../../protocol/tool-output.js';
import { toolContent, type WireToolCall } from './wire.js';

/** A tool call under the name that it has in every runtime. */
export interface AcpCall {
  readonly tool: string;
  readonly input: Record<string, unknown>;
}

/** What is known of a call after it was told more about it. */
export function mergedCall(known: WireToolCall | undefined, news: WireToolCall): WireToolCall {
  if (!known) return news;
  const told = Object.entries(news).filter(([name, value]) => value !== undefined && !isEmpty(name, value));
  return { ...known, ...Object.fromEntries(told), toolCallId: known.toolCallId };
}

function isEmpty(name: string, value: unknown): boolean {
  if (value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return name === 'rawInput' && typeof value === 'object' && Object.keys(value).length === 0;
}

const editing = new Set(['edit', 'delete', 'move']);

/** The call in our words, with everything that the agent has said of it. */
export function acpCall(call: WireToolCall, cwd: string): AcpCall {
  const { kind, title } = call;
  const raw = recordOf(call.rawInput);
  if (kind === 'execute') return { tool: 'Bash', input: commandInput(call, cwd) };
  if (kind && editing.has(kind)) return { tool: 'Edit', input: editInput(call) };
  if (kind === 'read') return { tool: 'Read', input: { ...placeOf(call), ...raw } };
  if (kind === 'fetch') return { tool: 'WebFetch', input: shownInput(call) };
  return { tool: call.name ?? title ?? kind ?? 'tool', input: shownInput(call) };
}

function commandInput(call: WireToolCall, cwd: string): Record<string, unknown> {
  const { command, cwd: where, ...more } = recordOf(call.rawInput);
  const words = Array.isArray(command) ? command.map(String).join(' ') : command;
  const isWorded = typeof words === 'string' && words !== '';
  return {
    command: isWorded ? words : (call.title ?? ''),
    ...(where === undefined || where === cwd ? {} : { cwd: where }),
    ...more,
    ...(isWorded ? {} : noteOf(toolContent(call).texts, cwd)),
  };
}

/** Gemini tells the folder of a command, and what it is for, only in words. */
function noteOf(texts: readonly string[], cwd: string): { note?: string; description?: string } {
  const text = texts.join('\n');
  const here = `[current working directory ${cwd}]`;
  if (!text.startsWith(here)) return text === '' ? {} : { note: text };
  const rest = text.slice(here.length).trim();
  return rest === '' ? {} : { description: rest };
}

function editInput(call: WireToolCall): Record<string, unknown> {
  const raw = recordOf(call.rawInput);
  const { diffs, texts } = toolContent(call);
  const changes = diffs.map(({ path, oldText, newText }) =>
    typeof oldText === 'string' ? { path, oldText, newText } : { path, content: newText },
  );
  const paths = [...new Set([...diffs.map(({ path }) => path), ...locationsOf(call)])];
  return {
    file_path: paths.join(', ') || (call.title ?? ''),
    ...(changes.length > 0 ? { changes } : {}),
    // The diff says what will be there; without one, the input of the tool does.
    ...(changes.length > 0 || Object.keys(raw).length === 0 ? {} : { input: raw }),
    ...(changes.length > 0 || texts.length === 0 ? {} : { note: texts.join('\n') }),
  };
}

function placeOf(call: WireToolCall): Record<string, unknown> {
  const [path = call.title ?? ''] = locationsOf(call);
  return { file_path: path };
}

/** What was said of a call of which only its agent knows the form. */
function shownInput(call: WireToolCall): Record<string, unknown> {
  const raw = recordOf(call.rawInput);
  if (Object.keys(raw).length > 0) return raw;
  const { diffs, texts } = toolContent(call);
  return {
    title: call.title ?? '',
    ...(texts.length === 0 ? {} : { note: texts.join('\n') }),
    ...(diffs.length === 0 ? {} : { changes: diffs }),
    ...(locationsOf(call).length === 0 ? {} : { locations: locationsOf(call) }),
  };
}

/**
 * Whether what can be shown is all that would be approved. Gemini shows its calls as text, and leaves out what is long:
 * "[Payload omitted due to length …]" for a server's tool, an ellipsis elsewhere (measured).
 */
export function isShownWhole(call: WireToolCall): boolean {
  const { diffs, texts } = toolContent(call);
  if (diffs.length > 0 || Object.keys(recordOf(call.rawInput)).length > 0) return true;
  return [call.title ?? '', ...texts].every(
    (text) => !/(\.\.\.|…)["')\]]?$/.test(text.trimEnd().slice(-8)) && !text.startsWith('[Payload omitted'),
  );
}

/** The files that an edit touches; none when that is not known. */
export function editedPaths(call: WireToolCall): string[] {
  const raw = recordOf(call.rawInput);
  const named = ['file_path', 'filePath', 'path', 'abs_path', 'notebook_path'].flatMap((name) => {
    const path = raw[name];
    return typeof path === 'string' ? [path] : [];
  });
  return [...new Set([...toolContent(call).diffs.map(({ path }) => path), ...locationsOf(call), ...named])];
}

export function isEdit({ kind }: WireToolCall): boolean {
  return kind === 'edit';
}

/** How a call ended, by what was told with its end and by what a command had printed until then. */
export function acpCallEnd(
  call: WireToolCall,
  printed: string,
): { readonly success: boolean } & ToolOutputFields {
  const { isFailed } = terminalOf(call);
  const { diffs, texts } = toolContent(call);
  const said = textsIn(call.rawOutput) || printed || texts.join('\n');
  const files = diffs.map(({ path }) => path).join(', ');
  return {
    success: call.status === 'completed' && !isFailed,
    ...toolOutput(said || files || (call.status ?? '')),
  };
}

/** What a command has printed since the last update. */
export function printedIn(call: WireToolCall): string {
  return terminalOf(call).output;
}

/** codex-acp tells the output and the exit of a command only here. */
function terminalOf({ _meta }: WireToolCall): { readonly isFailed: boolean; readonly output: string } {
  const { terminal_output: whole, terminal_output_delta: delta, terminal_exit: exit } = recordOf(_meta);
  const code = recordOf(exit)['exit_code'];
  const signal = recordOf(exit)['signal'];
  const data = recordOf(whole)['data'] ?? recordOf(delta)['data'];
  return {
    isFailed: (typeof code === 'number' && code !== 0) || typeof signal === 'string',
    output: typeof data === 'string' ? data : '',
  };
}

function locationsOf({ locations }: WireToolCall): string[] {
  return (locations ?? []).map(({ path }) => path);
}

/** The text of an output; agents wrap it once at most. */
function textsIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textField).filter(Boolean).join('\n');
  return textField(value);
}

function textField(value: unknown): string {
  const fields = recordOf(value);
  for (const name of ['output', 'formatted_output', 'error', 'text', 'message']) {
    const text = fields[name];
    if (typeof text === 'string' && text !== '') return text;
  }
  return '';
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
