import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { watchStep } from '../../domain/landing/watch-step.js';
import { newsMessage, roundsQuestion } from '../../domain/landing/watch-words.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import { Failure } from '../../protocol/failure.js';
import type { PromptId, ThreadId } from '../../protocol/id.js';
import { Landing, type WatchRequest } from '../../protocol/landing.js';
import type { Store } from '../../store/store.js';
import type { RequestWatch, StoredLanding } from '../../store/stored-landing.js';
import { type Clock, instant } from '../clock.js';
import type { DispatchService } from '../dispatches/dispatch-service.js';
import type { Actor, PullRequestWatches } from '../host.js';
import { promptChange, promptsIn } from '../prompts/thread-prompts.js';
import type { Failpoint } from '../runs/failpoint.js';
import { KeyedQueue } from '../threads/keyed-queue.js';
import type { ThreadChanges } from '../threads/thread-changes.js';
import { inEmptyFolder } from './empty-folder.js';
import { forgeCall } from './forge.js';
import { lookAt, type RequestLook, requestPlace } from './request-look.js';
import { RoundsQuestion } from './rounds-question.js';
import { lastEnded, settleThread } from './settled-thread.js';
import { isWatching, newWatch, usualRounds, type Watching, watchingSentence } from './watch-record.js';

const lookTimeMs = 60_000;
const mostTold = 2000;

export interface RequestWatchesParts {
  readonly store: Store;
  readonly changes: ThreadChanges;
  readonly dispatches: DispatchService;
  readonly clock: Clock;
  readonly newPromptId: () => PromptId;
  readonly everyMs: number;
  readonly scratch: string;
  readonly env: Readonly<Record<string, string>>;
  readonly failpoint: (name: Failpoint) => void;
  readonly log: (line: string) => void;
}

/**
 * Brings what is said about pull requests back to the agents that made them: looks again and again through `gh`, and
 * gives what is new as one piece of work, so often and no more; then a person decides. All of it is in the store before it
 * is done, so a worker that is killed anywhere tells everything, and nothing twice.
 */
export class RequestWatches implements PullRequestWatches, AsyncDisposable {
  readonly #parts: RequestWatchesParts;
  readonly #question: RoundsQuestion;
  readonly #queue = new KeyedQueue<ThreadId>();
  readonly #leaving = new AbortController();
  #looking: Promise<void> = Promise.resolve();

  constructor(parts: RequestWatchesParts) {
    this.#parts = parts;
    this.#question = new RoundsQuestion(parts);
  }

  open(): void {
    this.#looking = this.#lookForEver();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#leaving.abort();
    await this.#looking;
  }

