import { setTimeout as delay } from 'node:timers/promises';

// As long as Codex itself gives a server by default.
const patienceMs = 30_000;

/** MCP servers on their way: Codex asks the model without waiting for them, and the model then misses their tools (measured). */
export class ServerStarts {
  readonly #states = new Map<string, string>();
  #settled: () => void = () => {};

  /** These were asked for with the thread. */
  expect(names: readonly string[]): void {
    for (const name of names) this.#states.set(name, 'starting');
  }

  hear({ name, status }: { readonly name: string; readonly status: string }): void {
    this.#states.set(name, status);
    if (this.#isSettled) this.#settled();
  }

  get states(): { name: string; status: string }[] {
    return [...this.#states].map(([name, status]) => ({ name, status }));
  }

  /** Settles when every server is there or has failed, or when it takes too long. */
  async settled(): Promise<void> {
    if (this.#isSettled) return;
    const patience = new AbortController();
    const all = new Promise<void>((resolve) => {
      this.#settled = resolve;
    });
    const late = delay(patienceMs, undefined, { signal: patience.signal }).catch(() => {});
    await Promise.race([all, late]);
    patience.abort();
  }

  get #isSettled(): boolean {
    return [...this.#states.values()].every((status) => status !== 'starting');
  }
}
