import { setTimeout as delay } from 'node:timers/promises';
import { errorSentence } from '../../protocol/error-sentence.js';
import { given } from '../../protocol/given.js';
import type { PromptId, ThreadId } from '../../protocol/id.js';
import type { Notice } from '../../store/change.js';
import type { Store } from '../../store/store.js';
import type { Subscription } from '../../store/subscription.js';
import type { Dispatcher } from '../dispatches/dispatcher.js';
import type { RuleBook } from '../prompts/rule-book.js';
import type { CommandDelivery } from '../runs/command-delivery.js';
import type { ThreadChanges } from '../threads/thread-changes.js';
import type { LiveFeed } from './live-feed.js';
import type { StatusFeed } from './status-feed.js';

const againMs = 1000;

export interface ChangesOfOthersParts {
  readonly store: Pick<Store, 'isShared' | 'query' | 'subscribe'>;
  readonly changes: ThreadChanges;
  readonly delivery: Pick<CommandDelivery, 'answer'>;
  readonly feed: Pick<LiveFeed, 'publish' | 'isWatched' | 'watched'>;
  readonly statuses: Pick<StatusFeed, 'publish' | 'isWatched'>;
  readonly dispatcher: Pick<Dispatcher, 'poke'>;
  readonly rules: Pick<RuleBook, 'refresh'>;
  readonly log: (line: string) => void;
}

/**
 * Acts on what other workers of the same store have written: an answer to an agent of this one is brought to it, work for a
 * thread of this one is started, and whoever watches a thread of theirs here sees what happens in it.
 */
export class ChangesOfOthers implements AsyncDisposable {
  readonly #parts: ChangesOfOthersParts;
  #subscription: Subscription | undefined;
  #following: Promise<void> = Promise.resolve();

  constructor(parts: ChangesOfOthersParts) {
    this.#parts = parts;
  }

  open(): void {
    const { store } = this.#parts;
    if (!store.isShared) return;
    const topics = ['events', 'status', 'prompt', 'dispatch', 'rule'] as const;
    this.#subscription = store.subscribe({ by: 'others', topics });
    this.#following = this.#follow(this.#subscription);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#subscription?.close();
    await this.#following;
  }

  async #follow(notices: Subscription): Promise<void> {
    for await (const notice of notices) {
      try {
        await this.#take(notice);
      } catch (error) {
        this.#parts.log(`What another worker wrote could not be read: ${errorSentence(error)}`);
        // Nobody says it again.
        await delay(againMs);
        notices.miss();
      }
    }
  }

  async #take(notice: Notice): Promise<void> {
    const { changes } = this.#parts;
    switch (notice.topic) {
      case 'events': {
        const { threadId, seq, ofOwner } = notice;
        if (ofOwner || (await changes.foreignWorker(threadId))) await this.#show(threadId, seq);
        else await changes.refresh(threadId);
        return;
      }
      case 'status':
        return await this.#showStatus(notice.threadId);
      default:
        if (!('ofOwner' in notice) || !notice.ofOwner) await this.#act(notice);
    }
  }

  /** What may have been done to a thread of this worker. */
  async #act(notice: Notice): Promise<void> {
    const { dispatcher, rules } = this.#parts;
    switch (notice.topic) {
      case 'prompt':
        return await this.#deliver(notice.promptId);
      case 'dispatch':
        return dispatcher.poke();
      case 'rule':
        return await rules.refresh();
      case 'missed':
        await rules.refresh();
        await this.#lookAround();
        return await this.#showAll();
      default:
    }
  }

  /** The last event is enough: whoever has not seen those before it reads them. */
  async #show(threadId: ThreadId, seq: number): Promise<void> {
    const { store, feed } = this.#parts;
    if (!feed.isWatched(threadId)) return;
    feed.publish(threadId, await store.query('events', { threadId, after: seq - 1, limit: 1 }));
  }

  async #showStatus(threadId: ThreadId): Promise<void> {
    const { store, statuses } = this.#parts;
    if (!statuses.isWatched) return;
    const thread = await store.query('thread', { id: threadId });
    if (thread) statuses.publish({ threadId, status: thread.status });
  }

  /** What was missed may be anything that somebody looks at here: the last event tells whoever has not seen those before it. */
  async #showAll(): Promise<void> {
    const { store, feed, statuses } = this.#parts;
    for (const threadId of feed.watched) {
      const thread = await store.query('thread', { id: threadId });
      if (thread) await this.#show(threadId, thread.lastSeq);
    }
    let cursor: string | undefined;
    while (statuses.isWatched) {
      const page = await store.query('threads', given({ cursor }));
      for (const { id: threadId, status } of page.rows) statuses.publish({ threadId, status });
      cursor = page.next;
      if (cursor === undefined) return;
    }
  }

  async #deliver(id: PromptId): Promise<void> {
    const { store, changes, delivery } = this.#parts;
    const prompt = await store.query('prompt', { id });
    if (!prompt || prompt.state !== 'pending' || (await changes.foreignWorker(prompt.threadId))) return;
    // Whoever waits for an answer without an agent is woken by this.
    await changes.refresh(prompt.threadId);
    if (prompt.acceptedAt !== undefined) delivery.answer(prompt);
  }

  /** Nobody knows what was missed: every answer that is not delivered is brought once more, which the runners notice. */
  async #lookAround(): Promise<void> {
    const { store, dispatcher } = this.#parts;
    let cursor: string | undefined;
    do {
      const answered = { state: 'pending', open: false, own: true } as const;
      const page = await store.query('prompts', { ...answered, ...given({ cursor }) });
      for (const { id } of page.rows) await this.#deliver(id);
      cursor = page.next;
    } while (cursor !== undefined);
    dispatcher.poke();
  }
}
