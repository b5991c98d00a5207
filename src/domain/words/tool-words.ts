import { cutText } from '../../protocol/cut-text.js';
import { plainLine } from './plain-text.js';
import { relativeTo } from './relative-path.js';

type Params = Readonly<Record<string, unknown>>;

// What says most about a call, in this order.
const tellingFields = ['command', 'file_path', 'path', 'pattern', 'url', 'query', 'description', 'prompt'];
const pathFields = ['file_path', 'notebook_path', 'path'];
const longest = 500;

/** What a call is called; the same words as in "Claude asks to run". A tool that is not named here has its own name. */
const callNames: Readonly<Record<string, string>> = {
  Bash: 'Run',
  MultiEdit: 'Edit',
  NotebookEdit: 'Edit',
  Glob: 'Search',
  Grep: 'Search',
  WebFetch: 'Fetch',
  WebSearch: 'Search the web',
  Agent: 'Sub-agent',
  Task: 'Sub-agent',
};

/** A tool call in a few words: what it does and to what; paths inside the folder are relative to it. */
export function toolWords(tool: string, params: Params, folder?: string): string {
  const shown = folder === undefined ? params : withRelativePaths(params, folder);
  const name = callName(tool);
  const { pattern, path } = shown;
  if (name === 'Search' && typeof pattern === 'string') {
    const isPlace = typeof path === 'string' && ![folder, '', '.'].includes(path);
    return plainLine(`${name} ${cutText(pattern, longest)}${isPlace ? ` in ${cutText(path, longest)}` : ''}`);
  }
  const field = tellingField(shown);
  const subject = field === undefined ? undefined : shown[field];
  return plainLine(typeof subject === 'string' ? `${name} ${cutText(subject, longest)}` : name);
}

export function callName(tool: string): string {
  return (Object.hasOwn(callNames, tool) && callNames[tool]) || tool;
}

/** The field of an input that says most about the call. */
export function tellingField(params: Params): string | undefined {
  const isText = (field: string) => typeof params[field] === 'string';
  return tellingFields.find(isText) ?? Object.keys(params).find(isText);
}

/** An input whose paths inside the folder are relative to it. */
export function withRelativePaths(params: Params, folder: string): Params {
  const relative = pathFields.flatMap((field) => {
    const path = params[field];
    return typeof path === 'string' ? [[field, relativeTo(folder, path)] as const] : [];
  });
  return { ...params, ...Object.fromEntries(relative) };
}
