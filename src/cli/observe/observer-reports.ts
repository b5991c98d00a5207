import { ApiFailure } from '../../client/api-failure.js';
import type { Client } from '../../client/client.js';
import { isNews } from '../../domain/status/status-arbiter.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import type { ObservedReport } from '../../protocol/observed.js';
import type { StatusReport } from '../../protocol/status.js';

const againMs = 5000;

/** Who is observed, as far as the observer knows. */
export type ObservedFacts = Pick<ObservedReport, 'runtime' | 'title' | 'workspace' | 'pid' | 'sessionId'>;

interface Told {
  readonly facts: ObservedFacts;
  readonly status: StatusReport;
}

export interface ObserverReportsParts {
  readonly client: Client;
  /** Starts a worker where none answers. */
  readonly ensureWorker: () => Promise<void>;
  /** Hears of each status that is new. */
  readonly onNews: (told: Told) => void;
}

/** Tells the worker what is observed: at once when it changes, and again and again, so that a worker that restarts knows it. */
export class ObserverReports implements AsyncDisposable {
  readonly #parts: ObserverReportsParts;
  readonly #told = new Map<string, Told>();
  readonly #due = new Set<string>();
  #timer: NodeJS.Timeout;
  #sending: Promise<void> | null = null;
  #refusal: Error | undefined;

  constructor(parts: ObserverReportsParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => {
      for (const id of this.#told.keys()) this.#due.add(id);
      this.#send();
    }, againMs);
  }

  /** Throws what the worker refused for good. */
  tell(id: string, facts: ObservedFacts, status: StatusReport): void {
    if (this.#refusal) throw this.#refusal;
    const before = this.#told.get(id);
    const told = { facts, status };
    if (JSON.stringify(before) === JSON.stringify(told)) return;
    this.#told.set(id, told);
    if (!before || isNews(before.status, status)) this.#parts.onNews(told);
    this.#due.add(id);
    this.#send();
  }

  /** Those that are not named are observed no more. */
  keepOnly(ids: ReadonlySet<string>): void {
    for (const id of this.#told.keys()) if (!ids.has(id)) void this.#forget(id);
  }

  /** Waits until the worker has heard the last word, and takes back what is over in good order. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#sending;
    await this.#sendDue();
    for (const [id, { status }] of this.#told) if (status.state !== 'crashed') await this.#forget(id);
  }

  #send(): void {
    this.#sending ??= this.#sendDue().finally(() => {
      this.#sending = null;
    });
  }

  async #sendDue(): Promise<void> {
    for (const id of this.#due) {
      this.#due.delete(id);
      const told = this.#told.get(id);
      if (told) await this.#report(id, told);
    }
  }

  async #report(id: string, { facts, status }: Told): Promise<void> {
    const { client, ensureWorker } = this.#parts;
    try {
      await client.observed.report(id, { ...facts, ...wordsOf(status) });
    } catch (error) {
      if (error instanceof ApiFailure) this.#refusal = error;
      // It is said again in a moment, to whichever worker is there then.
      else await ensureWorker().catch(() => {});
    }
  }

  async #forget(id: string): Promise<void> {
    this.#told.delete(id);
    try {
      await this.#parts.client.observed.forget(id);
    } catch (error) {
      // Who is not heard any more is forgotten anyway.
      if (!(error instanceof ApiFailure || error instanceof Failure)) throw error;
    }
  }
}

function wordsOf(status: StatusReport): Omit<ObservedReport, keyof ObservedFacts> {
  const { state, why, source, confidence } = status;
  const witness = { why, source, confidence };
  switch (state) {
    case 'question':
      return { state, ...given({ prompt: status.prompt }), ...witness };
    case 'crashed':
      return { state, exitCode: status.exitCode, ...given({ signal: status.signal }), ...witness };
    case 'oomKilled':
      return { state: 'crashed', ...witness };
    default:
      return { state, ...witness };
  }
}
