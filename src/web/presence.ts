// A browser has six connections to a server, for all tabs together, and a stream holds one of them for as long as it is
// open. So a tab that nobody looks at gives its streams up, except one tab that stays to notify.
const lockName = 'handraise-notifier';

/** Whether this tab should follow the worker now. */
export class Presence {
  readonly #listeners = new Set<() => void>();
  /** Ends the wait for the lock, or lets it go. */
  #leaveLock: AbortController | null = null;
  #holdsLock = false;

  constructor() {
    document.addEventListener('visibilitychange', () => this.#changed());
    this.#changed();
  }

  get isVisible(): boolean {
    return document.visibilityState === 'visible';
  }

  get isWanted(): boolean {
    return this.isVisible || this.#holdsLock;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #changed(): void {
    if (this.isVisible) {
      this.#leaveLock?.abort();
      this.#leaveLock = null;
    } else if (!this.#leaveLock) {
      this.#leaveLock = new AbortController();
      void this.#stay(this.#leaveLock.signal);
    }
    this.#tell();
  }

  /** Becomes the tab that stays, once no other one is, until somebody looks at this one. */
  async #stay(left: AbortSignal): Promise<void> {
    try {
      await navigator.locks.request(lockName, { signal: left }, async () => {
        this.#holdsLock = true;
        this.#tell();
        await new Promise((resolve) => left.addEventListener('abort', resolve, { once: true }));
      });
    } catch {
      // Somebody looked at it before it was its turn, or the address has no TLS and so no locks.
    }
    this.#holdsLock = false;
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Does something again and again while it is wanted, each time until it no longer is. */
export async function whileWanted(
  { subscribe, isWanted }: { readonly subscribe: Presence['subscribe']; readonly isWanted: () => boolean },
  signal: AbortSignal,
  act: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    if (isWanted()) {
      const round = new AbortController();
      const leave = subscribe(() => !isWanted() && round.abort());
      await act(AbortSignal.any([signal, round.signal]));
      leave();
      if (!round.signal.aborted) return;
    } else {
      await new Promise<void>((resolve) => {
        const leave = subscribe(() => {
          if (!isWanted()) return;
          leave();
          resolve();
        });
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  }
}
