import type { Overview } from '../../live/overview.js';
import type { FeedView } from '../../live/thread-feed.js';
import type { PromptId, ThreadId } from '../../protocol/id.js';
import type { Precedent } from '../../protocol/precedent.js';
import type { ApprovalAbilities, ApprovalMenu } from '../ask/approval-menu.js';
import type { QuestionForm } from '../ask/question-form.js';
import type { Key, MousePress } from '../terminal/key.js';
import { emptyField, type TextField } from '../terminal/text-field.js';
import type { ChangeRows } from './change-rows.js';
import type { ConsoleEffect } from './console-effect.js';
import type { CommentDraft, CommentTarget } from './diff-place.js';
import type { NeedGroup } from './home-list.js';
import type { LandingKind } from './landing-step.js';
import type { LineCount } from './row-changes.js';
import type { RowSpan } from './seen-rows.js';

/** What is shown; each view remembers where in it the person is. */
export type ConsoleView =
  | { readonly kind: 'home' }
  | InboxView
  | ThreadView
  | DiffView
  | CommandsView
  | { readonly kind: 'help'; readonly top: number }
  | { readonly kind: 'work' };

/** A prompt on the screen; it stays, however it is settled, until the person moves on. */
export interface InboxView {
  readonly kind: 'inbox';
  readonly promptId: PromptId | undefined;
  /** Since when it is on the screen: keys pressed too soon after that were meant for something else. */
  readonly shownAt: number;
  readonly top: number;
}

/** What an agent changed. */
export interface DiffView {
  readonly kind: 'diff';
  readonly threadId: ThreadId;
  /** The row that keys are for. */
  readonly cursor: number;
  readonly top: number;
  readonly left: number;
  /** What a comment is being written about: keys go into it. */
  readonly writes?: CommentTarget | undefined;
  /** What is to become of it, until the person has said yes or something else. */
  readonly asks?: LandingKind | undefined;
}

/** Commands and threads by their names; what is chosen is done in the view below. */
export interface CommandsView {
  readonly kind: 'commands';
  readonly field: TextField;
  readonly cursor: number;
}

export interface ThreadView {
  readonly kind: 'thread';
  readonly threadId: ThreadId;
  /** The row at the top of the screen; without one the end is shown, and followed. */
  readonly anchor: RowAnchor | undefined;
}

/** A row of a thread: the entry that it belongs to, and which of its rows it is. */
export interface RowAnchor {
  readonly seq: number;
  readonly row: number;
}

/** An answer that is being made; it survives a look at something else. */
export type AnswerDraft =
  | { readonly kind: 'form'; readonly form: QuestionForm }
  | { readonly kind: 'menu'; readonly menu: ApprovalMenu };

/** Which rows of an action have been on the screen, at the width at which they were. */
export interface SeenAction {
  readonly columns: number;
  readonly spans: readonly RowSpan[];
  /** All of it was, at some width. */
  readonly isWhole: boolean;
}

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** Work that is being written. */
export interface WorkDraft {
  readonly field: TextField;
  /** How far back in the history the field is; -1 is what the person writes. */
  readonly historyAt: number;
  readonly own: TextField;
  readonly isWorktree: boolean;
}

export interface Toast {
  readonly words: string;
  readonly tone: 'good' | 'bad' | 'quiet';
}

/** Everything that keys change. */
export interface ConsoleState {
  /** The last one is shown; Escape goes back to the one before. */
  readonly views: readonly [ConsoleView, ...ConsoleView[]];
  readonly size: ScreenSize;
  /** The row of the list: the id of a thread, or the name of a group. */
  readonly cursor: string | undefined;
  /** Threads that were ticked, which the next key is for. */
  readonly selected: ReadonlySet<ThreadId>;
  readonly unfolded: ReadonlySet<NeedGroup>;
  readonly search: { readonly field: TextField; readonly isTyping: boolean } | undefined;
  readonly answers: ReadonlyMap<PromptId, AnswerDraft>;
  readonly seen: ReadonlyMap<PromptId, SeenAction>;
  readonly sending: ReadonlySet<PromptId>;
  readonly messages: ReadonlyMap<ThreadId, TextField>;
  /** The keys go into the message of the thread that is shown. */
  readonly isWriting: boolean;
  /** Comments that are being written, by what they are about. */
  readonly commentDrafts: ReadonlyMap<string, CommentDraft>;
  /** Files that were ticked off. */
  readonly viewed: ReadonlySet<string>;
  readonly work: WorkDraft;
  /** What tools said is shown whole. */
  readonly isOutputShown: boolean;
  /** The to-do list of the agent stands above its thread. */
  readonly isTodoShown: boolean;
  /** Clicks and the wheel come here instead of to the terminal. */
  readonly isMouseOn: boolean;
  /** The first key of two. */
  readonly firstKey: string | undefined;
  readonly lastTextAt: number;
  readonly toast: Toast | undefined;
}

