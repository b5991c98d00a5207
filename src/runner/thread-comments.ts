import { RefusalError } from '../process/files/refusal.js';
import type { EventBody } from '../protocol/event.js';
import { type AgentsView, mostComments } from '../protocol/review-comment.js';
import type { RuntimeHost } from '../runtimes/runtime.js';

/** The thread's review comments as the worker told them last, and the agent's own that the worker has not told back yet. */
export class ThreadComments implements NonNullable<RuntimeHost['comments']> {
  readonly #emit: (event: EventBody<'review_comment_added'>) => void;
  readonly #world: Pick<RuntimeHost, 'now' | 'newUuid'>;
  #told: readonly AgentsView[] = [];
  #own: readonly AgentsView[] = [];

  constructor(
    emit: (event: EventBody<'review_comment_added'>) => void,
    world: Pick<RuntimeHost, 'now' | 'newUuid'>,
  ) {
    this.#emit = emit;
    this.#world = world;
  }

  /** What the worker keeps now. An own comment that it has told once is gone when it tells it no more. */
  tell(comments: readonly AgentsView[]): void {
    const told = new Set(comments.map(({ id }) => id));
    this.#told = comments;
    this.#own = this.#own.filter(({ id }) => !told.has(id));
  }

  async add(said: Pick<AgentsView, 'file' | 'line' | 'body' | 'severity'>): Promise<{ comment: AgentsView }> {
    if (this.#told.length + this.#own.length >= mostComments)
      throw new RefusalError(
        `This thread has ${mostComments} review comments and takes no more. Ask the user to remove some.`,
      );
    const { now, newUuid } = this.#world;
    const id = newUuid();
    const comment: AgentsView = {
      id,
      ...said,
      side: 'new',
      author: 'agent',
      state: 'open',
      createdAt: new Date(now()).toISOString(),
    };
    this.#own = [...this.#own, comment];
    this.#emit({ type: 'review_comment_added', id, ...said });
    return { comment };
  }

  async list(): Promise<{ comments: readonly AgentsView[]; unreadable: number }> {
    return { comments: [...this.#told, ...this.#own], unreadable: 0 };
  }
}
