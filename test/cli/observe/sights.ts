import { homeClient } from '../../../src/cli/node-client.js';
import type { ObservedSession } from '../../../src/protocol/observed.js';
import { waitUntil } from '../../harness/wait-until.js';
import type { CliStage } from '../cli-stage.js';

/** Everything that a worker shows of observed sessions, in the order in which it shows it, over the stream of the consoles. */
export class Sights implements AsyncDisposable {
  readonly #stop = new AbortController();
  readonly #following: Promise<void>;
  /** Each status of each session, once for as long as it lasts. */
  readonly #states: string[] = [];
  #now: readonly ObservedSession[] = [];

  constructor({ home }: CliStage) {
    this.#following = this.#follow(home).catch(() => {});
  }

  get states(): readonly string[] {
    return this.#states;
  }

  get now(): readonly ObservedSession[] {
    return this.#now;
  }

  /** Waits until the only observed session is in this state, and gives it. */
  async until(state: string): Promise<ObservedSession> {
    await waitUntil(`the session is shown as ${state}`, () => this.#now[0]?.status.state === state);
    const [session] = this.#now;
    if (!session) throw new Error('it is gone');
    return session;
  }

  /** Waits until the question is shown with its words: Claude Code writes its state some moments before its transcript. */
  async untilAsked(): Promise<ObservedSession> {
    await waitUntil('the session is shown with its question', () => {
      const status = this.#now[0]?.status;
      return status?.state === 'question' && status.prompt !== undefined;
    });
    return this.until('question');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#following;
  }

  async #follow(home: string): Promise<void> {
    for await (const news of homeClient(home).overview({ signal: this.#stop.signal })) {
      if (news.event !== 'observed') continue;
      this.#now = news.data.sessions;
      const state = this.#now[0]?.status.state ?? 'gone';
      if (this.#states.at(-1) !== state) this.#states.push(state);
    }
  }
}
