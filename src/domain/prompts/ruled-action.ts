import type { PromptAction } from '../../protocol/prompt.js';
import { hiddenCharacters } from '../words/marked-text.js';
import { pathInside } from './path-shape.js';
import { grantText } from './thread-grant.js';

/** What of an action a rule can be about: a command to the last character, or files below the workspace. */
export type RuledAction =
  | { readonly what: 'command'; readonly text: string; readonly command: string }
  | { readonly what: 'read' | 'edit'; readonly paths: readonly [string, ...string[]] };

type Action = Pick<PromptAction, 'tool' | 'input'>;

/** Every field that a tool may have where a rule decides; a call with another one is asked. */
const fileTools: Readonly<
  Record<
    string,
    { readonly what: 'read' | 'edit'; readonly path: string; readonly fields: readonly string[] }
  >
> = {
  Read: { what: 'read', path: 'file_path', fields: ['offset', 'limit'] },
  Edit: {
    what: 'edit',
    path: 'file_path',
    fields: ['old_string', 'new_string', 'replace_all', 'changes'],
  },
  MultiEdit: { what: 'edit', path: 'file_path', fields: ['edits'] },
  Write: { what: 'edit', path: 'file_path', fields: ['content'] },
};
const commandFields: ReadonlySet<string> = new Set(['command', 'description', 'timeout', 'cwd']);
const changeFields: ReadonlySet<string> = new Set(['path', 'kind', 'diff', 'oldText', 'newText', 'content']);
const changeKinds: ReadonlySet<unknown> = new Set([undefined, 'add', 'update']);

/** The part of an action that rules know; null for everything else, which a person decides about. */
export function ruledAction(action: Action, cwd: string): RuledAction | null {
  const { tool, input } = action;
  if (tool === 'Bash') return commandOf(action);
  const known = Object.hasOwn(fileTools, tool) ? fileTools[tool] : undefined;
  if (!known || Object.keys(input).some((name) => name !== known.path && !known.fields.includes(name)))
    return null;
  const named = 'changes' in input ? changedPaths(input['changes']) : [input[known.path]];
  const paths = named?.map((path) => (typeof path === 'string' ? ruledPath(path, cwd) : null)) ?? [];
  const [first, ...more] = paths.filter((path) => path !== null);
  return first !== undefined && more.length === paths.length - 1
    ? { what: known.what, paths: [first, ...more] }
    : null;
}

function commandOf(action: Action): RuledAction | null {
  const { command } = action.input;
  if (typeof command !== 'string' || command.trim() === '') return null;
  if (Object.keys(action.input).some((name) => !commandFields.has(name))) return null;
  // What a person could not see they have not approved.
  if (hiddenCharacters(command).size > 0) return null;
  return { what: 'command', text: grantText(action), command };
}

/** Files that are added or changed; one that is moved or deleted is asked about. */
function changedPaths(changes: unknown): readonly unknown[] | null {
  if (!Array.isArray(changes) || changes.length === 0) return null;
  return changes.every(isPlain) ? changes.map((change) => change['path']) : null;
}

function isPlain(change: unknown): change is Readonly<Record<string, unknown>> {
  return (
    typeof change === 'object' &&
    change !== null &&
    Object.keys(change).every((name) => changeFields.has(name)) &&
    changeKinds.has(Object(change).kind)
  );
}

/**
 * A path below the workspace that rules may cover. Hidden files and folders are not: `.git`, `.claude`, `.github` and their
 * like decide what programs start, so an edit there is more than an edit.
 */
function ruledPath(path: string, cwd: string): string | null {
  if (hiddenCharacters(path).size > 0 || /[\r\n]/.test(path)) return null;
  const inside = pathInside(cwd, path);
  return inside === null || inside.split('/').some((part) => part.startsWith('.')) ? null : inside;
}
