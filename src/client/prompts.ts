import * as z from 'zod';
import type { PromptId, ThreadId } from '../protocol/id.js';
import { type Precedent, PrecedentList } from '../protocol/precedent.js';
import { type AnswerRequest, Prompt, type PromptState } from '../protocol/prompt.js';
import type { ApiConnection } from './connection.js';
import { everyPage, type ListQuery, next, type PageQuery } from './page.js';

const PromptPage = z.object({ prompts: z.array(Prompt), next });
export type PromptPage = z.infer<typeof PromptPage>;

const AnsweredAlike = z.object({ prompts: z.array(Prompt), count: z.int() });
type AnsweredAlike = z.infer<typeof AnsweredAlike>;

export interface PromptQuery extends ListQuery {
  readonly state?: PromptState;
  readonly thread?: ThreadId;
  /** Pending and not answered yet. */
  readonly open?: boolean;
}

/** Questions that wait for a person. */
export class PromptClient {
  readonly #connection: ApiConnection;

  constructor(connection: ApiConnection) {
    this.#connection = connection;
  }

  get(id: PromptId): Promise<Prompt> {
    return this.#connection.call(Prompt, `/prompts/${id}`);
  }

  list(query: PromptQuery = {}): Promise<PromptPage> {
    return this.#connection.call(PromptPage, '/prompts', { query: { ...query } });
  }

  async *all(query: Omit<PromptQuery, keyof PageQuery> = {}): AsyncGenerator<Prompt> {
    for await (const page of everyPage((part) => this.list({ ...query, ...part }))) yield* page.prompts;
  }

  /** Those that nobody has answered yet, the oldest first. */
  async open(query: { readonly thread?: ThreadId } = {}): Promise<Prompt[]> {
    const open: Prompt[] = [];
    for await (const prompt of this.all({ ...query, open: true })) open.push(prompt);
    return open.toSorted((one, other) => (one.createdAt < other.createdAt ? -1 : 1));
  }

  /** What persons have answered before to a prompt like this one, the same first; each with what gives the same answer. */
  async precedents(id: PromptId): Promise<Precedent[]> {
    return (await this.#connection.call(PrecedentList, `/prompts/${id}/precedents`)).precedents;
  }

  /** Stored before this returns; a prompt that was settled meanwhile is refused as `prompt_settled`. */
  answer(id: PromptId, answer: AnswerRequest): Promise<Prompt> {
    return this.#connection.call(Prompt, `/prompts/${id}/answer`, { method: 'POST', body: answer });
  }

  /** Answers every open prompt that equals this one; says how many, and shows the first of them. */
  async answerLike(id: PromptId, answer: AnswerRequest): Promise<AnsweredAlike> {
    const call = { method: 'POST', body: answer } as const;
    return await this.#connection.call(AnsweredAlike, `/prompts/${id}/answer-like`, call);
  }

  /** Takes back an answer of one's own that is held back. */
  undo(id: PromptId): Promise<Prompt> {
    return this.#connection.call(Prompt, `/prompts/${id}/undo`, { method: 'POST' });
  }

  cancel(id: PromptId, options: { readonly reason?: string } = {}): Promise<Prompt> {
    return this.#connection.call(Prompt, `/prompts/${id}/cancel`, { method: 'POST', body: options });
  }
}
