import { plainLine, plainText } from '../../domain/words/plain-text.js';
import type { Colours } from '../terminal/colours.js';
import { fit, fitEnd, fitLine, pad } from '../terminal/fit.js';
import { widthOf } from '../terminal/graphemes.js';
import { fieldLine, fieldText } from '../terminal/text-field.js';
import { wrappedRows } from '../terminal/wrap.js';
import type { ChoiceList } from './choice-list.js';
import type { QuestionForm } from './question-form.js';

/** How much of the screen there is. */
export interface Space {
  readonly columns: number;
  readonly rows: number;
  readonly colours: Colours;
  /** Keys do not count yet, so nothing says which there are. */
  readonly isSettling?: boolean;
}

/** The line below a list that says which keys there are. */
export function hintLine(words: string, { columns, colours, isSettling = false }: Space): string {
  return isSettling ? '' : colours.dim(fit(words, columns - 1));
}

/** From this width on a preview stands beside the list, below it where there is less. */
const besideFrom = 90;
const smallestRows = 3;

/** A form as it stands on the screen; no line is wider and not all together are higher than the space. */
export function formLines(form: QuestionForm, space: Space): string[] {
  const list = form.lists[form.place];
  if (!list) return [];
  const { colours } = space;
  const isMany = form.lists.length > 1;
  const question = fitLine(list.question.question, space.columns - 8);
  const head = isMany ? [colours.bold(`${form.place + 1}/${form.lists.length} ${question}`)] : [];
  const foot = hintLine(hints(list, form.place > 0), space);
  const rows = Math.max(smallestRows, space.rows - head.length - 2);
  return [...head, ...withPreview(list, { ...space, rows }), foot];
}

function withPreview(list: ChoiceList, space: Space): string[] {
  const preview = list.isTyping ? undefined : list.question.options[list.cursor]?.preview;
  if (preview === undefined || preview === '') return entryLines(list, space);
  const text = plainText(preview).replaceAll('\t', '    ').trimEnd().split('\n');
  return space.columns >= besideFrom ? beside(list, text, space) : below(list, text, space);
}

function beside(list: ChoiceList, text: readonly string[], space: Space): string[] {
  const left = Math.floor(space.columns / 2) - 2;
  const entries = entryLines(list, { ...space, columns: left });
  const height = Math.min(space.rows, Math.max(entries.length, text.length));
  const right = cut(text, { columns: space.columns - left - 4, rows: height });
  return Array.from({ length: Math.max(entries.length, right.length) }, (_, row) =>
    `${pad(entries[row] ?? '', left)} ${space.colours.dim('│')} ${right[row] ?? ''}`.trimEnd(),
  );
}

function below(list: ChoiceList, text: readonly string[], space: Space): string[] {
  const entries = entryLines(list, { ...space, rows: Math.max(smallestRows, Math.ceil(space.rows / 2)) });
  const rows = Math.max(1, space.rows - entries.length);
  const bar = space.colours.dim('│');
  return [...entries, ...cut(text, { columns: space.columns - 6, rows }).map((line) => `    ${bar} ${line}`)];
}

/** So much of a text, and how much more there is. */
function cut(text: readonly string[], space: { readonly columns: number; readonly rows: number }): string[] {
  const isWhole = text.length <= space.rows;
  const kept = isWhole ? text : text.slice(0, Math.max(0, space.rows - 1));
  const more = isWhole ? [] : [`… ${text.length - kept.length} more lines`];
  return [...kept, ...more].map((line) => fit(line, space.columns));
}

function entryLines(list: ChoiceList, space: Space): string[] {
  const { options } = list.question;
  if (options.length === 0) return [typingLine(list, space)];
  const entries = [...options.flatMap((_, place) => optionLines(list, place, space)), freeLine(list, space)];
  const endHere = list.cursor + entries.length - options.length;
  // A list that is higher than the screen shows what is around the cursor.
  const from = Math.min(
    Math.max(0, list.cursor - Math.floor(space.rows / 2), endHere - space.rows),
    Math.max(0, entries.length - space.rows),
  );
  return entries.slice(from, from + space.rows);
}

/** The option under the cursor is told whole, so that nobody chooses what was cut off; the others have a line each. */
function optionLines(list: ChoiceList, place: number, space: Space): string[] {
  const line = optionLine(list, place, space);
  const option = list.question.options[place];
  if (!option || place !== list.cursor || list.isTyping) return [line];
  const label = plainLine(option.label);
  const meaning = option.description === option.label ? '' : plainLine(option.description ?? '');
  const whole = `${label}${meaning === '' ? '' : ` — ${meaning}`}`;
  const head = `› ${place + 1}. ${list.question.multiSelect ? `[${list.ticked.has(place) ? 'x' : ' '}] ` : ''}`;
  const room = space.columns - 1 - widthOf(head);
  const rows = wrappedRows(whole, room);
  if (rows.length === 1) return [line];
  const most = Math.max(2, space.rows - 1);
  return cut(rows, { columns: room, rows: most }).map((row, index) =>
    space.colours.cyan(`${index === 0 ? head : ' '.repeat(widthOf(head))}${row}`),
  );
}

function optionLine(list: ChoiceList, place: number, { columns, colours }: Space): string {
  const option = list.question.options[place];
  const isHere = place === list.cursor && !list.isTyping;
  const box = list.question.multiSelect ? `[${list.ticked.has(place) ? 'x' : ' '}] ` : '';
  const label = fit(
    `${isHere ? '›' : ' '} ${place + 1}. ${box}${plainLine(option?.label ?? '')}`,
    columns - 1,
  );
  const left = columns - 4 - widthOf(label);
  const meaning = option?.description === option?.label ? '' : plainLine(option?.description ?? '');
  const about = left > 8 ? fit(meaning, left) : '';
  return `${isHere ? colours.cyan(label) : label}${about === '' ? '' : colours.dim(` — ${about}`)}`;
}

function freeLine(list: ChoiceList, space: Space): string {
  if (list.isTyping) return typingLine(list, space);
  const place = list.question.options.length;
  const isHere = place === list.cursor;
  const words = fieldText(list.text) === '' ? 'Something else…' : plainLine(fieldText(list.text));
  const line = fit(`${isHere ? '›' : ' '} ${place + 1}. ${words}`, space.columns - 1);
  return isHere ? space.colours.cyan(line) : line;
}

/** The end of a long text is where it is typed, so its beginning is what is cut. */
function typingLine({ text, question }: ChoiceList, { columns, colours }: Space): string {
  const room = Math.max(4, columns - 4);
  const line = fieldLine(text, { isSecret: question.isSecret ?? false });
  return colours.cyan(`> ${fitEnd(line, room)}`);
}

function hints({ question, isTyping }: ChoiceList, canGoBack: boolean): string {
  const back = canGoBack ? ' · ← back' : '';
  if (isTyping)
    return question.options.length > 0
      ? 'Enter sends it · Esc goes back to the list'
      : `Enter sends it${back}`;
  return question.multiSelect
    ? `↑↓ move · Space selects · Enter sends${back} · Esc decides later`
    : `↑↓ move · Enter or a number sends${back} · Esc decides later`;
}
