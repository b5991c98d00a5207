import { longestQuote } from '../../protocol/review-comment.js';
import { emptyField, fieldText, typed } from '../terminal/text-field.js';
import { type ChangeRow, type ChangeRows, unsentComments } from './change-rows.js';
import {
  type ConsoleInput,
  type ConsoleState,
  type ConsoleStep,
  type ConsoleWorld,
  type DiffView,
  withView,
} from './console-state.js';
import { type CommentTarget, draftKey, inSight, viewedKey } from './diff-place.js';
import type { Act } from './key-table.js';
import { landingAsked } from './landing-step.js';
import { done } from './prompt-step.js';

type KeyPress = Extract<ConsoleInput, { kind: 'key' }>;

/** What a key does to the changes that are shown. */
export function diffStep(
  state: ConsoleState,
  view: DiffView,
  {
    act,
    press,
    world,
    height,
  }: { readonly act: Act; readonly press: KeyPress; readonly world: ConsoleWorld; readonly height: number },
): ConsoleStep {
  const landing = landingAsked(state, view, { act, changes: world.changes });
  if (landing) return landing;
  const { changes } = world;
  if (!changes || changes.threadId !== view.threadId) return done(state);
  const here = inSight(view, changes.rows.length, height);
  const row = changes.rows[here.cursor];
  switch (act) {
    case 'comment':
      return begunComment(state, view, { row, at: press.at });
    case 'resolve':
      return press.isRepeat ? done(state) : resolved(state, view, row);
    case 'send_comments':
      return press.isRepeat ? done(state) : sent(state, changes);
    case 'viewed':
      return done(ticked(state, { ...view, ...here }, changes));
    default: {
      const left = Math.max(0, view.left + (act === 'right' ? 20 : act === 'left' ? -20 : 0));
      return done(withView(state, { ...view, ...moved(here, act, { changes, height }), left }));
    }
  }
}

function moved(
  { cursor, top }: { readonly cursor: number; readonly top: number },
  act: Act,
  { changes, height }: { readonly changes: ChangeRows; readonly height: number },
): { readonly cursor: number; readonly top: number } {
  const { rows, files } = changes;
  const page = Math.max(1, height - 1);
  const to = (next: number, first = top) => inSight({ cursor: next, top: first }, rows.length, height);
  switch (act) {
    case 'up':
      return to(cursor - 1);
    case 'down':
      return to(cursor + 1);
    case 'page_up':
      return to(cursor - page, Math.max(0, top - page));
    case 'page_down':
      return to(cursor + page, Math.min(top + page, Math.max(0, rows.length - height)));
    case 'first':
      return to(0, 0);
    case 'last':
      return to(rows.length - 1);
    case 'next_file': {
      const next = files.find((file) => file > cursor) ?? cursor;
      return next === cursor ? { cursor, top } : to(next, next);
    }
    case 'previous_file': {
      const next = files.findLast((file) => file < cursor) ?? 0;
      return to(next, next);
    }
    default:
      return { cursor, top };
  }
}

function begunComment(
  state: ConsoleState,
  view: DiffView,
  { row, at }: { readonly row: ChangeRow | undefined; readonly at: number },
): ConsoleStep {
  const target = row && targetOf(row);
  if (!target) return told(state, 'A comment is about a line: choose one with ↑ and ↓, then press c.');
  const words = target.kind === 'comment' ? (row.comment?.body ?? '') : '';
  const key = draftKey(view.threadId, target);
  const draft = state.commentDrafts.get(key) ?? { field: { ...emptyField, before: words }, since: at };
  const drafts = new Map([...state.commentDrafts, [key, draft]]);
  return done(withView({ ...state, commentDrafts: drafts }, { ...view, writes: target }));
}

/** What a comment on a row is about: one's own is changed, an agent's is answered at its line. */
function targetOf({ path, line, text, comment }: ChangeRow): CommentTarget | undefined {
  if (comment && comment.author !== 'agent') return { kind: 'comment', id: comment.id };
  if (comment) {
    const { file, side, quote = '' } = comment;
    return { kind: 'line', file, line: comment.line, side, quote };
  }
  const number = line?.new ?? line?.old;
  if (path === undefined || number === undefined) return undefined;
  const side = line?.new === undefined ? 'old' : 'new';
  return { kind: 'line', file: path, line: number, side, quote: text.slice(1, longestQuote + 1) };
}

/** What a key does to a comment that is being written; Enter gives it, Escape keeps it for later. */
export function whileCommenting(
  state: ConsoleState,
  view: DiffView & { readonly writes: CommentTarget },
  { key, at }: KeyPress,
): ConsoleStep {
  const { threadId, writes } = view;
  const name = draftKey(threadId, writes);
  const draft = state.commentDrafts.get(name) ?? { field: emptyField, since: at };
  const closed = withView(state, { ...view, writes: undefined });
  if (key.kind === 'escape') return done(closed);
  if (key.kind !== 'enter') {
    const next = { ...draft, field: typed(draft.field, key) };
    return done({ ...state, commentDrafts: new Map([...state.commentDrafts, [name, next]]) });
  }
  const body = fieldText(draft.field).trim();
  if (body !== '')
    return done(closed, { kind: 'comment', threadId, target: writes, body, since: draft.since });
  const dropped = withoutDraft(closed, name);
  return writes.kind === 'comment'
    ? done(dropped, { kind: 'remove_comment', threadId, id: writes.id })
    : done(dropped);
}

/** The state once a comment has arrived. */
export function withoutDraft(state: ConsoleState, key: string): ConsoleState {
  return { ...state, commentDrafts: new Map([...state.commentDrafts].filter(([name]) => name !== key)) };
}

function resolved(state: ConsoleState, { threadId }: DiffView, row: ChangeRow | undefined): ConsoleStep {
  if (!row?.comment) return told(state, 'Choose a comment with ↑ and ↓, then press r.');
  const { id, state: now } = row.comment;
  return done(state, { kind: 'resolve_comment', threadId, id, to: now === 'open' ? 'resolved' : 'open' });
}

function sent(state: ConsoleState, changes: ChangeRows): ConsoleStep {
  if (unsentComments(changes).length === 0)
    return told(state, 'No comment waits to be sent. c writes one about the chosen line.');
  const toast = { words: 'Sending the comments …', tone: 'quiet' } as const;
  return done({ ...state, toast }, { kind: 'send_comments', threadId: changes.threadId });
}

/** The file of the chosen row ticked off, and the next one that is not; or not ticked off any more. */
function ticked(state: ConsoleState, view: DiffView, changes: ChangeRows): ConsoleState {
  const path = changes.rows[view.cursor]?.path;
  if (path === undefined) return state;
  const key = viewedKey(changes, path);
  if (state.viewed.has(key))
    return { ...state, viewed: new Set([...state.viewed].filter((each) => each !== key)) };
  const viewed = new Set([...state.viewed, key]);
  const next = changes.files.find(
    (file) => file > view.cursor && !viewed.has(viewedKey(changes, changes.rows[file]?.path ?? '')),
  );
  const ahead = next === undefined ? view : { ...view, cursor: next, top: next };
  return withView({ ...state, viewed }, ahead);
}

function told(state: ConsoleState, words: string): ConsoleStep {
  return done({ ...state, toast: { words, tone: 'quiet' } });
}
