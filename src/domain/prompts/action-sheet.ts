import { cutText } from '../../protocol/cut-text.js';
import type { PromptAction } from '../../protocol/prompt.js';
import { DifferenceSearch, type DiffLine, everyLine, patchLines } from '../words/difference.js';
import { markedLine, markedText } from '../words/marked-text.js';
import { relativeTo } from '../words/relative-path.js';
import { scriptsProposalTool } from './scripts-proposal.js';
import { longestLine, type SheetLine, shortened } from './text-sheet.js';

export interface SheetOptions {
  /** The folder that paths are relative to. */
  readonly folder?: string | undefined;
  /** A field that was told already. */
  readonly told?: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

const longestShort = 100;
// What is nested deeper, or has a longer name, is shown as JSON: every line below it would repeat the way to it.
const deepest = 6;
const longestPath = 100;
// What has more fields is shown as JSON too; a line for each would take many times the room of the fields.
const mostFields = 5000;

/** How tools name the text that an edit replaces, and the one that it puts there. */
const editFields = [
  ['old_string', 'new_string'],
  ['oldString', 'newString'],
  ['oldText', 'newText'],
  ['old_str', 'new_str'],
] as const;
const fileFields = ['file_path', 'filePath', 'path', 'notebook_path'] as const;
const contentFields = ['content', 'new_source'] as const;

/** Everything that an action contains, line by line: edits as differences, a new text as added lines, the rest field by field. */
export function actionSheet(
  { tool, input, reason }: Pick<PromptAction, 'input' | 'reason'> & Partial<Pick<PromptAction, 'tool'>>,
  options: SheetOptions = {},
): SheetLine[] {
  // A file that a person is to save is read whole, and not only where it changes.
  const search = tool === scriptsProposalTool ? new DifferenceSearch(everyLine) : new DifferenceSearch();
  const room = { fields: mostFields, search };
  return [
    ...objectLines(input, '', { ...options, depth: 0, room }),
    ...(reason === undefined ? [] : valueLines('because', reason)),
  ];
}

/** What all values of a sheet share. */
interface Room {
  fields: number;
  readonly search: DifferenceSearch;
}

interface Place extends SheetOptions {
  readonly depth: number;
  readonly room: Room;
}

function objectLines(fields: Fields, prefix: string, place: Place): SheetLine[] {
  const change = changeIn(fields, place.room.search);
  const file = fileFields.find((name) => typeof fields[name] === 'string');
  // The edits of one file stand below it.
  const isFile = file !== undefined && (change !== undefined || Array.isArray(fields['edits']));
  const shown = new Set<string>([...(change?.names ?? []), ...(isFile ? [file] : [])]);
  if (place.told !== undefined && !isFile) shown.add(place.told);
  // The usual case says nothing.
  if (change && fields['replace_all'] === false) shown.add('replace_all');
  const rest = Object.entries(fields).filter(([name]) => !shown.has(name));
  const changed = change?.lines ?? [];
  const head: SheetLine[] =
    change || isFile
      ? [{ kind: 'file', text: fileWords(isFile ? String(fields[file]) : '', changed, place.folder) }]
      : [];
  const inside = { ...place, told: undefined };
  return [
    ...head.flatMap(shortened),
    ...changed,
    ...(hasRoom(place.room, rest.length)
      ? rest.flatMap(([name, value]) =>
          nestedLines(prefix === '' ? name : `${prefix}.${name}`, value, inside),
        )
      : valueLines(prefix === '' ? 'input' : prefix, jsonOf(Object.fromEntries(rest)))),
  ];
}

function hasRoom(room: Room, count: number): boolean {
  if (count > room.fields) return false;
  room.fields -= count;
  return true;
}

function nestedLines(name: string, value: unknown, place: Place): SheetLine[] {
  if (typeof value === 'string')
    return isPatch(name, value) ? patchSheet(name, value) : valueLines(name, value);
  if (typeof value !== 'object' || value === null) return valueLines(name, JSON.stringify(value) ?? '');
  if (place.depth >= deepest || name.length > longestPath) return valueLines(name, jsonOf(value));
  const inside = { ...place, depth: place.depth + 1 };
  if (Array.isArray(value)) {
    if (value.length === 0 || !hasRoom(place.room, value.length)) return valueLines(name, jsonOf(value));
    return value.flatMap((each, index) => nestedLines(`${name}[${index}]`, each, inside));
  }
  const lines = objectLines(Object.fromEntries(Object.entries(value)), name, inside);
  return lines.length === 0 ? valueLines(name, '{}') : lines;
}

/** What an edit changes, or the text that a file is written with. */
function changeIn(
  fields: Fields,
  search: DifferenceSearch,
): { names: readonly string[]; lines: SheetLine[] } | undefined {
  for (const names of editFields) {
    const [before, after] = [fields[names[0]], fields[names[1]]];
    if (typeof before === 'string' && typeof after === 'string')
      return { names, lines: editLines(search, before, after) };
  }
  if (!fileFields.some((name) => typeof fields[name] === 'string')) return undefined;
  const name = contentFields.find((each) => typeof fields[each] === 'string');
  if (name === undefined) return undefined;
  const lines = search.differenceOf('', withLineFeeds(String(fields[name])));
  return { names: [name], lines: lines.length === 0 ? remark('(an empty file)') : lines.flatMap(diffSheet) };
}

function editLines(search: DifferenceSearch, before: string, after: string): SheetLine[] {
  const lines = search.differenceOf(withLineFeeds(before), withLineFeeds(after)).flatMap(diffSheet);
  if (before === after) return remark('(nothing changes)');
  if (lines.length === 0) return remark('(only line ends change)');
  return before.includes('\r\n') === after.includes('\r\n')
    ? lines
    : [...lines, ...remark('(line ends change too: CR LF and LF)')];
}

function diffSheet({ kind, text }: DiffLine): SheetLine[] {
  return kind === 'head' ? remark(markedText(text)) : shortened({ kind, text: markedText(text) });
}

function isPatch(name: string, value: string): boolean {
  return /(^|\.)(diff|patch)$/i.test(name) && /^@@/m.test(value);
}

function patchSheet(name: string, patch: string): SheetLine[] {
  return [...valueLines(name, ''), ...patchLines(withLineFeeds(patch)).flatMap(diffSheet)];
}

function valueLines(name: string, value: string): SheetLine[] {
  const full = markedLine(name);
  const label = cutText(full, longestLine);
  // A name that is cut is told whole below itself.
  const whole = label.length < full.length ? shortened({ kind: 'text', text: full }) : [];
  const text = markedText(value);
  if (text.length <= longestShort && !text.includes('\n'))
    return [{ kind: 'field', name: label, text }, ...whole];
  const lines = text.replace(/\n$/, '').split('\n');
  return [
    { kind: 'field', name: label, text: '' },
    ...whole,
    ...lines.flatMap((line) => shortened({ kind: 'text', text: line })),
  ];
}

function fileWords(path: string, lines: readonly SheetLine[], folder: string | undefined): string {
  const added = lines.filter(({ kind, isContinued }) => kind === 'added' && !isContinued).length;
  const removed = lines.filter(({ kind, isContinued }) => kind === 'removed' && !isContinued).length;
  const shown = markedLine(folder === undefined ? path : relativeTo(folder, path));
  return lines.length === 0 ? shown : `${shown === '' ? '' : `${shown} `}+${added} −${removed}`;
}

function remark(text: string): SheetLine[] {
  return [{ kind: 'remark', text }];
}

function withLineFeeds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function jsonOf(value: object): string {
  try {
    return JSON.stringify(value);
  } catch {
    return '(nested too deeply to be shown: deny it)';
  }
}
