import { isSnoozed } from '../../domain/thread/snooze.js';
import { nextMorning } from '../../domain/thread/snooze-times.js';
import type { Thread } from '../../protocol/thread.js';
import { emptyField } from '../terminal/text-field.js';
import { type ConsoleState, type ConsoleStep, type ConsoleWorld, diffView, opened } from './console-state.js';
import { bodyLook } from './frame.js';
import { cursorPlace, type HomeRow, homeRows, rowKey } from './home-list.js';
import type { Act } from './key-table.js';
import type { Look } from './look.js';
import { done, nextView, promptOpened } from './prompt-step.js';

type ThreadRow = Extract<HomeRow, { kind: 'thread' }>;

/** What a key does to the list. */
export function homeStep(
  state: ConsoleState,
  act: Act,
  { world, look, at }: { readonly world: ConsoleWorld; readonly look: Look; readonly at: number },
): ConsoleStep {
  const rows = homeRows(world, state);
  const place = cursorPlace(rows, state.cursor);
  const chosen = rows[place];
  const page = Math.max(1, bodyLook(look).rows - 2);
  const to = (next: number) => {
    const row = rows[Math.max(0, Math.min(next, rows.length - 1))];
    return done({ ...state, cursor: row && rowKey(row) });
  };
  switch (act) {
    case 'up':
      return to(place - 1);
    case 'down':
      return to(place + 1);
    case 'page_up':
      return to(place - page);
    case 'page_down':
      return to(place + page);
    case 'first':
      return to(0);
    case 'last':
      return to(rows.length - 1);
    case 'search':
      return done({ ...state, search: { field: state.search?.field ?? emptyField, isTyping: true } });
    case 'next_prompt':
      return done(opened(state, nextView(world, undefined, at)));
    case 'open':
      if (chosen?.kind === 'group') return done(folded(state, chosen));
      return chosen ? openRow(state, chosen, at) : done(state);
    case 'select':
      return chosen?.kind === 'thread' ? selected(to(place + 1).state, [chosen.thread]) : done(state);
    case 'select_all':
      return selected(
        state,
        rows.flatMap((row) => (row.kind === 'thread' && row.group === chosen?.group ? [row.thread] : [])),
      );
    case 'archive':
    case 'snooze':
    case 'retry': {
      const ticked = rows.flatMap((row) =>
        row.kind === 'thread' && state.selected.has(row.thread.id) ? [row.thread] : [],
      );
      const meant = ticked.length > 0 ? ticked : chosen?.kind === 'thread' ? [chosen.thread] : [];
      return onThreads({ ...state, selected: new Set() }, act, { threads: meant, now: world.now });
    }
    default:
      return chosen?.kind === 'thread' ? onThread(state, act, chosen) : done(state);
  }
}

/** Ticks these; where all of them were ticked, none of them. */
function selected(state: ConsoleState, threads: readonly Thread[]): ConsoleStep {
  const next = new Set(state.selected);
  const isAll = threads.every(({ id }) => next.has(id));
  for (const { id } of threads)
    if (isAll) next.delete(id);
    else next.add(id);
  return done({ ...state, selected: next });
}

/** What is done to one thread, or to all that are ticked. */
function onThreads(
  state: ConsoleState,
  act: 'archive' | 'snooze' | 'retry',
  { threads, now }: { readonly threads: readonly Thread[]; readonly now: number },
): ConsoleStep {
  const threadIds = threads.map(({ id }) => id);
  if (threads.length === 0) return done(state);
  if (act === 'archive') return done(state, { kind: 'archive', threadIds });
  if (act === 'snooze') {
    const isAllAsleep = threads.every((thread) => isSnoozed(thread, now));
    return done(state, { kind: 'snooze', threadIds, until: isAllAsleep ? null : nextMorning(now) });
  }
  const dispatchIds = threads.flatMap(({ lastDispatch }) =>
    lastDispatch?.state === 'ended' && lastDispatch.result !== 'succeeded' ? [lastDispatch.id] : [],
  );
  if (dispatchIds.length > 0) return done(state, { kind: 'retry', dispatchIds });
  return done({
    ...state,
    toast: { words: 'Its last work did not fail, so nothing was started.', tone: 'quiet' },
  });
}

function openRow(state: ConsoleState, { thread, prompt }: ThreadRow, at: number): ConsoleStep {
  const here = { ...state, cursor: thread.id };
  if (prompt) return done(promptOpened(here, prompt.id, at));
  return onThread(here, 'open_thread', { thread });
}

function onThread(state: ConsoleState, act: Act, { thread }: Pick<ThreadRow, 'thread'>): ConsoleStep {
  const { id: threadId } = thread;
  const here = { ...state, cursor: threadId };
  switch (act) {
    case 'open_thread':
      return done(opened(here, { kind: 'thread', threadId, anchor: undefined }), {
        kind: 'read_thread',
        threadId,
      });
    case 'changes':
      return done(opened(here, diffView(threadId)), {
        kind: 'read_changes',
        threadId,
      });
    case 'attach':
      return done(here, { kind: 'attach', threadId });
    default:
      return done(here);
  }
}

function folded(state: ConsoleState, { group }: Extract<HomeRow, { kind: 'group' }>): ConsoleState {
  const unfolded = new Set(state.unfolded);
  if (!unfolded.delete(group)) unfolded.add(group);
  return { ...state, unfolded, cursor: group };
}
