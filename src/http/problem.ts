import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ZodError } from 'zod';
import type { $ZodIssue } from 'zod/v4/core';
import type { Problem } from '../protocol/api.js';
import { Failure, type FailureCode, failureTable } from '../protocol/failure.js';
import type { ApiEnv } from './api-env.js';

/** A failure that says more over HTTP than its code does: another status, headers, further members. */
export class HttpFailure extends Failure {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly members: Readonly<Record<string, unknown>>;

  constructor(
    code: FailureCode,
    detail: string,
    more: {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly members?: Readonly<Record<string, unknown>>;
    },
  ) {
    super(code, detail);
    this.status = more.status;
    this.headers = more.headers ?? {};
    this.members = more.members ?? {};
  }
}

/** Turns whatever was thrown into problem+json; what nobody expected is logged and not told. */
export function onError(thrown: Error, c: Context<ApiEnv>): Response {
  return problemResponse(failureOf(thrown, c));
}

/** A zod error as a failure that names every place; an id that cannot exist is one that does not. */
export function invalidInput(target: string, error: ZodError): Failure {
  if (target === 'param') return new Failure('not_found', 'Nothing has this id.');
  const errors = error.issues.flatMap(placesOf);
  const first = errors[0];
  const part = target === 'json' ? 'body' : target;
  const where = first && first.path !== '' ? `${first.path} of the ${part}` : part;
  return new HttpFailure('invalid', `Malformed: the ${where}${saidOf(first?.message ?? '')}`, {
    members: { errors },
  });
}

/** What is wrong with a place goes on the sentence that names it; a sentence of its own stands behind it. */
function saidOf(message: string): string {
  if (/^\p{Lu}/u.test(message) || message === '') return `. ${message}`;
  return ` ${message}${/[.!?]$/.test(message) ? '' : '.'}`;
}

function placesOf(issue: $ZodIssue): { path: string; message: string }[] {
  if (issue.code === 'invalid_union') {
    // The form that was meant is the one with the least wrong.
    const [closest] = issue.errors.toSorted((a, b) => a.length - b.length);
    if (closest) return closest.flatMap((each) => placesOf({ ...each, path: [...issue.path, ...each.path] }));
  }
  const places =
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
  return places.map((path) => ({ path: path.join('.'), message: issue.message }));
}

function failureOf(thrown: Error, c: Context<ApiEnv>): Failure {
  if (thrown instanceof Failure) {
    if (thrown.code === 'internal') c.env.log(describe(thrown, c));
    return thrown;
  }
  if (thrown instanceof HTTPException) {
    const { status } = thrown;
    if (status === 415) return new HttpFailure('invalid', 'The body must be application/json.', { status });
    if (status < 500) return new HttpFailure('invalid', `${thrown.message}.`, { status });
  }
  c.env.log(describe(thrown, c));
  return new Failure('internal', "This is a bug in Handraise. The worker's log has the details.");
}

/** A failure as problem+json. */
export function problemResponse(failure: Failure): Response {
  const kind = failureTable[failure.code];
  const extra = failure instanceof HttpFailure ? failure : undefined;
  const status = extra?.status ?? kind.status;
  const problem: Problem = {
    ...extra?.members,
    type: `urn:handraise:problem:${failure.code}`,
    title: kind.title,
    status,
    detail: failure.message,
    code: failure.code,
  };
  return new Response(JSON.stringify(problem), {
    status,
    headers: { ...extra?.headers, 'content-type': 'application/problem+json' },
  });
}

function describe(thrown: Error, c: Context<ApiEnv>): string {
  return `${c.req.method} ${c.req.path}: ${thrown.stack ?? String(thrown)}`;
}
