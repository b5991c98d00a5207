import { money } from '../../domain/words/money.js';
import { requestedPlace } from '../../domain/words/place-words.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { placedWork } from '../../domain/worktree/typed-place.js';
import { promptsByRest } from '../../live/awake-prompts.js';
import { fit, fitEnd, fitLine } from '../terminal/fit.js';
import { widthOf } from '../terminal/graphemes.js';
import { fieldLine, fieldText } from '../terminal/text-field.js';
import { wrappedRows } from '../terminal/wrap.js';
import { asciiLine } from './ascii.js';
import type { AskedRow } from './asked-rows.js';
import { commandLines } from './commands-view.js';
import { type ConsoleState, type ConsoleView, type ConsoleWorld, shownView } from './console-state.js';
import { diffLines } from './diff-view.js';
import { helpRows } from './help-view.js';
import { needGroupOf } from './home-list.js';
import { homeLines } from './home-view.js';
import { consoleKeys } from './key-table.js';
import type { Look } from './look.js';
import { type PromptLayout, promptLayout } from './prompt-layout.js';
import { threadLines } from './thread-view.js';

/** Smaller screens show one line: who needs you. */
const smallest = { columns: 40, rows: 10 };
/** Rows above the body: title and its rule. */
export const bodyTop = 2;
// Title and its rule, what was just said, the rule below and the keys.
const frameRows = 5;

/** The whole screen as lines, one less than it has rows: a terminal scrolls when its last line ends. */
export function frameLines(state: ConsoleState, world: ConsoleWorld, look: Look): string[] {
  const { columns } = look;
  if (isTiny(state)) return [shown(tinyLine(world), look)];
  const body = bodyLook(look);
  const lines = bodyLines(state, world, body).slice(0, body.rows);
  const rule = look.colours.dim('─'.repeat(columns));
  return [
    headLine(state, world, look),
    rule,
    ...lines,
    ...Array.from({ length: body.rows - lines.length }, () => ''),
    toastLine(state, world, look),
    rule,
    look.colours.dim(fit(` ${hints(state)}`, columns)),
  ].map((line) => shown(line, look));
}

/** Too small for more than one line; nothing can be approved there. */
export function isTiny({ size }: Pick<ConsoleState, 'size'>): boolean {
  return size.columns < smallest.columns || size.rows < smallest.rows;
}

/** The space between the head and the foot of the screen. */
export function bodyLook(look: Look): Look {
  return { ...look, rows: Math.max(1, look.rows - 1 - frameRows) };
}

function shown(line: string, { isUnicode, columns }: Look): string {
  return isUnicode ? line : asciiLine(line, columns);
}

function bodyLines(state: ConsoleState, world: ConsoleWorld, look: Look): string[] {
  const view = shownView(state);
  switch (view.kind) {
    case 'home':
      return [...searchLines(state, look), ...homeLines(state, world, look)];
    case 'inbox': {
      const layout = promptLayout(view, { state, world, look });
      return layout ? promptLines(layout, look) : ['', ' No agent is waiting for you.'];
    }
    case 'thread':
      return threadLines(view, { state, world, look });
    case 'diff':
      return diffLines(view, { state, world, look });
    case 'help':
      return helpRows(look).slice(view.top, view.top + look.rows);
    case 'commands':
      return commandLines(view, { state, world, look });
    case 'work':
      return workLines(state, world, look);
    default:
      return view satisfies never;
  }
}

function searchLines({ search }: ConsoleState, { columns, colours }: Look): string[] {
  if (!search) return [];
  const line = search.isTyping ? fieldLine(search.field) : search.field.before + search.field.after;
  return [colours.cyan(` / ${fitEnd(line, columns - 4)}`)];
}

function promptLines({ head, rows, inSight, foot }: PromptLayout, look: Look): string[] {
  const asked = rows.slice(inSight.from, inSight.to).map((row) => ` ${painted(row, look)}`);
  return [...head, ...asked, ...foot];
}

function painted({ text, tone }: AskedRow, { colours }: Look): string {
  switch (tone) {
    case 'added':
      return colours.green(text);
    case 'removed':
      return colours.red(text);
    case 'head':
      return colours.bold(text);
    case 'quiet':
      return colours.dim(text);
    case 'warning':
      return colours.inverse(colours.red(text));
    case 'plain':
      return text;
    default:
      return tone satisfies never;
  }
}

