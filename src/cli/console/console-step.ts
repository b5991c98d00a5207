import { settlingMs } from '../ask/inline-dialog.js';
import { emptyField, fieldText, typed } from '../terminal/text-field.js';
import { commandsStep, commandsView } from './commands-step.js';
import {
  type ConsoleInput,
  type ConsoleState,
  type ConsoleStep,
  type ConsoleWorld,
  diffView,
  goneBack,
  opened,
  settledAgain,
  shownView,
  type ThreadView,
  withView,
} from './console-state.js';
import { diffStep, whileCommenting, withoutDraft } from './diff-step.js';
import { bodyLook, isTiny } from './frame.js';
import { helpRows } from './help-view.js';
import { homeStep } from './home-step.js';
import { type Act, actOf } from './key-table.js';
import { landingAnswered } from './landing-step.js';
import type { Look } from './look.js';
import { mouseStep, mouseTurned } from './mouse-step.js';
import { promptLayout } from './prompt-layout.js';
import { done, nextView, promptOpened, promptStep, undoStep } from './prompt-step.js';
import { rowsOutside, withSpan } from './seen-rows.js';
import { isFirstRow, movedAnchor } from './thread-scroll.js';
import { promptOfThread, scrolledEntries, threadHeight } from './thread-view.js';
import { workStep } from './work-step.js';

type KeyPress = Extract<ConsoleInput, { kind: 'key' }>;
type MouseInput = Extract<ConsoleInput, { kind: 'mouse' }>;

/** What an input makes of the console; `look` is how the screen of this state is drawn. */
export function consoleStep(
  state: ConsoleState,
  input: ConsoleInput,
  { world, look }: { readonly world: ConsoleWorld; readonly look: Look },
): ConsoleStep {
  switch (input.kind) {
    case 'key': {
      const { state: next, effects } = pressed(state, input, { world, look });
      const isText = input.key.kind === 'text' || input.key.kind === 'enter';
      return { state: isText ? { ...next, lastTextAt: input.at } : next, effects };
    }
    case 'mouse':
      return clicked(state, input, { world, look });
    case 'resized':
      return done({ ...state, size: input.size });
    case 'drawn':
      return done(withDrawn(state, input));
    case 'told':
      return done({ ...state, toast: input.toast });
    case 'sent':
      return done({ ...state, sending: new Set([...state.sending].filter((id) => id !== input.promptId)) });
    case 'written':
      return done({
        ...state,
        messages: new Map([...state.messages].filter(([id]) => id !== input.threadId)),
      });
    case 'commented':
      return done(withoutDraft(state, input.draft));
    case 'work_refused': {
      const field = { before: input.text, after: '' };
      return done({ ...state, work: { ...state.work, field, own: field, historyAt: -1 } });
    }
    case 'returned':
      return done(settledAgain(state, input.at));
    default:
      return input satisfies never;
  }
}

/** Rows count at the width at which they were seen: at another one they are others. */
function withDrawn(
  state: ConsoleState,
  { promptId, columns, span, total }: Extract<ConsoleInput, { kind: 'drawn' }>,
): ConsoleState {
  const before = state.seen.get(promptId);
  const spans = withSpan(before?.columns === columns ? before.spans : [], span);
  const isWhole = before?.isWhole === true || rowsOutside(spans, total) === 0;
  return { ...state, seen: new Map([...state.seen, [promptId, { columns, spans, isWhole }]]) };
}

interface Context {
  readonly world: ConsoleWorld;
  readonly look: Look;
}

