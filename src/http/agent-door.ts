import type { Context, MiddlewareHandler } from 'hono';
import type { Host } from '../host/host.js';
import { Failure } from '../protocol/failure.js';
import { DispatchId, PromptId, ThreadId } from '../protocol/id.js';
import { type AgentRight, agentRights } from './agent-rights.js';
import { type ApiEnv, actorOf } from './api-env.js';
import { strayField } from './asking-work.js';
import { jsonBody, threadIn, threadOfWork } from './request-subject.js';
import type { Identity } from './token-grant.js';

/** Stands before every route: a token of scope agent passes where it has a right, with what the right names. */
export function agentDoor(operationId: string): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    // Routes that need no token have no identity either.
    const identity: Identity | undefined = c.var.identity;
    if (identity?.scope === 'agent') await expectRight(c, identity, operationId);
    await next();
  };
}

async function expectRight(c: Context<ApiEnv>, identity: Identity, operationId: string): Promise<void> {
  const right = agentRights[operationId];
  if (!right) throw new Failure('forbidden', 'A token of scope agent cannot do this; only a person can.');
  const stray = Object.keys(c.req.query()).find((name) => !right.query?.includes(name));
  if (stray !== undefined) throw refused(`the parameter ${stray}`);
  const body = right.body && (await jsonBody(c));
  expectFields(right, body);
  await expectOwn(c, identity, { right, body });
  if (right.isWork) await expectAsking(c, operationId);
}

/** A person may let the agent of a thread work unasked; that is for what they say themselves, and not for a token's work. */
async function expectAsking(c: Context<ApiEnv>, operationId: string): Promise<void> {
  const threadId = await threadOfWork(c, operationId);
  if (threadId === undefined || (await c.env.host.threads.asksFirst(threadId))) return;
  throw new Failure(
    'forbidden',
    `The agent of ${threadId} works without asking, because a person chose that. Only a person can give it work; start a new thread instead.`,
  );
}

function expectFields({ body: schema }: AgentRight, body: unknown): void {
  // What is no JSON is refused by the route itself, for everybody.
  const stray = schema && body !== undefined ? strayField(schema, body) : undefined;
  if (stray !== undefined) throw refused(stray);
}

function refused(what: string): Failure {
  return new Failure('forbidden', `A token of scope agent cannot send ${what}; only a person can.`);
}

async function expectOwn(
  c: Context<ApiEnv>,
  identity: Identity,
  { right, body }: { readonly right: AgentRight; readonly body: unknown },
): Promise<void> {
  const { host } = c.env;
  const id = c.req.param('id');
  switch (right.about) {
    case 'thread':
      return await expectOwnThread(host, identity, id);
    case 'thread of the query':
      if (c.req.query('thread') === undefined) throw refused('a list without the parameter thread');
      return await expectOwnThread(host, identity, c.req.query('thread'));
    case 'own work':
      if (c.req.query('thread') !== undefined)
        return await expectOwnThread(host, identity, c.req.query('thread'));
      if (c.req.query('mine') !== 'true') throw refused('a list without thread or mine');
      return undefined;
    case 'itself':
      return undefined;
    case 'dispatch':
      return await expectOwnDispatch(host, identity, id);
    case 'prompt':
      return await expectOwnPrompt(host, identity, id);
    case 'new work': {
      const thread = threadIn(body);
      return thread === undefined ? undefined : await expectOwnThread(host, identity, thread);
    }
    default:
      return right.about satisfies never;
  }
}

/** A thread is the token's if its first work came with the token; to others it does not exist. */
async function expectOwnThread(host: Host, identity: Identity, given: unknown): Promise<void> {
  const id = ThreadId.safeParse(given).data;
  // What cannot be an id is refused by the route itself, for everybody.
  if (id === undefined) return;
  const { createdAt } = await host.threads.get(id);
  const { rows } = await host.dispatches.list({ threadId: id, order: 'oldest_first', limit: 1 });
  if (!isOwn(identity, { actor: rows[0]?.actor, createdAt }))
    throw new Failure('not_found', `There is no thread ${id}.`);
}

async function expectOwnDispatch(host: Host, identity: Identity, given: unknown): Promise<void> {
  const id = DispatchId.safeParse(given).data;
  if (id === undefined) return;
  const dispatch = await host.dispatches.get(id);
  const none = new Failure('not_found', `There is no dispatch ${id}.`);
  if (!isOwn(identity, dispatch)) throw none;
  await expectOwnThread(host, identity, dispatch.threadId).catch(() => Promise.reject(none));
}

async function expectOwnPrompt(host: Host, identity: Identity, given: unknown): Promise<void> {
  const id = PromptId.safeParse(given).data;
  if (id === undefined) return;
  const { threadId } = await host.prompts.get(id);
  const none = new Failure('not_found', `There is no prompt ${id}.`);
  await expectOwnThread(host, identity, threadId).catch(() => Promise.reject(none));
}

/** Whether something was made with this token, and not with an earlier one of the same name. */
function isOwn(
  identity: Identity,
  made: { readonly actor: string | undefined; readonly createdAt: string },
): boolean {
  const { createdAt } = identity;
  return made.actor === actorOf(identity) && createdAt !== undefined && made.createdAt >= createdAt;
}
