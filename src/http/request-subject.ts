import type { Context } from 'hono';
import { DispatchId, ThreadId } from '../protocol/id.js';
import type { ApiEnv } from './api-env.js';

/** The body before it is checked; undefined where it is no JSON, which the route itself refuses. */
export async function jsonBody(c: Context<ApiEnv>): Promise<unknown> {
  try {
    const body: unknown = await c.req.json();
    return body;
  } catch {
    return undefined;
  }
}

/** The thread that a body gives work to; undefined for a new one. */
export function threadIn(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'thread' in body ? body.thread : undefined;
}

/** The thread whose agent a request makes work: of its body, of the dispatch in its path, or of its path. */
export async function threadOfWork(c: Context<ApiEnv>, operationId: string): Promise<ThreadId | undefined> {
  const id = c.req.param('id');
  const dispatchId = DispatchId.safeParse(id).data;
  if (dispatchId) return (await c.env.host.dispatches.get(dispatchId)).threadId;
  const given = operationId === 'submitDispatch' ? threadIn(await jsonBody(c)) : id;
  return ThreadId.safeParse(given).data;
}
