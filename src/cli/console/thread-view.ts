import { agentName } from '../../domain/words/agent-name.js';
import { askWords } from '../../domain/words/ask-words.js';
import { money } from '../../domain/words/money.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { statusWords } from '../../domain/words/status-words.js';
import { openPrompts } from '../../live/overview.js';
import type { TimelineEntry } from '../../live/timeline.js';
import type { ThreadId } from '../../protocol/id.js';
import type { Prompt } from '../../protocol/prompt.js';
import { fit, fitEnd } from '../terminal/fit.js';
import { emptyField, fieldLine, fieldText } from '../terminal/text-field.js';
import type { ConsoleState, ConsoleWorld, ThreadView } from './console-state.js';
import { needGroupOf } from './home-list.js';
import { chipOf, projectName } from './home-view.js';
import type { Look } from './look.js';
import { type EntryPlace, entryRows, liveRows } from './thread-rows.js';
import { rowsInSight, type ScrolledEntries } from './thread-scroll.js';

interface Shown {
  readonly state: ConsoleState;
  readonly world: ConsoleWorld;
  readonly look: Look;
}

/** A thread with what its agent writes now, what it asks, and a message to it. */
export function threadLines(view: ThreadView, shown: Shown): string[] {
  const { world, look } = shown;
  const { feed } = world;
  const foot = threadFoot(view.threadId, shown);
  const head = threadHead(view.threadId, shown);
  const height = threadHeight(view, shown);
  const rows = feed ? rowsInSight(scrolledEntries(view.threadId, shown), view.anchor, height) : [];
  const failure =
    feed?.failure === undefined ? [] : [look.colours.red(fit(` ${feed.failure}`, look.columns))];
  const empty = Array.from({ length: Math.max(0, height - rows.length) }, () => '');
  return [...head, ...rows, ...empty, ...failure, ...foot].slice(0, look.rows);
}

/** How many rows of the thread fit. */
export function threadHeight(view: ThreadView, shown: Shown): number {
  const foot = threadFoot(view.threadId, shown);
  const head = 2 + todoLines(shown).length;
  return Math.max(
    1,
    shown.look.rows - head - foot.length - (shown.world.feed?.failure === undefined ? 0 : 1),
  );
}

export function scrolledEntries(
  threadId: ThreadId,
  { state, world, look }: Shown,
): ScrolledEntries<TimelineEntry> {
  const thread = world.overview.threads.get(threadId);
  const place: EntryPlace = { thread, look, isOutputShown: state.isOutputShown };
  return {
    entries: world.feed?.entries ?? [],
    rowsOf: (entry) => entryRows(entry, place),
    end: liveRows(world.feed?.live.text ?? '', place),
  };
}

/** The oldest prompt of a thread that nobody has answered. */
export function promptOfThread({ overview }: ConsoleWorld, threadId: ThreadId): Prompt | undefined {
  return openPrompts(overview).find((prompt) => prompt.threadId === threadId);
}

function threadHead(threadId: ThreadId, { state, world, look }: Shown): string[] {
  const { columns, colours } = look;
  const thread = world.overview.threads.get(threadId);
  if (!thread) return [fit(' This thread is not there any more.', columns), ''];
  const prompt = promptOfThread(world, threadId);
  const chip = chipOf({ thread, prompt, group: needGroupOf(thread, world.now) }, colours);
  const { facts } = world.feed ?? {};
  const words = [
    projectName(thread.workspace),
    [agentName(thread.runtime), facts?.model ?? ''].filter((part) => part !== '').join(' '),
    money(thread.usage.costUsd),
    thread.activity ?? statusWords(thread.status),
  ].filter((word) => word !== '');
  const sign = `${chip.symbol} ${chip.word}`;
  return [
    ` ${chip.paint(sign)}  ${fit(words.join(' · '), Math.max(1, columns - sign.length - 4))}`,
    colours.dim('─'.repeat(columns)),
    ...todoLines({ state, world, look }),
  ];
}

const todoSigns: Readonly<Record<string, string>> = { completed: '✓', in_progress: '●' };
// The thread itself keeps most of the screen.
const mostTodos = 8;

/** What the agent has planned, as far as there is room: what is done already goes first. */
function todoLines({ state, world, look }: Shown): string[] {
  const { columns, colours } = look;
  if (!state.isTodoShown) return [];
  const todos = world.feed?.facts.todos ?? [];
  const done = todos.filter(({ status }) => status === 'completed').length;
  const room = Math.max(1, Math.min(mostTodos, Math.floor(look.rows / 2) - 2));
  const from = Math.max(0, Math.min(done - 1, todos.length - room));
  const lines = todos.slice(from, from + room).map(({ content, status }) => {
    const line = fit(` ${todoSigns[status] ?? '○'} ${plainLine(content, { maxLength: 400 })}`, columns);
    if (status === 'completed') return colours.dim(line);
    return status === 'in_progress' ? colours.bold(line) : line;
  });
  const head = todos.length === 0 ? ' To do: the agent keeps no list' : ` To do ${done} of ${todos.length}`;
  return [colours.bold(fit(head, columns)), ...lines, colours.dim('─'.repeat(columns))];
}

function threadFoot(threadId: ThreadId, { state, world, look }: Shown): string[] {
  const { columns, colours } = look;
  const prompt = promptOfThread(world, threadId);
  const thread = world.overview.threads.get(threadId);
  const asks = prompt
    ? [colours.yellow(fit(` ! ${askWords(prompt, thread)}`, columns - 16)) + colours.dim('  Enter answers')]
    : [];
  const draft = state.messages.get(threadId) ?? emptyField;
  if (state.isWriting)
    return [...asks, colours.cyan(` > ${fitEnd(fieldLine(draft), Math.max(4, columns - 5))}`)];
  return fieldText(draft) === ''
    ? asks
    : [...asks, colours.dim(fit(` > ${fieldLine(draft)}  (kept; r goes on)`, columns))];
}