function pressed(state: ConsoleState, press: KeyPress, context: Context): ConsoleStep {
  const view = shownView(state);
  if (press.key.kind === 'interrupt') return done(state, { kind: 'quit' });
  // Nothing but a line is shown, so nothing can be meant.
  if (isTiny(state))
    return press.key.kind === 'text' && press.key.text === 'q' ? done(state, { kind: 'quit' }) : done(state);
  if (state.isWriting && view.kind === 'thread') return whileWriting(state, view, press);
  if (view.kind === 'diff' && view.writes)
    return whileCommenting(state, { ...view, writes: view.writes }, press);
  if (view.kind === 'commands') {
    const acting = { ...context, press };
    const act = (next: ConsoleState, each: Act) =>
      everywhere(next, each, acting) ?? inView(next, each, acting);
    return commandsStep(state, view, { press, world: context.world, runs: { act, thread: openThread } });
  }
  if (view.kind === 'work') return workStep(state, press, context.world);
  if (view.kind === 'home' && state.search?.isTyping) return whileSearching(state, press);
  if (view.kind === 'inbox') {
    const layout = promptLayout(view, { state, world: context.world, look: bodyLook(context.look) });
    const step = layout && promptStep(view, press, { state, world: context.world, layout });
    if (step) return { ...step, state: { ...step.state, firstKey: undefined } };
  }
  if (view.kind === 'diff' && view.asks) return landingAnswered(state, { ...view, asks: view.asks }, press);
  const act = actOf(view.kind, press.key, state.firstKey);
  if (act === 'first_of_two' && press.key.kind === 'text')
    return done({ ...state, firstKey: press.key.text });
  const cleared = { ...state, firstKey: undefined, toast: undefined };
  if (act === undefined || act === 'first_of_two') return done(cleared);
  return everywhere(cleared, act, { ...context, press }) ?? inView(cleared, act, { ...context, press });
}

interface Acting extends Context {
  readonly press: KeyPress;
}

function clicked(state: ConsoleState, { press, at }: MouseInput, context: Context): ConsoleStep {
  const acting: Acting = { ...context, press: { kind: 'key', key: { kind: 'enter' }, at, isRepeat: false } };
  return mouseStep(state, press, {
    ...context,
    act: (next, act) => inView(next, act, acting),
    press: (next, kind) => pressed(next, { ...acting.press, key: { kind } }, context),
  });
}

/** What does the same wherever it is pressed. */
function everywhere(state: ConsoleState, act: Act, { world, press }: Acting): ConsoleStep | undefined {
  switch (act) {
    case 'quit':
      return done(state, { kind: 'quit' });
    case 'home':
      return done({ ...state, views: [state.views[0].kind === 'home' ? state.views[0] : { kind: 'home' }] });
    case 'inbox':
      return done(opened(state, nextView(world, undefined, press.at)));
    case 'new_work':
      return done(opened(state, { kind: 'work' }), { kind: 'read_history' });
    case 'help':
      return done(opened(state, { kind: 'help', top: 0 }));
    case 'commands':
      return done(opened(state, commandsView()));
    case 'mouse':
      return press.isRepeat ? done(state) : mouseTurned(state);
    case 'undo':
      return press.isRepeat ? done(state) : undoStep(state, world);
    case 'back':
      if (state.views.length > 1) return done(goneBack(state, press.at));
      if (state.views[0].kind !== 'home') return done({ ...state, views: [{ kind: 'home' }] });
      return done({ ...state, search: undefined, selected: new Set() });
    default:
      return undefined;
  }
}

function inView(state: ConsoleState, act: Act, acting: Acting): ConsoleStep {
  const view = shownView(state);
  const { world, look, press } = acting;
  switch (view.kind) {
    case 'home':
      return homeStep(state, act, { world, look, at: press.at });
    case 'inbox': {
      const prompt = view.promptId === undefined ? undefined : world.overview.prompts.get(view.promptId);
      if (act !== 'open_thread' || !prompt) return done(state);
      return openThread(state, prompt.threadId);
    }
    case 'thread':
      return threadStep(state, view, act, acting);
    case 'diff': {
      const height = bodyLook(look).rows - 1;
      return diffStep(state, view, { act, press, world, height });
    }
    case 'help': {
      const { rows } = bodyLook(look);
      const total = helpRows(bodyLook(look)).length;
      return done(withView(state, { ...view, top: movedTop(view.top, act, { total, height: rows }) }));
    }
    case 'work':
    case 'commands':
      return done(state);
    default:
      return view satisfies never;
  }
}

