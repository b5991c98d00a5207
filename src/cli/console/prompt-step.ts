import { nextMorning } from '../../domain/thread/snooze-times.js';
import { promptsByRest } from '../../live/awake-prompts.js';
import { isOpenPrompt, undoable } from '../../live/overview.js';
import type { PromptId } from '../../protocol/id.js';
import type { Answer, Prompt } from '../../protocol/prompt.js';
import { menuStep } from '../ask/approval-menu.js';
import { step as formStep } from '../ask/question-form.js';
import type { Key } from '../terminal/key.js';
import type { ConsoleEffect } from './console-effect.js';
import {
  type AnswerDraft,
  type ConsoleInput,
  type ConsoleState,
  type ConsoleStep,
  type ConsoleWorld,
  goneBack,
  type InboxView,
  opened,
  withView,
} from './console-state.js';
import { actOf } from './key-table.js';
import { type PromptLayout, readOnTop } from './prompt-layout.js';

type KeyPress = Extract<ConsoleInput, { kind: 'key' }>;

// A paste without marks, and what a script types, comes faster than fingers do.
export const fastestMs = 15;

/** What a key does to the prompt on the screen; undefined where it is nothing that belongs to the prompt. */
export function promptStep(
  view: InboxView,
  press: KeyPress,
  {
    state,
    world,
    layout,
  }: { readonly state: ConsoleState; readonly world: ConsoleWorld; readonly layout: PromptLayout },
): ConsoleStep | undefined {
  const { prompt, draft } = layout;
  if (!isOpenPrompt(prompt)) return whenSettled(view, press, { state, world });
  const isTyping = isTypingIn(draft);
  const act = isTyping ? undefined : actOf('inbox', press.key, state.firstKey);
  switch (act) {
    case 'read_on':
      if (press.key.kind === 'text' && draft.kind === 'form') break;
      return done(withView(state, { ...view, top: readOnTop(layout, state, prompt) }));
    case 'read_back': {
      const { from, to } = layout.inSight;
      return done(withView(state, { ...view, top: Math.max(0, from - Math.max(1, to - from - 1)) }));
    }
    case 'next_prompt':
      return done(movedOn(state, nextView(world, prompt.id, press.at)));
    case 'previous_prompt':
      return done(movedOn(state, nextView(world, prompt.id, press.at, -1)));
    case 'snooze': {
      if (press.isRepeat) return done(state);
      const step = { kind: 'snooze', threadIds: [prompt.threadId], until: nextMorning(world.now) } as const;
      return done(movedOn(state, nextView(world, prompt.id, press.at)), step);
    }
    case 'same':
    case 'answer':
    case 'up':
    case 'down':
    case undefined:
      break;
    case 'open_thread':
    case 'first_of_two':
    case 'home':
    case 'inbox':
    case 'new_work':
    case 'mouse':
    case 'undo':
    case 'help':
    case 'commands':
    case 'quit':
      return undefined;
    default:
  }
  const same = act === 'same' ? layout.offered : undefined;
  return answering(press, { state, prompt, draft, isTyping, isSettling: layout.isSettling, same });
}

/** Whether keys are letters of a text that is being typed. */
function isTypingIn(draft: AnswerDraft): boolean {
  return draft.kind === 'menu'
    ? draft.menu.message !== undefined
    : (draft.form.lists[draft.form.place]?.isTyping ?? false);
}

/** The prompt after this one, or before it; the oldest when there is none. */
export function nextView(
  world: ConsoleWorld,
  id: PromptId | undefined,
  at: number,
  by: 1 | -1 = 1,
): InboxView {
  const open = promptsByRest(world.overview, world.now).awake;
  const place = open.findIndex((prompt) => prompt.id === id);
  const next = place < 0 ? open[0] : open[(place + by + open.length) % open.length];
  return { kind: 'inbox', promptId: next?.id, shownAt: at, top: 0 };
}

/** What was said about the one before is not about this one. */
function movedOn(state: ConsoleState, view: InboxView): ConsoleState {
  return withView({ ...state, toast: undefined }, view);
}

function whenSettled(
  view: InboxView,
  { key, at, isRepeat }: KeyPress,
  { state, world }: { readonly state: ConsoleState; readonly world: ConsoleWorld },
): ConsoleStep | undefined {
  const act = actOf('inbox', key, state.firstKey);
  if (key.kind === 'enter' || act === 'next_prompt')
    return isRepeat ? done(state) : done(movedOn(state, nextView(world, view.promptId, at)));
  if (act === 'previous_prompt') return done(movedOn(state, nextView(world, view.promptId, at, -1)));
  return undefined;
}

