import { ApiFailure } from '../client/api-failure.js';
import type { Client } from '../client/client.js';
import type { OverviewNews } from '../client/overview-news.js';
import { errorSentence } from '../protocol/error-sentence.js';
import type { PromptId, ThreadId } from '../protocol/id.js';
import type { ObservedSession } from '../protocol/observed.js';
import type { Prompt } from '../protocol/prompt.js';
import type { Thread } from '../protocol/thread.js';
import { emptyOverview, isOpenPrompt, type Overview, type WorkerConnection } from './overview.js';

// Many changes come at once; a person sees them together.
const gatherMs = 50;

/** Follows the worker's overview and shows it as one value. */
export class OverviewStore {
  readonly #client: Client;
  readonly #listeners = new Set<() => void>();
  readonly #asked = new Set<(prompt: Prompt) => void>();
  #threads = new Map<ThreadId, Thread>();
  #prompts = new Map<PromptId, Prompt>();
  #observed: readonly ObservedSession[] = [];
  /** The ids that came since the connection began; what does not come again is gone. */
  #seenSinceOpen = new Set<string>();
  #connection: WorkerConnection = { kind: 'loading' };
  #isPresent = false;
  #overview = emptyOverview;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(client: Client) {
    this.#client = client;
  }

  get overview(): Overview {
    return this.#overview;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Tells of each prompt that is asked from now on; those that were open before are no news. */
  onAsked(listener: (prompt: Prompt) => void): () => void {
    this.#asked.add(listener);
    return () => this.#asked.delete(listener);
  }

  /** Follows until the worker refuses; broken connections are made again. */
  async follow(signal: AbortSignal): Promise<void> {
    this.#connect({ kind: 'loading' });
    try {
      const news = this.#client.overview({
        signal,
        onOpen: () => this.#seenSinceOpen.clear(),
        onBreak: (_failure, failed) => this.#connect({ kind: 'reconnecting', failed }),
      });
      for await (const each of news) this.#take(each);
    } catch (error) {
      const isOut = error instanceof ApiFailure && error.code === 'unauthorized';
      this.#connect(isOut ? { kind: 'signed_out' } : { kind: 'refused', why: errorSentence(error) });
    }
  }

  /** A prompt as an answer left it, known before the stream tells. */
  know(prompt: Prompt): void {
    this.#prompts.set(prompt.id, prompt);
    this.#show();
  }

  #take(news: OverviewNews): void {
    if (news.event === 'present') {
      this.#forgetUnseen();
      this.#isPresent = true;
      this.#connection = { kind: 'live' };
      this.#show();
      return;
    }
    if (news.event === 'removed') {
      this.#threads.delete(news.data.id);
      this.#timer ??= setTimeout(() => this.#show(), gatherMs);
      return;
    }
    if (news.event === 'observed') {
      this.#observed = news.data.sessions;
      this.#timer ??= setTimeout(() => this.#show(), gatherMs);
      return;
    }
    const { data } = news;
    this.#seenSinceOpen.add(data.id);
    if (news.event === 'thread') {
      this.#threads.set(news.data.id, news.data);
    } else {
      const isNew = !this.#prompts.has(news.data.id);
      this.#prompts.set(news.data.id, news.data);
      if (isNew && this.#isPresent && isOpenPrompt(news.data))
        for (const tell of this.#asked) tell(news.data);
    }
    this.#timer ??= setTimeout(() => this.#show(), gatherMs);
  }

  #forgetUnseen(): void {
    for (const id of this.#threads.keys()) if (!this.#seenSinceOpen.has(id)) this.#threads.delete(id);
    for (const prompt of this.#prompts.values())
      if (
        prompt.state === 'pending' &&
        prompt.acceptedAt === undefined &&
        !this.#seenSinceOpen.has(prompt.id)
      )
        this.#prompts.delete(prompt.id);
  }

  #connect(connection: WorkerConnection): void {
    this.#connection = connection;
    this.#show();
  }

  #show(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#overview = {
      connection: this.#connection,
      isPresent: this.#isPresent,
      threads: new Map(this.#threads),
      prompts: new Map(this.#prompts),
      observed: this.#observed,
    };
    for (const listener of this.#listeners) listener();
  }
}
