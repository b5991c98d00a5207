import { editedComment, isUnsent } from '../../domain/review/comment-change.js';
import { commentMessage } from '../../domain/review/comment-message.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import type { DispatchId, ThreadId } from '../../protocol/id.js';
import {
  type CommentEdit,
  type CommentRequest,
  mostComments,
  type ReviewComment,
  type SendCommentsRequest,
  type SentComments,
} from '../../protocol/review-comment.js';
import type { Operation } from '../../store/operation.js';
import { largestPageBytes, type Page } from '../../store/page.js';
import type { InputOf } from '../../store/query.js';
import type { Store } from '../../store/store.js';
import { type Clock, instant } from '../clock.js';
import type { DispatchService } from '../dispatches/dispatch-service.js';
import type { Actor, Comments, WorkTerms } from '../host.js';
import type { CommentDelivery } from '../runs/comment-delivery.js';
import { sha256 } from '../sha256.js';
import { KeyedQueue } from '../threads/keyed-queue.js';
import type { ThreadChanges } from '../threads/thread-changes.js';

export interface CommentServiceParts {
  readonly store: Store;
  readonly changes: ThreadChanges;
  readonly dispatches: DispatchService;
  readonly delivery: CommentDelivery;
  readonly clock: Clock;
  readonly newUuid: () => string;
}

/** What people say about a thread's changes. The agent's tools see the same comments, and get them as work when they are sent. */
export class CommentService implements Comments {
  readonly #parts: CommentServiceParts;
  /** Of one thread, comments are sent one after the other: two who press the button at once send them once. */
  readonly #sending = new KeyedQueue<ThreadId>();

  constructor(parts: CommentServiceParts) {
    this.#parts = parts;
  }

  async list(
    threadId: ThreadId,
    part: Omit<InputOf<'comments'>, 'threadId' | 'mostBytes'>,
  ): Promise<Page<ReviewComment>> {
    const { changes, store } = this.#parts;
    await changes.state(threadId);
    return await store.query('comments', { ...part, threadId, mostBytes: largestPageBytes });
  }

  async add(threadId: ThreadId, request: CommentRequest, actor: Actor): Promise<ReviewComment> {
    const { store, clock, newUuid } = this.#parts;
    const id = request.id ?? newUuid();
    const { file, line, side, body, quote, severity } = request;
    const comment: ReviewComment = {
      id,
      threadId,
      file,
      line,
      side,
      body,
      ...given({ quote, severity }),
      author: actor,
      state: 'open',
      createdAt: instant(clock),
    };
    await this.#change(threadId, async () => ({
      operations: [{ do: 'addComment', comment, most: mostComments }],
      result: undefined,
    }));
    const kept = await store.query('comment', { threadId, id });
    if (!kept)
      throw new Failure(
        'conflict',
        `${threadId} has ${mostComments} comments and takes no more. Remove some that are resolved.`,
      );
    if (kept.author !== actor || kept.file !== file || kept.line !== line)
      throw new Failure('conflict', `${id} is another comment of this thread.`);
    return kept;
  }

  async edit(threadId: ThreadId, id: string, edit: CommentEdit, actor: Actor): Promise<ReviewComment> {
    const at = instant(this.#parts.clock);
    return await this.#change(threadId, async () => {
      const comment = await this.#comment(threadId, id);
      const edited = editedComment(comment, edit, { actor, at });
      return {
        operations: edited === comment ? [] : [{ do: 'replaceComment', comment: edited }],
        result: edited,
      };
    });
  }

  async remove(threadId: ThreadId, id: string): Promise<ReviewComment> {
    return await this.#change(threadId, async () => ({
      result: await this.#comment(threadId, id),
      operations: [{ do: 'removeComment', threadId, id }],
    }));
  }

  async send(
    threadId: ThreadId,
    { ids }: SendCommentsRequest,
    actor: Actor,
    terms: WorkTerms = {},
  ): Promise<SentComments> {
    return await this.#sending.run(threadId, async () => {
      const comments = await this.#toSend(threadId, ids);
      const text = commentMessage(comments);
      // Killed after the work is stored, the same comments make the same key, and the same work.
      const before = comments.map(({ id, sentAt }) => `${id} ${sentAt ?? ''}`).toSorted();
      const idempotencyKey = `review-${sha256([threadId, text, ...before].join('\n'))}`;
      const { dispatch } = await this.#parts.dispatches.submit(
        { text, thread: threadId, ...terms },
        { actor, idempotencyKey },
      );
      await this.#markSent(threadId, comments, dispatch.id);
      return { dispatchId: dispatch.id, sent: comments.map(({ id }) => id) };
    });
  }

  /** What was changed meanwhile was not sent as it stands now. */
  async #markSent(threadId: ThreadId, sent: readonly ReviewComment[], dispatchId: DispatchId): Promise<void> {
    const sentAt = instant(this.#parts.clock);
    await this.#change(threadId, async () => {
      const { rows } = await this.#all(threadId);
      const same = rows.filter(({ id, body }) => sent.some((each) => each.id === id && each.body === body));
      return {
        operations: same.map((comment) => ({
          do: 'replaceComment',
          comment: { ...comment, sentAt, dispatchId },
        })),
        result: undefined,
      };
    });
  }

  async #toSend(threadId: ThreadId, ids: readonly string[] | undefined): Promise<readonly ReviewComment[]> {
    await this.#parts.changes.state(threadId);
    const { rows } = await this.#all(threadId);
    const unknown = ids?.find((id) => !rows.some((comment) => comment.id === id));
    if (unknown !== undefined) throw noComment(threadId, unknown);
    const chosen = rows.filter((comment) => ids?.includes(comment.id) ?? isUnsent(comment));
    const resolved = chosen.find(({ state }) => state === 'resolved');
    if (resolved)
      throw new Failure('conflict', `Comment ${resolved.id} is resolved. Reopen it first, or leave it out.`);
    if (chosen.length === 0)
      throw new Failure(
        'conflict',
        'There is no open comment that was not sent yet. Write one first, or name those to send again.',
      );
    return chosen;
  }

  async #all(threadId: ThreadId): Promise<Page<ReviewComment>> {
    return await this.#parts.store.query('comments', { threadId, limit: mostComments });
  }

  async #comment(threadId: ThreadId, id: string): Promise<ReviewComment> {
    const comment = await this.#parts.store.query('comment', { threadId, id });
    if (!comment) throw noComment(threadId, id);
    return comment;
  }

  /** Changes comments one change after the other, and tells the thread's runner. */
  async #change<Result>(
    threadId: ThreadId,
    decide: () => Promise<{ readonly operations: readonly Operation[]; readonly result: Result }>,
  ): Promise<Result> {
    const { changes, delivery } = this.#parts;
    const changed = await changes.commit(threadId, async (state) => {
      const { operations, result } = await decide();
      return { operations, state, result: { given: result, run: state.run?.run } };
    });
    if (!changed) throw new Failure('internal', 'A change of comments was not decided.');
    if (changed.run) await delivery.tell(changed.run);
    return changed.given;
  }
}

function noComment(threadId: ThreadId, id: string): Failure {
  return new Failure('not_found', `${threadId} has no comment ${id}.`);
}