function workLines(
  { work }: ConsoleState,
  { folder, history }: ConsoleWorld,
  { columns, colours }: Look,
): string[] {
  const { place } = placedWork(fieldText(work.field));
  const where = place
    ? `in a worktree of ${requestedPlace(place)}`
    : `${work.isWorktree ? 'in a worktree of its own, from' : 'in'} ${plainLine(folder)}`;
  const earlier = work.historyAt >= 0 ? ` · earlier work ${work.historyAt + 1} of ${history.length}` : '';
  return [
    '',
    colours.bold(' Describe the work'),
    colours.dim(fit(` ${where}${earlier}`, columns)),
    '',
    ...wrappedRows(fieldLine(work.field).replaceAll('⏎', '\n'), columns - 4).map((row) =>
      colours.cyan(` > ${row}`),
    ),
  ];
}

function tinyLine(world: ConsoleWorld): string {
  const [first, ...others] = promptsByRest(world.overview, world.now).awake;
  if (!first) return 'No agent is waiting for you.';
  const title = world.overview.threads.get(first.threadId)?.title ?? '';
  return `${others.length + 1} need you: ${plainLine(title, { maxLength: 100 })}`;
}

function headLine(state: ConsoleState, world: ConsoleWorld, { columns, colours }: Look): string {
  const counts = countWords(world, columns);
  const room = Math.max(8, columns - widthOf(counts) - 3);
  const name = columns >= 80 ? 'Handraise   ' : '';
  const title = fit(` ${name}${placeName(state, world)}`, room);
  return `${colours.bold(title)}${' '.repeat(Math.max(1, columns - 1 - widthOf(title) - widthOf(counts)))}${counts}`;
}

/** From this width on there is room for what it cost. */
const costFrom = 100;

function countWords({ overview, costToday, now }: ConsoleWorld, columns: number): string {
  const waiting = promptsByRest(overview, now).awake.length;
  const working = [...overview.threads.values()].filter(
    (thread) => thread.archivedAt === undefined && needGroupOf(thread, now) === 'Working',
  ).length;
  const cost = costToday === undefined || columns < costFrom ? '' : ` · ${money(costToday)} today`;
  return `${waiting} ${waiting === 1 ? 'needs' : 'need'} you · ${working} working${cost}`;
}

function placeName(state: ConsoleState, world: ConsoleWorld): string {
  const view = shownView(state);
  const title = (id: string) =>
    fitLine([...world.overview.threads.values()].find((thread) => thread.id === id)?.title ?? id, 60);
  switch (view.kind) {
    case 'home':
      return 'Home';
    case 'inbox': {
      const open = promptsByRest(world.overview, world.now).awake;
      const place = open.findIndex(({ id }) => id === view.promptId);
      return place < 0 ? 'Inbox' : `Inbox › ${place + 1} of ${open.length}`;
    }
    case 'thread':
      return `Home › ${title(view.threadId)}`;
    case 'diff':
      return `Changes › ${title(view.threadId)}`;
    case 'commands':
      return 'Commands';
    case 'help':
      return 'Help';
    case 'work':
      return 'New work';
    default:
      return view satisfies never;
  }
}

function toastLine({ toast }: ConsoleState, { overview }: ConsoleWorld, { columns, colours }: Look): string {
  const { connection } = overview;
  if (connection.kind === 'reconnecting')
    return colours.yellow(fit(' ! The worker is gone; agents go on. Waiting for a worker …', columns));
  if (connection.kind === 'refused' || connection.kind === 'signed_out') {
    const why =
      connection.kind === 'refused' ? plainLine(connection.why) : 'The token is not valid any more.';
    return colours.red(fit(` ! ${why}`, columns));
  }
  if (!toast) return '';
  const paint = { good: colours.green, bad: colours.red, quiet: colours.dim }[toast.tone];
  return paint(fit(` ${plainLine(toast.words, { maxLength: 500 })}`, columns));
}

function hints(state: ConsoleState): string {
  const view = shownView(state);
  if (state.isWriting) return 'Enter sends · Esc keeps it for later';
  if (view.kind === 'diff' && view.writes) return 'Enter keeps the comment · Esc writes on later';
  if (view.kind === 'commands') return '↑↓ choose  Enter do it  Esc back';
  if (view.kind === 'home' && state.search?.isTyping) return 'Enter keeps the words · Esc shows everything';
  const rows = consoleKeys.filter(({ where }) => where === view.kind);
  if (view.kind === 'home' && state.selected.size > 0)
    return `${state.selected.size} selected  # archive  s snooze  R retry  x X select  Esc none`;
  const own = rows.flatMap(({ hint }) => hint ?? []);
  return [
    ...own,
    ...(view.kind === 'home' ? ['n new', ': commands', '? help', 'q quit'] : backHints(view)),
  ].join('  ');
}

function backHints(view: ConsoleView): string[] {
  return view.kind === 'work' || view.kind === 'help' ? ['Esc back'] : ['Esc back', '? help'];
}
