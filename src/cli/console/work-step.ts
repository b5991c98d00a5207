import { emptyField, fieldText, typed } from '../terminal/text-field.js';
import {
  type ConsoleInput,
  type ConsoleState,
  type ConsoleStep,
  type ConsoleWorld,
  goneBack,
} from './console-state.js';
import { actOf } from './key-table.js';
import { done } from './prompt-step.js';

/** What a key does to work that is being written; every other key is text. */
export function workStep(
  state: ConsoleState,
  { key, at }: Extract<ConsoleInput, { kind: 'key' }>,
  { history }: Pick<ConsoleWorld, 'history'>,
): ConsoleStep {
  const { work } = state;
  if (key.kind === 'escape') return done(goneBack(state, at));
  if (key.kind === 'text' || key.kind === 'paste' || key.kind === 'backspace')
    return done(edited(state, typed(work.field, key)));
  switch (actOf('work', key, undefined)) {
    case 'send': {
      const text = fieldText(work.field).trim();
      if (text === '') return done(state);
      const left = goneBack(
        { ...state, work: { ...work, field: emptyField, own: emptyField, historyAt: -1 } },
        at,
      );
      return done(left, { kind: 'give_work', text, isWorktree: work.isWorktree });
    }
    case 'older':
      return done(recalled(state, Math.min(history.length - 1, work.historyAt + 1), history));
    case 'newer':
      return done(recalled(state, Math.max(-1, work.historyAt - 1), history));
    case 'worktree':
      return done({ ...state, work: { ...work, isWorktree: !work.isWorktree } });
    default:
      return done(edited(state, typed(work.field, key)));
  }
}

function edited(state: ConsoleState, field: ConsoleState['work']['field']): ConsoleState {
  if (field === state.work.field) return state;
  return { ...state, work: { ...state.work, field, own: field, historyAt: -1 } };
}

/** Work of before in place of what is written, which stays at the end of the history. */
function recalled(state: ConsoleState, historyAt: number, history: readonly string[]): ConsoleState {
  const text = history[historyAt];
  const field = text === undefined ? state.work.own : { before: text, after: '' };
  return { ...state, work: { ...state.work, field, historyAt } };
}
