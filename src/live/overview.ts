import type { PromptId, ThreadId } from '../protocol/id.js';
import type { ObservedSession } from '../protocol/observed.js';
import type { Prompt } from '../protocol/prompt.js';
import type { Thread } from '../protocol/thread.js';

/** How the console stands with its worker. */
export type WorkerConnection =
  | { readonly kind: 'loading' }
  | { readonly kind: 'live' }
  | { readonly kind: 'reconnecting'; readonly failed: number }
  | { readonly kind: 'signed_out' }
  | { readonly kind: 'refused'; readonly why: string };

/** Every thread and prompt that the console knows; replaced as a whole, never modified. */
export interface Overview {
  readonly connection: WorkerConnection;
  /** Whether everything that there is has been told. */
  readonly isPresent: boolean;
  readonly threads: ReadonlyMap<ThreadId, Thread>;
  /** Open ones, and those that were settled while the console looked. */
  readonly prompts: ReadonlyMap<PromptId, Prompt>;
  /** Agents that somebody started by hand. */
  readonly observed: readonly ObservedSession[];
}

export const emptyOverview: Overview = {
  connection: { kind: 'loading' },
  isPresent: false,
  threads: new Map(),
  prompts: new Map(),
  observed: [],
};

/** Nobody has answered it yet. */
export function isOpenPrompt({ state, acceptedAt, undoUntil, secretFrom }: Prompt): boolean {
  const isAnswered = acceptedAt !== undefined || undoUntil !== undefined || secretFrom !== undefined;
  return state === 'pending' && !isAnswered;
}

/** Answers that this person gave and can still undo, the newest last. */
export function undoable({ prompts }: Overview, actor: string | undefined): Prompt[] {
  return [...prompts.values()]
    .filter((prompt) => prompt.undoUntil !== undefined && prompt.actor === actor)
    .toSorted((one, other) => ((one.undoUntil ?? '') < (other.undoUntil ?? '') ? -1 : 1));
}

/** Open prompts, the oldest first. */
export function openPrompts({ prompts }: Overview): Prompt[] {
  return [...prompts.values()].filter(isOpenPrompt).toSorted(byAge);
}

function byAge(one: Prompt, other: Prompt): number {
  if (one.createdAt === other.createdAt) return one.id < other.id ? -1 : 1;
  return one.createdAt < other.createdAt ? -1 : 1;
}