/** What the console knows besides: what the worker told, and the clock. */
export interface ConsoleWorld {
  readonly overview: Overview;
  /** The thread that is shown. */
  readonly feed: FeedView | undefined;
  readonly changes: ChangeRows | undefined;
  readonly found: { readonly words: string; readonly excerpts: ReadonlyMap<ThreadId, string> } | undefined;
  /** What was answered before to what the prompt on the screen asks. */
  readonly precedents: { readonly promptId: PromptId; readonly list: readonly Precedent[] } | undefined;
  /** What agents changed, as far as it was counted. */
  readonly lines: ReadonlyMap<ThreadId, LineCount>;
  /** Texts of earlier work, the newest first. */
  readonly history: readonly string[];
  readonly abilities: ReadonlyMap<string, ApprovalAbilities>;
  /** In whose name this console answers. */
  readonly actor: string | undefined;
  readonly folder: string;
  /** What all agents cost since midnight, UTC; undefined until it is known. */
  readonly costToday: number | undefined;
  readonly now: number;
}

/** What happens to the console. */
export type ConsoleInput =
  | { readonly kind: 'key'; readonly key: Key; readonly at: number; readonly isRepeat: boolean }
  | { readonly kind: 'mouse'; readonly press: MousePress; readonly at: number }
  | { readonly kind: 'resized'; readonly size: ScreenSize }
  /** Rows of an action were on the screen. */
  | {
      readonly kind: 'drawn';
      readonly promptId: PromptId;
      readonly columns: number;
      readonly span: RowSpan;
      readonly total: number;
    }
  | { readonly kind: 'told'; readonly toast: Toast | undefined }
  | { readonly kind: 'sent'; readonly promptId: PromptId }
  /** A message has arrived, so its draft is over. */
  | { readonly kind: 'written'; readonly threadId: ThreadId }
  /** The same of a comment. */
  | { readonly kind: 'commented'; readonly draft: string }
  /** Work was refused, and must not be written again. */
  | { readonly kind: 'work_refused'; readonly text: string }
  /** The screen was somebody else's, and is ours again. */
  | { readonly kind: 'returned'; readonly at: number };

/** The state after an input, and what is to be done about it. */
export interface ConsoleStep {
  readonly state: ConsoleState;
  readonly effects: readonly ConsoleEffect[];
}

export function openState(
  size: ScreenSize,
  views: ConsoleState['views'],
  { isMouseOn = false }: { readonly isMouseOn?: boolean } = {},
): ConsoleState {
  return {
    views,
    size,
    cursor: undefined,
    selected: new Set(),
    unfolded: new Set(),
    search: undefined,
    answers: new Map(),
    seen: new Map(),
    sending: new Set(),
    messages: new Map(),
    isWriting: false,
    commentDrafts: new Map(),
    viewed: new Set(),
    work: { field: emptyField, historyAt: -1, own: emptyField, isWorktree: false },
    isOutputShown: false,
    isTodoShown: false,
    isMouseOn,
    firstKey: undefined,
    lastTextAt: Number.NEGATIVE_INFINITY,
    toast: undefined,
  };
}

/** The view that is shown. */
export function shownView({ views }: ConsoleState): ConsoleView {
  return views.at(-1) ?? views[0];
}

/** The changes of a thread, from their beginning. */
export function diffView(threadId: ThreadId): DiffView {
  return { kind: 'diff', threadId, cursor: 0, top: 0, left: 0 };
}

export function opened(state: ConsoleState, view: ConsoleView): ConsoleState {
  return { ...state, views: [...state.views, view], isWriting: false };
}

/** The view that is shown, changed. */
export function withView(state: ConsoleState, view: ConsoleView): ConsoleState {
  const [first, ...others] = state.views;
  return { ...state, views: others.length === 0 ? [view] : [first, ...others.slice(0, -1), view] };
}

/** Back to the view before; from the first one nowhere. */
export function goneBack(state: ConsoleState, at: number): ConsoleState {
  const [first, ...others] = state.views;
  const views = [first, ...others.slice(0, -1)] as const;
  return settledAgain({ ...state, views, isWriting: false }, at);
}

/** A prompt that comes onto the screen again has just been shown. */
export function settledAgain(state: ConsoleState, at: number): ConsoleState {
  const view = shownView(state);
  return view.kind === 'inbox' ? withView(state, { ...view, shownAt: at }) : state;
}
