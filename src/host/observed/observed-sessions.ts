import type { LivingSession } from '../../domain/status/living-session.js';
import { isForgotten, livingId, reportedSession, sightOf } from '../../domain/status/observed-session.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import { Failure } from '../../protocol/failure.js';
import type { ObservedReport, ObservedSession } from '../../protocol/observed.js';
import type { Store } from '../../store/store.js';
import type { Clock } from '../clock.js';
import { RepeatedLook } from '../repeated-look.js';
import type { RuntimeCatalog } from '../runtime-catalog.js';

const lookMs = 500;
const mostReported = 100;

export interface ObservedSessionsParts {
  readonly store: Store;
  readonly runtimes: RuntimeCatalog;
  readonly clock: Clock;
  readonly log: (line: string) => void;
}

interface Reported {
  readonly session: ObservedSession;
  readonly heardAt: number;
}

type Listener = (sessions: readonly ObservedSession[]) => void;

/**
 * The agents that somebody started by hand: those whose runtimes say so in their own files, and those that an observer tells
 * of. Nothing of it is stored: it is seen again, or it is gone.
 */
export class ObservedSessions implements AsyncDisposable {
  readonly #parts: ObservedSessionsParts;
  readonly #listeners = new Set<Listener>();
  readonly #found = new Map<string, ObservedSession>();
  readonly #reported = new Map<string, Reported>();
  #published = '[]';
  #complaint = '';
  readonly #looks: RepeatedLook;

  constructor(parts: ObservedSessionsParts) {
    this.#parts = parts;
    this.#looks = new RepeatedLook(async () => await this.#look(), lookMs);
  }

  /** Looks for the first time, so that whoever asks at once hears of everything. */
  async open(): Promise<void> {
    await this.#look();
    this.#looks.open();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#looks[Symbol.asyncDispose]();
  }

  /** Whether an observer counts on this worker. */
  get hasReports(): boolean {
    return this.#reported.size > 0;
  }

  list(): readonly ObservedSession[] {
    const reported = Array.from(this.#reported.values(), ({ session }) => session);
    return [...this.#found.values(), ...reported].toSorted((a, b) => (a.changedAt < b.changedAt ? 1 : -1));
  }

  /** Whoever listens is told all of them whenever something has changed. */
  subscribe(listener: Listener): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** What an observer says counts until it falls silent. */
  report(id: string, report: ObservedReport): ObservedSession {
    const { clock } = this.#parts;
    if (this.#found.has(id)) throw new Failure('conflict', `${id} is observed by the worker itself.`);
    const before = this.#reported.get(id)?.session;
    if (!before && this.#reported.size >= mostReported)
      throw new Failure('conflict', `${mostReported} sessions are observed already. End an observer first.`);
    const session = reportedSession({ id, report }, before, clock.now());
    this.#reported.set(id, { session, heardAt: clock.monotonic() });
    this.#publish();
    return session;
  }

  forget(id: string): void {
    if (!this.#reported.delete(id)) throw new Failure('not_found', `No observer has told of ${id}.`);
    this.#publish();
  }

  async #look(): Promise<void> {
    const { runtimes, clock, log } = this.#parts;
    try {
      const living = runtimes.livingSessions(clock.now());
      const owned = await this.#owned(living);
      const ids = new Set<string>();
      for (const session of living) {
        const id = livingId(session);
        const sight = owned.has(session) ? null : sightOf(session, this.#found.get(id), clock.now());
        if (!sight) continue;
        ids.add(id);
        this.#found.set(id, sight);
      }
      for (const id of this.#found.keys()) if (!ids.has(id)) this.#found.delete(id);
      this.#complaint = '';
    } catch (error) {
      const complaint = `Sessions that were started by hand could not be seen: ${errorSentence(error)}`;
      if (complaint !== this.#complaint) log(complaint);
      this.#complaint = complaint;
    }
    for (const [id, { session, heardAt }] of this.#reported)
      if (isForgotten(session, clock.monotonic() - heardAt)) this.#reported.delete(id);
    this.#publish();
  }

  /** Those that are threads already, which say themselves what they do. */
  async #owned(living: readonly LivingSession[]): Promise<Set<LivingSession>> {
    const owned = new Set<LivingSession>();
    for (const runtime of new Set(living.map((session) => session.runtime))) {
      const here = living.filter((session) => session.runtime === runtime);
      const sessionIds = here.map(({ sessionId }) => sessionId);
      const owners = await this.#parts.store.query('sessionOwners', { runtime, sessionIds });
      for (const { sessionId } of owners)
        for (const session of here) if (session.sessionId === sessionId) owned.add(session);
    }
    return owned;
  }

  #publish(): void {
    const sessions = this.list();
    const told = JSON.stringify(sessions);
    if (told === this.#published) return;
    this.#published = told;
    for (const listener of this.#listeners) listener(sessions);
  }
}
