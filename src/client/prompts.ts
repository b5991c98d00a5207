import * as z from 'zod';
import type { PromptId, ThreadId } from '../protocol/id.js';
import { type Answer, Prompt, type PromptState } from '../protocol/prompt.js';
import type { Connection } from './connection.js';
import { everyPage, type ListQuery, next, type PageQuery } from './page.js';

const PromptPage = z.object({ prompts: z.array(Prompt), next });
export type PromptPage = z.infer<typeof PromptPage>;

export interface PromptQuery extends ListQuery {
  readonly state?: PromptState;
  readonly thread?: ThreadId;
  /** Pending and not answered yet. */
  readonly open?: boolean;
}

/** Questions that wait for a person. */
export class Prompts {
  readonly #connection: Connection;

  constructor(connection: Connection) {
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

  /** Stored before this returns; a prompt that was settled meanwhile is refused as `prompt_settled`. */
  answer(id: PromptId, answer: Answer): Promise<Prompt> {
    return this.#connection.call(Prompt, `/prompts/${id}/answer`, { method: 'POST', body: answer });
  }

  /** Answers every open prompt that equals this one. */
  async answerLike(id: PromptId, answer: Answer): Promise<Prompt[]> {
    const call = { method: 'POST', body: answer } as const;
    const { prompts } = await this.#connection.call(PromptPage, `/prompts/${id}/answer-like`, call);
    return prompts;
  }

  cancel(id: PromptId, options: { readonly reason?: string } = {}): Promise<Prompt> {
    return this.#connection.call(Prompt, `/prompts/${id}/cancel`, { method: 'POST', body: options });
  }
}
