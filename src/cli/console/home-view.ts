import { age } from '../../domain/words/age.js';
import { money } from '../../domain/words/money.js';
import { shortPlace } from '../../domain/words/place-words.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { promptMark } from '../../domain/words/prompt-mark.js';
import { promptWords } from '../../domain/words/prompt-words.js';
import { threadSentence } from '../../domain/words/thread-sentence.js';
import { threadMark } from '../../domain/words/work-mark.js';
import type { Thread } from '../../protocol/thread.js';
import type { Workspace } from '../../protocol/workspace.js';
import type { Colours } from '../terminal/colours.js';
import { fit, fitLine, pad } from '../terminal/fit.js';
import { toneColours } from '../view/tone-colours.js';
import { asciiLine } from './ascii.js';
import type { ConsoleState, ConsoleWorld } from './console-state.js';
import { cursorPlace, type HomeRow, homeRows, waitingSince } from './home-list.js';
import type { Look } from './look.js';
import type { LineCount } from './row-changes.js';

type ThreadRow = Extract<HomeRow, { kind: 'thread' }>;

/** From this width on a line has its sentence beside it; below, the chosen line has it under itself. */
const wideFrom = 80;
/** From these widths on a line has what was changed, and what it cost, where that is known of any. */
const changedFrom = 100;
const costFrom = 110;
const changedColumns = 13;
const costColumns = 8;

/** The list by need, as far as it is in sight. */
export function homeLines(state: ConsoleState, world: ConsoleWorld, look: Look): string[] {
  // Threads come before what they ask; half of it would say something else.
  if (!world.overview.isPresent) return ['', ' Reading …'];
  const rows = homeRows(world, state);
  if (rows.length === 0) return emptyLines(state, look);
  const place = cursorPlace(rows, state.cursor);
  const [from, to] = inSight(place, rows.length, look.rows - (look.columns < wideFrom ? 1 : 0));
  const drawn = (row: ThreadRow): Drawn => ({
    world,
    look,
    tick: state.selected.has(row.thread.id) ? '*' : ' ',
  });
  return rows.slice(from, to).flatMap((row, index) => {
    const isChosen = from + index === place;
    if (row.kind === 'group') return [groupLine(row, isChosen, look)];
    return look.columns >= wideFrom
      ? [wideLine(row, isChosen, drawn(row))]
      : narrowLines(row, isChosen, drawn(row));
  });
}

/** Which of so many rows are shown around one of them. */
function inSight(place: number, count: number, rows: number): [from: number, to: number] {
  const room = Math.max(1, rows);
  const from = Math.max(0, Math.min(place - Math.floor(room / 2), count - room));
  return [from, Math.min(count, from + room)];
}

/** The row that a line of the list belongs to; the chosen one may have two. */
export function homeRowAt(
  line: number,
  { state, world, look }: { readonly state: ConsoleState; readonly world: ConsoleWorld; readonly look: Look },
): { readonly row: HomeRow; readonly isChosen: boolean } | undefined {
  const rows = homeRows(world, state);
  const place = cursorPlace(rows, state.cursor);
  const isNarrow = look.columns < wideFrom;
  const [from, to] = inSight(place, rows.length, look.rows - (isNarrow ? 1 : 0));
  const hasTwo = isNarrow && rows[place]?.kind === 'thread';
  const at = from + line - (hasTwo && from + line > place ? 1 : 0);
  const row = at < to ? rows[at] : undefined;
  return row && { row, isChosen: at === place };
}

function emptyLines({ search }: ConsoleState, { columns }: Look): string[] {
  const words = search ? 'No work matches these words.' : 'Nothing to do yet. Press n and describe the work.';
  return ['', fit(` ${words}`, columns)];
}

function groupLine(
  { group, count, isFolded }: Extract<HomeRow, { kind: 'group' }>,
  isChosen: boolean,
  { columns, colours }: Look,
): string {
  const line = fit(` ${isFolded ? '▸ ' : ''}${group} ${count}`, columns);
  return isChosen ? colours.inverse(line) : colours.bold(line);
}

interface Drawn {
  readonly world: ConsoleWorld;
  readonly look: Look;
  /** A sign for what is ticked, in a column of its own. */
  readonly tick: string;
}

function wideLine(row: ThreadRow, isChosen: boolean, { world, look, tick }: Drawn): string {
  const { columns, colours } = look;
  const { symbol, word, paint } = chipOf(row, colours);
  const time = age(waitingSince(row), world.now).padStart(7);
  const project = cell(projectName(row.thread.workspace), 14, look);
  const counts = countsOf(row, world, look);
  const room = columns - 4 - 10 - project.length - counts.length - time.length - 3;
  const titleRoom = Math.max(16, Math.floor(room * 0.5));
  const title = titleOf(row, titleRoom, look);
  const sentence = cell(sentenceOf(row, world.now), room - titleRoom, look);
  const chip = `${symbol} ${pad(word, 8)}`;
  const rest = `${title} ${sentence} ${project}${counts} ${time}`;
  if (isChosen) return colours.inverse(fit(`▸${tick}${chip} ${rest}`, columns));
  return ` ${tick}${paint(chip)} ${fit(rest, columns - 13)}`;
}

