import { cutText } from '../../protocol/cut-text.js';
import type { PromptAction } from '../../protocol/prompt.js';
import { scriptsProposalTool } from '../prompts/scripts-proposal.js';
import { markedLine } from './marked-text.js';
import { relativeTo } from './relative-path.js';

type Action = Pick<PromptAction, 'tool' | 'input'>;

interface Verb {
  /** What stands before the object. */
  readonly words: string;
  /** The fields that may hold the object, in this order. */
  readonly objects: readonly string[];
  readonly isPath?: true;
}

const edit: Verb = { words: 'edit', objects: ['file_path', 'notebook_path', 'path'], isPath: true };
const search: Verb = { words: 'search for', objects: ['pattern'] };
const subAgent: Verb = { words: 'start a sub-agent:', objects: ['description', 'prompt'] };

/** What a tool does to which of its fields. */
const verbs: Readonly<Record<string, Verb>> = {
  Bash: { words: 'run:', objects: ['command'] },
  Edit: edit,
  MultiEdit: edit,
  NotebookEdit: edit,
  Write: { words: 'write', objects: ['file_path', 'path'], isPath: true },
  Read: { words: 'read', objects: ['file_path', 'path'], isPath: true },
  Glob: search,
  Grep: search,
  WebFetch: { words: 'fetch', objects: ['url'] },
  WebSearch: { words: 'search the web for:', objects: ['query'] },
  OpenUrl: { words: 'have you open', objects: ['url'] },
  [scriptsProposalTool]: { words: 'save the scripts of', objects: ['file_path'] },
  Agent: subAgent,
  Task: subAgent,
};

const longest = 200;

/** An action in words, as it follows "Claude asks to". */
export interface ActionWords {
  readonly words: string;
  /** The field whose whole value stands in the words, so that nobody has to read it twice. */
  readonly shownField?: string;
}

/** What an action does, verb and object; paths inside the workspace are relative to it. */
export function actionWords({ tool, input }: Action, folder?: string): ActionWords {
  const verb = Object.hasOwn(verbs, tool) ? verbs[tool] : undefined;
  const field = verb?.objects.find((name) => typeof input[name] === 'string' && input[name] !== '');
  const object = field === undefined ? undefined : input[field];
  if (!verb || field === undefined || typeof object !== 'string') return { words: `use ${toolName(tool)}` };
  const place = verb.isPath && folder !== undefined ? relativeTo(folder, object) : object;
  // An action may have megabytes, and this is one line of a list.
  const begun = cutText(place, longest * 8);
  const line = markedLine(begun);
  const shown = cutText(line, longest);
  const isCut = shown !== line || begun !== place;
  const isWhole = shown === object;
  return {
    words: `${verb.words} ${shown}${isCut ? '…' : ''}`,
    ...(isWhole ? { shownField: field } : {}),
  };
}

/** The tool of an MCP server is known by its own name and that of its server. */
function toolName(tool: string): string {
  const prefix = 'mcp__';
  const between = tool.startsWith(prefix) ? tool.indexOf('__', prefix.length + 1) : -1;
  const [server, name] = [tool.slice(prefix.length, between), tool.slice(between + 2)];
  const isOfServer = between >= 0 && name !== '';
  const words = isOfServer ? `${name} of the MCP server ${server}` : tool;
  const line = markedLine(cutText(words, longest * 8));
  return line.length <= longest ? line : `${cutText(line, longest)}…`;
}
