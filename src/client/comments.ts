import * as z from 'zod';
import type { ThreadId } from '../protocol/id.js';
import {
  type CommentEdit,
  type CommentRequest,
  ReviewComment,
  type SendCommentsRequest,
  SentComments,
} from '../protocol/review-comment.js';
import type { ApiConnection } from './connection.js';
import { everyPage, next, type PageQuery } from './page.js';

const CommentPage = z.object({ comments: z.array(ReviewComment), next });

/** Which comments of a thread. */
export interface CommentQuery {
  readonly state?: ReviewComment['state'];
  readonly file?: string;
}

/** What people and agents say about lines of a thread's changes. */
export class CommentClient {
  readonly #connection: ApiConnection;

  constructor(connection: ApiConnection) {
    this.#connection = connection;
  }

  list(thread: ThreadId, query: CommentQuery & PageQuery = {}): Promise<z.infer<typeof CommentPage>> {
    return this.#connection.call(CommentPage, `/threads/${thread}/comments`, { query: { ...query } });
  }

  /** All of them, oldest first. */
  async all(thread: ThreadId, query: CommentQuery = {}): Promise<ReviewComment[]> {
    const comments: ReviewComment[] = [];
    for await (const page of everyPage((part) => this.list(thread, { ...query, ...part })))
      comments.push(...page.comments);
    return comments;
  }

  add(thread: ThreadId, request: z.input<typeof CommentRequest>): Promise<ReviewComment> {
    return this.#connection.call(ReviewComment, `/threads/${thread}/comments`, {
      method: 'POST',
      body: request,
    });
  }

  /** Resolves or reopens a comment, or changes its words. */
  edit(thread: ThreadId, id: string, edit: CommentEdit): Promise<ReviewComment> {
    return this.#connection.call(ReviewComment, `/threads/${thread}/comments/${id}`, {
      method: 'PATCH',
      body: edit,
    });
  }

  remove(thread: ThreadId, id: string): Promise<ReviewComment> {
    return this.#connection.call(ReviewComment, `/threads/${thread}/comments/${id}`, { method: 'DELETE' });
  }

  /** Gives open comments to the agent as one piece of work. */
  send(thread: ThreadId, request: SendCommentsRequest = {}): Promise<SentComments> {
    return this.#connection.call(SentComments, `/threads/${thread}/comments/send`, {
      method: 'POST',
      body: request,
    });
  }
}
