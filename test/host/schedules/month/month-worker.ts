import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** What a worker of the month tells of itself. */
export interface MonthNews {
  /** How much work has not ended. */
  readonly open: number;
  /** Something runs, or is due. */
  readonly isBusy: boolean;
  /** A time of a schedule waits for the end of earlier work. */
  readonly hasWaitingTime: boolean;
  readonly prompts: readonly { readonly id: string; readonly question: string }[];
}

const program = new URL('./month-host.js', import.meta.url);

/** One life of the worker. */
export class MonthWorker {
  stderr = '';
  readonly #child: ChildProcess;
  readonly #gone: Promise<unknown>;
  #orders = 0;
  #isGone = false;

  constructor(start: object) {
    this.#child = fork(program, [JSON.stringify(start)], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.#gone = once(this.#child, 'exit');
    this.#child.once('exit', () => {
      this.#isGone = true;
    });
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** Whether it died of a kill and of nothing else. */
  get wasKilled(): boolean {
    return this.#child.signalCode === 'SIGKILL';
  }

  /** Waits until it works; it may be killed before. */
  async ready(): Promise<void> {
    await this.#hears((word) => word['ready'] === true);
  }

  /** What is going on, after it has given these answers; null when it was killed before it could say so. */
  async ask(answers: Readonly<Record<string, string>> = {}): Promise<MonthNews | null> {
    if (this.#isGone) return null;
    this.#orders += 1;
    const id = this.#orders;
    const heard = this.#hears((word) => word['id'] === id);
    this.#child.send({ id, answers }, () => {});
    const word = await heard;
    if (word && 'error' in word) throw new Error(String(word['error']));
    return word as MonthNews | null;
  }

  /** Ends as it should, with its agents. */
  async leave(): Promise<void> {
    this.#child.send({ id: 0, isLast: true }, () => {});
    await this.#gone;
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#gone;
  }

  async #hears(fits: (word: Record<string, unknown>) => boolean): Promise<Record<string, unknown> | null> {
    const heard = new Promise<Record<string, unknown>>((resolve) => {
      const listen = (word: Record<string, unknown>) => {
        if (!fits(word)) return;
        this.#child.off('message', listen);
        resolve(word);
      };
      this.#child.on('message', listen);
    });
    return await Promise.race([heard, this.#gone.then(() => null)]);
  }
}
