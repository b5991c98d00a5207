import { commentsSince } from '../../protocol/detached.js';
import { AgentsView, type CommentsFrame, mostComments } from '../../protocol/review-comment.js';
import type { Store } from '../../store/store.js';
import type { StoredRun } from '../../store/stored-run.js';
import type { AttachedRunners } from './attached-runners.js';

/** Tells runners the review comments of their threads, all of them each time; the agent's tools read what came last. */
export class CommentDelivery {
  readonly #parts: { readonly store: Store; readonly runners: AttachedRunners };

  constructor(parts: { readonly store: Store; readonly runners: AttachedRunners }) {
    this.#parts = parts;
  }

  /** Nothing is owed to a runner that cannot be reached: it is told when it attaches. */
  async tell({ id, threadId }: Pick<StoredRun, 'id' | 'threadId'>): Promise<void> {
    const { store, runners } = this.#parts;
    if (!runners.speaks(id, commentsSince)) return;
    const { rows } = await store.query('comments', { threadId, limit: mostComments });
    const frame: CommentsFrame = {
      type: 'review_comments',
      comments: rows.map((comment) => AgentsView.parse(comment)),
    };
    runners.send(id, frame);
  }
}
