import type { ThreadId } from '../../protocol/id.js';
import type { ChangeRows } from './change-rows.js';
import type { ConsoleInput, ConsoleState, ConsoleStep, DiffView } from './console-state.js';
import { withView } from './console-state.js';
import type { Act } from './key-table.js';
import { done, fastestMs } from './prompt-step.js';

/** What can become of the work whose changes are shown. */
export type LandingKind = 'merge' | 'apply' | 'pull_request' | 'discard';

/** What is asked before it is done, and what is said meanwhile. */
export const landingWords: Readonly<Record<LandingKind, { readonly asks: string; readonly doing: string }>> =
  {
    merge: { asks: 'Merge this into the branch that it came from?', doing: 'Merging …' },
    apply: { asks: 'Put these changes, staged, into the checkout that they came from?', doing: 'Applying …' },
    pull_request: { asks: 'Push the branch and open a pull request?', doing: 'Opening a pull request …' },
    discard: { asks: 'Remove worktree and branch? The work is kept under a ref.', doing: 'Discarding …' },
  };

/** Whether a key begins one; it is asked about first. */
function isLanding(act: Act): act is Act & LandingKind {
  return Object.hasOwn(landingWords, act);
}

/** The key that a landing begins with; undefined for every other one. Nobody lands what could not be looked at. */
export function landingAsked(
  state: ConsoleState,
  view: DiffView,
  { act, changes }: { readonly act: Act; readonly changes: ChangeRows | undefined },
): ConsoleStep | undefined {
  if (!isLanding(act)) return undefined;
  if (changes?.threadId === view.threadId && changes.isWhole && changes.failure === undefined)
    return done(withView(state, { ...view, asks: act }));
  const words =
    'The changes are not all here, so nothing is done with them. handraise merge does it without.';
  return done({ ...state, toast: { words, tone: 'bad' } });
}

/** The answer to what was asked: `y`, pressed anew by a person, does it, and any other key does not. */
export function landingAnswered(
  state: ConsoleState,
  view: DiffView & { readonly asks: LandingKind },
  { key, at, isRepeat }: Extract<ConsoleInput, { kind: 'key' }>,
): ConsoleStep {
  const { asks, ...rest } = view;
  if (isRepeat) return done(state);
  const closed = withView({ ...state, firstKey: undefined }, { ...rest, asks: undefined });
  const isYes = key.kind === 'text' && key.text === 'y' && at - state.lastTextAt >= fastestMs;
  if (!isYes) return done({ ...closed, toast: { words: 'Nothing was done.', tone: 'quiet' } });
  const toast = { words: landingWords[asks].doing, tone: 'quiet' } as const;
  return done({ ...closed, toast }, landing(view.threadId, asks));
}

function landing(threadId: ThreadId, how: LandingKind) {
  return { kind: 'land', threadId, how } as const;
}