/** The first row in sight of a list that scrolls. */
function movedTop(
  top: number,
  act: Act,
  { total, height }: { readonly total: number; readonly height: number },
): number {
  const moves: Partial<Record<Act, number>> = {
    up: top - 1,
    down: top + 1,
    page_up: top - height + 1,
    page_down: top + height - 1,
    first: 0,
    last: total,
  };
  return Math.max(0, Math.min(moves[act] ?? top, total - height));
}

function threadStep(
  state: ConsoleState,
  view: ThreadView,
  act: Act,
  { world, look, press }: Acting,
): ConsoleStep {
  const { threadId } = view;
  const shown = { state, world, look: bodyLook(look) };
  const height = threadHeight(view, shown);
  const list = scrolledEntries(threadId, shown);
  const moved = (by: number): ConsoleStep => {
    const anchor = movedAnchor(list, view.anchor, { by, height });
    const isBeginning = by < 0 && isFirstRow(list, anchor) && (world.feed?.from ?? 1) > 1;
    return done(
      withView(state, { ...view, anchor }),
      ...(isBeginning ? [{ kind: 'read_earlier' } as const] : []),
    );
  };
  switch (act) {
    case 'up':
      return moved(-1);
    case 'down':
      return moved(1);
    case 'page_up':
      return moved(1 - height);
    case 'page_down':
      return moved(Math.max(1, height - 1));
    case 'first':
      return moved(Number.NEGATIVE_INFINITY);
    case 'last':
      return done(withView(state, { ...view, anchor: undefined }));
    case 'next_prompt': {
      const prompt = promptOfThread(world, threadId);
      if (prompt) return done(promptOpened(state, prompt.id, press.at));
      return done({ ...state, toast: { words: 'This thread asks nothing.', tone: 'quiet' } });
    }
    case 'write':
      return done({ ...state, isWriting: true });
    case 'fold_output':
      return done({ ...state, isOutputShown: !state.isOutputShown });
    case 'todos':
      return done({ ...state, isTodoShown: !state.isTodoShown });
    case 'changes':
      return done(opened(state, diffView(threadId)), {
        kind: 'read_changes',
        threadId,
      });
    case 'interrupt':
      return press.isRepeat ? done(state) : done(state, { kind: 'interrupt', threadId });
    case 'attach':
      return done(state, { kind: 'attach', threadId });
    default:
      return done(state);
  }
}

function openThread(state: ConsoleState, threadId: ThreadView['threadId']): ConsoleStep {
  return done(opened(state, { kind: 'thread', threadId, anchor: undefined }), {
    kind: 'read_thread',
    threadId,
  });
}

function whileWriting(state: ConsoleState, { threadId }: ThreadView, { key }: KeyPress): ConsoleStep {
  const field = state.messages.get(threadId) ?? emptyField;
  const withField = (next: typeof field, isWriting: boolean): ConsoleState => ({
    ...state,
    isWriting,
    messages: new Map([...state.messages, [threadId, next]]),
  });
  if (key.kind === 'escape') return done(withField(field, false));
  if (key.kind !== 'enter') return done(withField(typed(field, key), true));
  const text = fieldText(field).trim();
  return text === '' ? done(state) : done(withField(field, false), { kind: 'write', threadId, text });
}

function whileSearching(state: ConsoleState, { key }: KeyPress): ConsoleStep {
  const field = state.search?.field ?? emptyField;
  if (key.kind === 'escape') return done({ ...state, search: undefined }, { kind: 'search', words: '' });
  if (key.kind === 'enter') return done({ ...state, search: { field, isTyping: false } });
  const next = typed(
    field,
    key.kind === 'paste' ? { kind: 'paste', text: key.text.replaceAll('\n', ' ') } : key,
  );
  return done(
    { ...state, search: { field: next, isTyping: true }, cursor: undefined },
    { kind: 'search', words: fieldText(next).trim() },
  );
}

/** When the screen has to be drawn again although nothing happens: keys begin to count then. */
export function settlesAt(state: ConsoleState): number | undefined {
  const view = shownView(state);
  return view.kind === 'inbox' ? view.shownAt + settlingMs : undefined;
}
