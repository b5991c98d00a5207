import { plainLine } from '../../domain/words/plain-text.js';
import { fit, fitEnd, pad } from '../terminal/fit.js';
import { fieldLine, fieldText } from '../terminal/text-field.js';
import { type CommandEntry, commandEntries } from './commands-step.js';
import type { CommandsView, ConsoleState, ConsoleWorld } from './console-state.js';
import { needGroupOf } from './home-list.js';
import { chipOf } from './home-view.js';
import type { Look } from './look.js';

/** What is typed, and what fits to it: commands with their keys, then threads. */
export function commandLines(
  view: CommandsView,
  { state, world, look }: { readonly state: ConsoleState; readonly world: ConsoleWorld; readonly look: Look },
): string[] {
  const { columns, colours } = look;
  const entries = commandEntries(state, world, fieldText(view.field).trim());
  const head = colours.cyan(` : ${fitEnd(fieldLine(view.field), columns - 4)}`);
  if (entries.length === 0) return [head, '', ' No command and no thread matches these words.'];
  const { from, room } = entriesInSight(view.cursor, { total: entries.length, rows: look.rows });
  const rows = entries.slice(from, from + room).map((entry, index) => {
    const isChosen = from + index === view.cursor;
    const line = fit(`${isChosen ? '▸' : ' '} ${entryWords(entry, world, look)}`, columns);
    return isChosen ? colours.inverse(line) : line;
  });
  return [head, '', ...rows];
}

// What is typed, and a blank line.
const linesAbove = 2;

function entriesInSight(
  cursor: number,
  { total, rows }: { readonly total: number; readonly rows: number },
): { readonly from: number; readonly room: number } {
  const room = Math.max(1, rows - linesAbove);
  return { room, from: Math.max(0, Math.min(cursor - Math.floor(room / 2), total - room)) };
}

/** Which entry stands on a line, if one does. */
export function commandPlaceAt(
  line: number,
  cursor: number,
  size: { readonly total: number; readonly rows: number },
): number | undefined {
  const place = entriesInSight(cursor, size).from + line - linesAbove;
  return line >= linesAbove && place < size.total ? place : undefined;
}

const keyColumns = 10;

function entryWords(entry: CommandEntry, { now }: ConsoleWorld, { colours }: Look): string {
  if (entry.kind === 'act') return `${pad(entry.row.shown, keyColumns)} ${entry.row.words}`;
  const { thread } = entry;
  const { symbol, word } = chipOf({ thread, prompt: undefined, group: needGroupOf(thread, now) }, colours);
  return `${pad(`${symbol} ${word}`, keyColumns)} ${plainLine(thread.title, { maxLength: 200 }) || thread.id}`;
}
