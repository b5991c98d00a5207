import type { Context, MiddlewareHandler } from 'hono';
import { answeringScope } from '../domain/prompts/answering-scope.js';
import { PromptId, ThreadId } from '../protocol/id.js';
import type { Scope } from '../protocol/scope.js';
import { type ApiEnv, actorOf } from './api-env.js';
import { strayField, workOfDispatchers } from './asking-work.js';
import { HttpFailure } from './problem.js';
import { jsonBody, threadOfWork } from './request-subject.js';
import { type RouteNeed, routeScopes } from './route-scopes.js';
import type { Identity } from './token-grant.js';

/** Stands before every route: a token with scopes passes where its scopes reach. */
export function scopeDoor(operationId: string): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    // Routes that need no token have no identity either.
    const identity: Identity | undefined = c.var.identity;
    if (identity?.scope === 'limited' && !identity.may.includes('admin'))
      await new Passage(c, identity, operationId).expect(routeScopes[operationId]);
    await next();
  };
}

/** Whether somebody may approve in every thread, and so may also give work that nobody is asked about. */
export function approvesEverything({ scope, may, approves = [] }: Identity): boolean {
  return scope !== 'agent' && may.includes('approve') && approves.length === 0;
}

/** One request at the door. */
class Passage {
  readonly #c: Context<ApiEnv>;
  readonly #identity: Identity;
  readonly #operationId: string;

  constructor(c: Context<ApiEnv>, identity: Identity, operationId: string) {
    this.#c = c;
    this.#identity = identity;
    this.#operationId = operationId;
  }

  async expect(need: RouteNeed | undefined): Promise<void> {
    switch (need) {
      case 'open':
        return undefined;
      case 'read':
      case 'dispatch':
      case 'answer':
      case 'admin':
        return this.#expectScope(need);
      case 'approve':
        return await this.#expectApproval(this.#c.req.param('id'));
      case 'approve everything':
        return this.#expectEverything();
      case 'work':
        return await this.#expectWork();
      case 'unasked work':
        this.#expectScope('dispatch');
        return this.#expectEverything();
      case 'prompt':
        return void (await this.#expectPrompt(this.#c.req.param('id')));
      case 'equal prompts':
        if ((await this.#expectPrompt(this.#c.req.param('id'))) === 'approve') this.#expectEverything();
        return undefined;
      case 'own device':
        return this.#expectOwnDevice();
      case 'item':
        return await this.#expectItem();
      case undefined:
        return this.#expectScope('admin');
      default:
        return need satisfies never;
    }
  }

  #expectScope(scope: Scope): void {
    if (!this.#identity.may.includes(scope)) throw this.#missing(scope);
  }

  #expectEverything(): void {
    this.#expectScope('approve');
    const { approves = [] } = this.#identity;
    if (approves.length > 0)
      throw this.#refused(
        'approve',
        `It approves only work with ${approves.join(' or ')}, and this is about all work.`,
      );
  }

  /** A thread has the labels of the work that it began with; what is given to it later changes nothing. */
  async #expectApproval(given: unknown): Promise<void> {
    this.#expectScope('approve');
    const { approves = [] } = this.#identity;
    const threadId = ThreadId.safeParse(given).data;
    // What cannot be an id is refused by the route itself, for everybody.
    if (approves.length === 0 || threadId === undefined) return;
    const { host } = this.#c.env;
    const { rows } = await host.dispatches.list({ threadId, order: 'oldest_first', limit: 1 });
    const labels = Object.entries(rows[0]?.labels ?? {}).map(([name, value]) => `${name}=${value}`);
    if (approves.some((label) => labels.includes(label))) return;
    throw this.#refused(
      'approve',
      `It approves only work with ${approves.join(' or ')}, and ${threadId} has ${labels.join(', ') || 'no label'}.`,
    );
  }

  async #expectPrompt(given: unknown): Promise<'answer' | 'approve' | undefined> {
    const id = PromptId.safeParse(given).data;
    if (id === undefined) return undefined;
    const prompt = await this.#c.env.host.prompts.get(id);
    const scope = answeringScope(prompt);
    if (scope === 'answer') this.#expectScope('answer');
    else await this.#expectApproval(prompt.threadId);
    return scope;
  }

  /** An answer names its prompt; what names none is a message, and waits (`itemFrom`). */
  async #expectItem(): Promise<void> {
    const body = await jsonBody(this.#c);
    const prompt = promptIn(body);
    if (prompt !== undefined) return void (await this.#expectPrompt(prompt));
    this.#expectScope('dispatch');
    await this.#expectAsking(ThreadId.safeParse(this.#c.req.param('id')).data);
  }

  async #expectWork(): Promise<void> {
    this.#expectScope('dispatch');
    if (approvesEverything(this.#identity)) return;
    const body = await jsonBody(this.#c);
    const stray =
      this.#operationId === 'submitDispatch' && body !== undefined
        ? strayField(workOfDispatchers, body)
        : undefined;
    if (stray !== undefined) throw this.#refused('approve', `Without it, work cannot have ${stray}.`);
    await this.#expectAsking(await threadOfWork(this.#c, this.#operationId));
  }

  async #expectAsking(threadId: ThreadId | undefined): Promise<void> {
    if (threadId === undefined || approvesEverything(this.#identity)) return;
    if (await this.#c.env.host.threads.asksFirst(threadId)) return;
    throw this.#refused(
      'approve',
      `The agent of ${threadId} works without asking; start a new thread instead.`,
    );
  }

  #expectOwnDevice(): void {
    const id = this.#c.req.param('id');
    const device = this.#c.env.host.push.report().devices.find((each) => each.id === id);
    if (device && device.actor !== actorOf(this.#identity))
      throw this.#refused('admin', `The device is of ${device.actor}.`);
  }

  #missing(scope: Scope): HttpFailure {
    const { may } = this.#identity;
    return this.#refused(
      scope,
      `It has: ${may.join(', ')}. The owner creates another with: handraise token add NAME --scope ${scope}`,
    );
  }

  #refused(scope: Scope, why: string): HttpFailure {
    return new HttpFailure(
      'forbidden',
      `The token ${this.#identity.name} may not do this: it needs the scope ${scope}. ${why}`,
      {
        members: { scope },
      },
    );
  }
}

function promptIn(body: unknown): unknown {
  const metadata = field(body, 'metadata');
  const prompt = field(metadata, 'prompt');
  return prompt === undefined ? undefined : (field(prompt, 'prompt_id') ?? prompt);
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