function answering(
  { key, at, isRepeat }: KeyPress,
  {
    state,
    prompt,
    draft,
    isTyping,
    isSettling,
    same,
  }: {
    readonly state: ConsoleState;
    readonly prompt: Prompt;
    readonly draft: AnswerDraft;
    readonly isTyping: boolean;
    readonly isSettling: boolean;
    /** The answer of before that is on the screen, where the key for it was pressed. */
    readonly same: Answer | undefined;
  },
): ConsoleStep | undefined {
  if (key.kind === 'interrupt') return undefined;
  if (key.kind === 'escape' && !isTyping) return done(goneBack(state, at));
  if (state.sending.has(prompt.id) || isSettling || (isRepeat && !isTyping)) return done(state);
  if (!isTyping && canDecide(key) && at - state.lastTextAt < fastestMs)
    return done({
      ...state,
      toast: { words: 'Keys came faster than anybody types, so nothing was decided.', tone: 'bad' },
    });
  if (same) return sameStep(state, prompt, { same, draft });
  return draft.kind === 'menu'
    ? byMenu(draft, key, { state, prompt, at })
    : byForm(draft, key, { state, prompt, at });
}

/** The same answer as before; yes only to what was read whole. */
function sameStep(
  state: ConsoleState,
  prompt: Prompt,
  { same, draft }: { readonly same: Answer; readonly draft: AnswerDraft },
): ConsoleStep {
  const isYes = 'decision' in same && same.decision.approved;
  if (isYes && draft.kind === 'menu' && draft.menu.unread !== '')
    return done(withDraft(state, prompt, { kind: 'menu', menu: { ...draft.menu, isStopped: true } }));
  return sent(state, prompt, same);
}

interface Answered {
  readonly state: ConsoleState;
  readonly prompt: Prompt;
  readonly at: number;
}

function byMenu(
  { menu }: Extract<AnswerDraft, { kind: 'menu' }>,
  key: Key,
  { state, prompt, at }: Answered,
): ConsoleStep {
  const next = menuStep(menu, key);
  switch (next.kind) {
    case 'menu':
      return done(withDraft(state, prompt, { kind: 'menu', menu: next.menu }));
    case 'decision':
      return sent(state, prompt, { decision: next.decision });
    case 'edit':
      return done(state, { kind: 'edit', prompt });
    case 'leave':
      return done(goneBack(state, at));
    default:
      return next satisfies never;
  }
}

function byForm(
  { form }: Extract<AnswerDraft, { kind: 'form' }>,
  key: Key,
  { state, prompt, at }: Answered,
): ConsoleStep {
  const next = formStep(form, key);
  switch (next.kind) {
    case 'form':
      return done(withDraft(state, prompt, { kind: 'form', form: next.form }));
    case 'answers':
      return sent(state, prompt, { answers: [...next.answers] });
    case 'leave':
      return done(goneBack(state, at));
    default:
      return next satisfies never;
  }
}

function sent(state: ConsoleState, prompt: Prompt, answer: Answer): ConsoleStep {
  return done(
    { ...state, sending: new Set([...state.sending, prompt.id]), toast: undefined },
    { kind: 'answer', prompt, answer },
  );
}

function withDraft(state: ConsoleState, { id }: Prompt, draft: AnswerDraft): ConsoleState {
  return { ...state, answers: new Map([...state.answers, [id, draft]]) };
}

function canDecide({ kind }: Key): boolean {
  return kind === 'text' || kind === 'enter';
}

/** Takes back the newest answer that can still be. */
export function undoStep(state: ConsoleState, world: ConsoleWorld): ConsoleStep {
  const last = undoable(world.overview, world.actor).at(-1);
  return last
    ? done(state, { kind: 'undo', promptId: last.id })
    : done({ ...state, toast: { words: 'There is no answer that can be undone.', tone: 'quiet' } });
}

/** The thread of what is shown, or a prompt over what is shown. */
export function promptOpened(state: ConsoleState, promptId: PromptId | undefined, at: number): ConsoleState {
  return opened(state, { kind: 'inbox', promptId, shownAt: at, top: 0 });
}

export function done(state: ConsoleState, ...effects: readonly ConsoleEffect[]): ConsoleStep {
  return { state, effects };
}
