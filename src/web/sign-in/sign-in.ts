import { useSyncExternalStore } from 'react';
import type { Client } from '../../client/client.js';
import type { WorkerAddress } from '../../client/connection.js';
import { errorSentence } from '../../protocol/error-sentence.js';

// What a browser keeps here belongs to this origin, its port included; a cookie would go to every port of the machine.
const key = 'handraise-sign-in';

/** What this browser shows the worker, and what became of it. */
export interface SignInView {
  readonly secret: string | undefined;
  /** The worker refused it. */
  readonly isOut: boolean;
  /** Why the last link that was tried did not work. */
  readonly failure: string | undefined;
}

/** Whether this browser is signed in: kept over restarts of browser and worker, and the same in all its tabs. */
export class SignIn {
  readonly #listeners = new Set<() => void>();
  #view = viewOf(stored());

  constructor() {
    addEventListener('storage', (event) => {
      // Another tab has signed in, or out.
      if (event.key === key || event.key === null) this.#show(viewOf(stored()));
    });
  }

  get view(): SignInView {
    return this.#view;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The worker of this page, as this browser may speak to it now. */
  readonly address = async (): Promise<WorkerAddress> => {
    const { secret } = this.#view;
    return {
      url: location.origin,
      ...(secret !== undefined && { token: secret }),
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        // The code of a login link is refused so, too; that says nothing about the secret.
        const isAboutSecret = response.status === 401 && !response.url.endsWith('/login');
        if (isAboutSecret && secret === this.#view.secret) this.#show({ ...this.#view, isOut: true });
        return response;
      },
    };
  };

  /** Uses the code of a login link up. */
  async redeem(client: Client, code: string): Promise<void> {
    try {
      const { secret } = await client.login(code);
      keep(secret);
      this.#show(viewOf(secret));
    } catch (error) {
      this.#show({ ...this.#view, failure: errorSentence(error) });
    }
  }

  #show(view: SignInView): void {
    this.#view = view;
    for (const listener of this.#listeners) listener();
  }
}

export function useSignIn(signIn: SignIn): SignInView {
  return useSyncExternalStore(signIn.subscribe, () => signIn.view);
}

function viewOf(secret: string | undefined): SignInView {
  return { secret, isOut: false, failure: undefined };
}

function stored(): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

function keep(secret: string): void {
  try {
    localStorage.setItem(key, secret);
  } catch {
    // Signed in for as long as the page is open, then.
  }
}
