import { useSyncExternalStore } from 'react';
import { ApiFailure } from '../../client/api-failure.js';

// Who may not read it is told so where it matters, and a lost connection has a banner of its own.
const toldElsewhere: ReadonlySet<number> = new Set([401, 403]);

let failure: string | undefined;
const listeners = new Set<() => void>();

/** Takes what a part of a page could not be read for, so that nothing is quietly left out. */
export function readFailed(error: unknown): void {
  if (!(error instanceof ApiFailure) || toldElsewhere.has(error.status)) return;
  tell(error.message);
}

export function forgetReadFailure(): void {
  tell(undefined);
}

/** Why something on the page could not be read, until it is read or put away. */
export function useReadFailure(): string | undefined {
  return useSyncExternalStore(subscribe, () => failure);
}

function tell(words: string | undefined): void {
  failure = words;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