  /** Begins to watch the pull request of a thread; one that is watched begins to count its rounds anew. */
  async watch(
    threadId: ThreadId,
    { rounds: limit = usualRounds }: WatchRequest,
    actor: Actor,
  ): Promise<Landing> {
    const { store, changes, clock } = this.#parts;
    await changes.state(threadId);
    return await this.#queue.run(threadId, async () => {
      const landings = await store.query('landings', { threadId, limit: 1000 });
      const url = landings.find(
        ({ kind, state, pullRequest }) => kind === 'pr' && state === 'done' && pullRequest,
      )?.pullRequest;
      if (url === undefined)
        throw new Failure(
          'conflict',
          `${threadId} has no pull request. Open one with: handraise pr ${threadId}`,
        );
      if (!requestPlace(url))
        throw new Failure(
          'conflict',
          `Only pull requests on GitHub can be watched, through gh. ${url} is none.`,
        );
      const look = await this.#look(url);
      if (look.kind === 'failed')
        throw new Failure('unavailable', `${url} cannot be watched: ${look.why.replace(/\.$/, '')}.`);
      const fresh = newWatch({ threadId, url, actor, at: instant(clock), limit });
      const watch = landings.find(({ id }) => id === fresh.id)?.watch ?? fresh.watch;
      const begun = { ...fresh, watch: { ...watch, limit, rounds: 0 } };
      await this.#put(begun, { notice: watchingSentence(url, limit) });
      return Landing.parse(begun);
    });
  }

  async unwatch(threadId: ThreadId, actor: Actor): Promise<Landing> {
    await this.#parts.changes.state(threadId);
    return await this.#queue.run(threadId, async () => {
      const watching = await this.#watching(threadId);
      if (!watching) throw new Failure('conflict', `No pull request of ${threadId} is watched.`);
      return await this.#end(watching, {
        state: 'done',
        sentence: `${watching.pullRequest} is not watched any more.`,
        actor,
      });
    });
  }

  async #lookForEver(): Promise<void> {
    const { store, everyMs, log } = this.#parts;
    const { signal } = this.#leaving;
    while (!signal.aborted) {
      try {
        const begun = await store.query('landings', { state: 'begun', own: true, limit: 1000 });
        for (const { threadId, kind } of begun) if (kind === 'watch') await this.#followUp(threadId);
      } catch (error) {
        log(`pull requests: ${errorSentence(error)}`);
      }
      await delay(everyMs, undefined, { signal }).catch(() => {});
    }
  }

  async #followUp(threadId: ThreadId): Promise<void> {
    if (this.#leaving.signal.aborted) return;
    try {
      await this.#queue.run(threadId, async () => {
        const watching = await this.#watching(threadId);
        if (watching) await this.#goOn(watching);
      });
    } catch (error) {
      if (!this.#leaving.signal.aborted)
        this.#parts.log(`the pull request of ${threadId}: ${errorSentence(error)}`);
    }
  }

  async #goOn(watching: Watching): Promise<void> {
    if (watching.watch.telling) return await this.#tell(watching, watching.watch.telling);
    if (await this.#isAtWork(watching.threadId)) return;
    const { workspace } = (await this.#parts.changes.state(watching.threadId)).thread;
    // The worktree of work in a repository is made again for what is new, here or on another worker.
    if (workspace.repo === undefined && !existsSync(workspace.path)) {
      const sentence = `${watching.pullRequest} is not watched any more: the worktree ${workspace.path} is gone.`;
      await this.#end(watching, { state: 'done', sentence });
      return;
    }
    const decided = watching.watch.promptId === undefined ? watching : await this.#question.decided(watching);
    if (decided === 'nobody') {
      const sentence = `${watching.pullRequest} is not watched any more: nobody said to go on.`;
      await this.#end(watching, { state: 'done', sentence });
      return;
    }
    if (!decided) return;
    const { watch, pullRequest: url } = decided;
    const look = await this.#look(url);
    if (look.kind === 'failed') return await this.#trouble(decided, look.why);
    const step = watchStep({ seen: look.request, watch, now: this.#parts.clock.now() });
    const { trouble: _over, ...untroubled } = watch;
    switch (step.do) {
      case 'end':
        await this.#end(decided, {
          state: 'done',
          sentence: `${url} was ${step.why}. It is not watched any more.`,
          isMerged: step.why === 'merged',
        });
        return;
      case 'wait':
        if (step.newsSince === watch.newsSince && watch.trouble === undefined) return;
        await this.#put({ ...decided, watch: { ...untroubled, newsSince: step.newsSince } });
        return;
      case 'tell': {
        const { news } = step;
        const telling = {
          text: newsMessage(url, { news, words: watch.words }),
          keys: news.map(({ key }) => key),
        };
        const stored = { ...decided, watch: { ...untroubled, telling } };
        await this.#put(stored);
        await this.#tell(stored, telling);
        return;
      }
      case 'ask':
        await this.#question.ask(decided, roundsQuestion(url, { rounds: watch.rounds, news: step.news }));
        return;
      default:
        step satisfies never;
    }
  }

  /** Gives the agent its work; done again after a kill, it is the same work. */
  async #tell(watching: Watching, { text, keys }: NonNullable<RequestWatch['telling']>): Promise<void> {
    const { dispatches, failpoint } = this.#parts;
    const { id, threadId, actor, watch } = watching;
    failpoint('watch_telling');
    try {
      await dispatches.submit(
        { text, thread: threadId, onSuccess: 'pr' },
        { actor, idempotencyKey: `watch-${id}-${watch.count}` },
      );
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'unavailable') throw error;
      await this.#end(watching, {
        state: 'failed',
        sentence: `The agent could not be told: ${error.message}`,
      });
      return;
    }
    failpoint('watch_told');
    const { telling: _done, newsSince: _since, words: _said, ...rest } = watch;
    const told = [...watch.told, ...keys].slice(-mostTold);
    await this.#put({
      ...watching,
      watch: { ...rest, told, rounds: watch.rounds + 1, count: watch.count + 1 },
    });
  }

  /** That gh cannot be asked is told once for each reason; it may be over at the next look. */
  async #trouble(watching: Watching, why: string): Promise<void> {
    if (watching.watch.trouble === why) return;
    const notice = `${watching.pullRequest} could not be looked at: ${why.replace(/\.$/, '')}. The worker tries again.`;
    await this.#put({ ...watching, watch: { ...watching.watch, trouble: why } }, { notice });
  }

  /** An agent at work hears nothing before it is done and its work is pushed. */
  async #isAtWork(threadId: ThreadId): Promise<boolean> {
    const { store } = this.#parts;
    const landings = await store.query('landings', { threadId, state: 'begun' });
    if (landings.some(({ kind }) => kind !== 'watch')) return true;
    for (const state of ['queued', 'running', 'waiting'] as const) {
      const { rows } = await store.query('dispatches', { threadId, state, limit: 1 });
      if (rows.length > 0) return true;
    }
    return false;
  }

  async #look(url: string): Promise<RequestLook> {
    const { scratch, env } = this.#parts;
    return await inEmptyFolder({ scratch }, async (folder) => {
      const signal = AbortSignal.any([this.#leaving.signal, AbortSignal.timeout(lookTimeMs)]);
      const look = await lookAt(url, forgeCall('gh', { folder, env, signal }));
      this.#leaving.signal.throwIfAborted();
      return look;
    });
  }

  async #watching(threadId: ThreadId): Promise<Watching | undefined> {
    const begun = await this.#parts.store.query('landings', { threadId, state: 'begun' });
    return begun.find(isWatching);
  }

  async #end(
    watching: Watching,
    {
      isMerged = false,
      ...end
    }: Pick<StoredLanding, 'state' | 'sentence'> & { readonly actor?: Actor; readonly isMerged?: boolean },
  ): Promise<Landing> {
    const { store, changes, clock } = this.#parts;
    const work = await lastEnded(store, watching.threadId);
    const { promptId, telling: _not, ...watch } = watching.watch;
    const ended = { ...watching, ...end, watch, endedAt: instant(clock) };
    await changes.commit(watching.threadId, (state) => {
      const prompts = promptsIn(state);
      const open = state.prompts.find(({ id }) => id === promptId);
      if (open) prompts.cancel(open, 'superseded');
      const change = promptChange(state, prompts, undefined);
      const settled = settleThread(
        change.state,
        { ...ended, isCarriedOut: true, isUndo: false, isMerged },
        work,
      );
      return {
        ...change,
        operations: [
          ...change.operations,
          { do: 'putLanding', landing: ended } as const,
          ...settled.operations,
        ],
        state: settled.state,
        events: [...(change.events ?? []), { type: 'notice', message: ended.sentence } as const],
      };
    });
    return Landing.parse(ended);
  }

  async #put(landing: StoredLanding, { notice }: { readonly notice?: string } = {}): Promise<void> {
    await this.#parts.changes.commit(landing.threadId, (state) => ({
      operations: [{ do: 'putLanding', landing }],
      events: notice === undefined ? [] : [{ type: 'notice', message: notice }],
      state,
      result: undefined,
    }));
  }
}
