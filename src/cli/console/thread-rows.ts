import { seenFolder } from '../../domain/container/seen-folder.js';
import { itemText } from '../../domain/thread/item-text.js';
import { actorWords } from '../../domain/words/actor-words.js';
import { duration } from '../../domain/words/age.js';
import { agentName } from '../../domain/words/agent-name.js';
import { askWords } from '../../domain/words/ask-words.js';
import { ranWords } from '../../domain/words/changed-input.js';
import { plainText } from '../../domain/words/plain-text.js';
import { isPromptTool } from '../../domain/words/prompt-tool.js';
import { auditWords } from '../../domain/words/settlement-words.js';
import { toolWords } from '../../domain/words/tool-words.js';
import type { TimelineEntry } from '../../live/timeline.js';
import { PromptAction } from '../../protocol/prompt.js';
import type { Thread } from '../../protocol/thread.js';
import { fit } from '../terminal/fit.js';
import { wrappedRows } from '../terminal/wrap.js';
import { outcomeLine } from '../view/outcome-lines.js';
import { asciiText } from './ascii.js';
import type { Look } from './look.js';

export interface EntryPlace {
  readonly thread: Thread | undefined;
  readonly look: Look;
  readonly isOutputShown: boolean;
}

// Entries are replaced when they change, so a row stays right for as long as its entry is there.
const known = new WeakMap<TimelineEntry, { readonly key: string; readonly rows: readonly string[] }>();

const longestText = 100_000;
const outputRows = 200;
const failureRows = 4;

/** An entry of a thread in rows of the screen. */
export function entryRows(entry: TimelineEntry, place: EntryPlace): readonly string[] {
  const { look, isOutputShown, thread } = place;
  const key = `${look.columns} ${isOutputShown} ${look.isUnicode} ${thread?.runtime}`;
  const before = known.get(entry);
  if (before?.key === key) return before.rows;
  const rows = rowsOf(entry, place).map((row) => (look.isUnicode ? row : asciiText(row)));
  known.set(entry, { key, rows });
  return rows;
}

/** What the agent is writing, in rows of the screen. */
export function liveRows(text: string, place: EntryPlace): string[] {
  if (text.trim() === '') return [];
  return spoken('', agentName(place.thread?.runtime), text, place).map((row) =>
    place.look.isUnicode ? row : asciiText(row),
  );
}

function rowsOf(entry: TimelineEntry, place: EntryPlace): string[] {
  const { colours, columns } = place.look;
  const time = timeOf(entry.timestamp);
  switch (entry.type) {
    case 'user_text':
      return spoken(time, actorWords(entry.actor), itemText(entry), place).map((row) => colours.bold(row));
    case 'assistant_text':
      return spoken(time, agentName(place.thread?.runtime), itemText(entry), place);
    case 'thinking':
      return spoken(time, 'thinks', itemText(entry), place).slice(0, 3).map(colours.dim);
    case 'tool_call':
      return toolRows(entry, time, place);
    case 'prompt': {
      const { kind, questions, ...prompt } = entry.metadata.prompt;
      const action = PromptAction.safeParse(prompt['action']).data;
      const words = askWords({ kind, questions, ...(action && { action }) }, place.thread);
      return [colours.yellow(fit(` ${time}  ${kind === 'approval' ? '!' : '?'} ${words}`, columns))];
    }
    case 'prompt_audit': {
      const { actor } = entry.metadata.prompt;
      const by = actor === undefined ? '' : ` · by ${actorWords(actor)}`;
      return wrapped(`${auditWords(entry)}${by}`, time, place).map(colours.green);
    }
    case 'outcome':
      return [fit(` ${time}  `, columns) + outcomeLine(entry.outcome, colours)];
    case 'run':
    case 'notice':
      return wrapped(plainText(itemText(entry), { maxLength: 2000 }), time, place).map(colours.dim);
    case 'remark':
      return wrapped(plainText(entry.text, { maxLength: 2000 }), time, place).map(colours.dim);
    case 'checkpoint':
      return [];
    default:
      return entry satisfies never;
  }
}

type ToolCall = Extract<TimelineEntry, { type: 'tool_call' }>;

function toolRows(call: ToolCall, time: string, { look, thread, isOutputShown }: EntryPlace): string[] {
  const { colours, columns } = look;
  const { result, isAsked, tool, params = {}, ranWith } = call;
  if (isPromptTool(tool) && result?.success !== false) return [];
  const folder = seenFolder(thread);
  const words = ranWith
    ? ranWords(tool, { proposed: params, ran: ranWith }, folder)
    : toolWords(tool, params, folder);
  const inside = call.parentToolUseId === undefined ? '' : '  └ ';
  if (!result && isAsked)
    return [colours.yellow(fit(` ${time}  ${inside}○ ${words}  waits for the answer`, columns))];
  if (!result) return [colours.cyan(fit(` ${time}  ${inside}● ${words}`, columns))];
  const took = result.durationMs > 0 ? `  ${duration(result.durationMs)}` : '';
  const head = fit(` ${time}  ${inside}${result.success ? '✓' : '✗'} ${words}`, columns - took.length) + took;
  const most = isOutputShown ? outputRows : result.success ? 0 : failureRows;
  const said = most === 0 ? [] : plainText(result.summary, { maxLength: longestText }).trimEnd().split('\n');
  const shown = said.slice(0, most).map((line) => colours.dim(fit(`        │ ${line}`, columns)));
  const rest = said.length - shown.length;
  return [
    result.success ? head : colours.red(head),
    ...shown,
    ...(most > 0 && rest > 0
      ? [colours.dim(fit(`        │ … ${rest} more lines (e shows more)`, columns))]
      : []),
  ];
}

function spoken(time: string, who: string, text: string, { look }: EntryPlace): string[] {
  const name = fit(who, 10);
  const indent = look.columns >= 60 ? 19 : 2;
  const plain = plainText(text, { maxLength: longestText }).trim();
  const rows = wrappedRows(plain.replaceAll('\t', '    '), Math.max(8, look.columns - indent - 1));
  const head = ` ${time.padEnd(5)}  ${name}`;
  if (indent < 19) return [fit(head, look.columns), ...rows.map((row) => `  ${row}`)];
  return rows.map((row, index) =>
    index === 0 ? `${head.padEnd(indent)}${row}` : `${' '.repeat(indent)}${row}`,
  );
}

function wrapped(text: string, time: string, { look }: EntryPlace): string[] {
  const rows = wrappedRows(text.replaceAll('\t', '    '), Math.max(8, look.columns - 9));
  return rows.map((row, index) => (index === 0 ? ` ${time}  ${row}` : `        ${row}`));
}

function timeOf(timestamp: string): string {
  const at = new Date(timestamp);
  return `${String(at.getHours()).padStart(2, '0')}:${String(at.getMinutes()).padStart(2, '0')}`;
}