/** Lines that came and went, and the cost, each in a column of its own; blank where nobody knows. */
function countsOf({ thread }: ThreadRow, { lines, overview }: ConsoleWorld, { columns }: Look): string {
  const hasChanges = columns >= changedFrom && [...lines.values()].some((count) => isAny(count));
  const hasCosts =
    columns >= costFrom && [...overview.threads.values()].some(({ usage }) => usage.costUsd !== null);
  const count = lines.get(thread.id);
  const changed = count && isAny(count) ? `+${count.added} −${count.removed}` : '';
  const cost = thread.usage.costUsd === null ? '' : money(thread.usage.costUsd);
  return `${hasChanges ? column(changed, changedColumns) : ''}${hasCosts ? column(cost, costColumns) : ''}`;
}

function column(text: string, width: number): string {
  return ` ${fit(text, width).padStart(width)}`;
}

function isAny(count: LineCount): boolean {
  return count !== null && count.added + count.removed > 0;
}

/** The threads whose rows are on the screen and show what was changed. */
export function countedThreads(state: ConsoleState, world: ConsoleWorld, look: Look): Thread[] {
  if (look.columns < changedFrom || !world.overview.isPresent) return [];
  const rows = homeRows(world, state);
  const [from, to] = inSight(cursorPlace(rows, state.cursor), rows.length, look.rows);
  return rows.slice(from, to).flatMap((row) => (row.kind === 'thread' ? [row.thread] : []));
}

function narrowLines(row: ThreadRow, isChosen: boolean, { world, look, tick }: Drawn): string[] {
  const { columns, colours } = look;
  const { symbol, paint } = chipOf(row, colours);
  const time = ` ${age(waitingSince(row), world.now).padStart(6)}`;
  const project = columns >= 56 ? ` ${cell(projectName(row.thread.workspace), 10, look)}` : '';
  const room = Math.max(4, columns - 5 - project.length - time.length);
  const rest = `${titleOf(row, room, look)}${project}${time}`;
  if (!isChosen) return [` ${tick}${paint(symbol)} ${fit(rest, columns - 4)}`];
  return [
    colours.inverse(fit(`▸${tick}${symbol} ${rest}`, columns)),
    colours.dim(fit(`    ${plainLine(sentenceOf(row, world.now), { maxLength: 400 })}`, columns)),
  ];
}

function titleOf({ thread, asks }: ThreadRow, columns: number, look: Look): string {
  const more = asks > 1 ? ` ×${asks}` : '';
  const room = columns - more.length;
  const title = cell(plainLine(thread.title, { maxLength: 400 }) || thread.id, room, look);
  return pad(title.trimEnd() + more, columns);
}

/** A text in exactly so many columns, also where one sign takes several letters: what stands behind it keeps its place. */
function cell(text: string, columns: number, { isUnicode }: Look): string {
  const shown = fitLine(text, columns);
  return pad(isUnicode ? shown : asciiLine(shown, columns), columns);
}

function sentenceOf({ thread, prompt, excerpt }: ThreadRow, now: number): string {
  if (excerpt !== undefined && excerpt !== '') return excerpt;
  return prompt ? promptWords(prompt, thread) : threadSentence(thread, undefined, now);
}

/** One sign and one word that say whose turn it is. */
export function chipOf(
  { thread, prompt, group }: Pick<ThreadRow, 'thread' | 'prompt' | 'group'>,
  colours: Colours,
): { readonly symbol: string; readonly word: string; readonly paint: (text: string) => string } {
  if (prompt) {
    const { symbol, word } = promptMark(prompt);
    return { symbol, word, paint: (text) => colours.bold(colours.yellow(text)) };
  }
  const { symbol, word, tone } = threadMark(thread);
  if (group === 'Landed') return { symbol: '◆', word: 'Landed', paint: colours.magenta };
  if (group === 'Ready to review') return { symbol, word: 'Ready', paint: colours.green };
  return { symbol, word: fit(word, 8), paint: tone === 'work' ? colours.cyan : colours[toneColours[tone]] };
}

/** The project of a workspace; where it is not known whose worktree it is, the branch says more than its folder. */
export function projectName(workspace: Workspace): string {
  const { branch, worktree, repo, project } = workspace;
  const isNamed = worktree === true && branch !== undefined && repo === undefined && project === undefined;
  return isNamed ? plainLine(branch, { maxLength: 100 }) : shortPlace(workspace);
}
