import { type Problem, Problem as ProblemSchema } from '../protocol/api.js';
import { Failure, type FailureCode } from '../protocol/failure.js';
import type { WorkerResponse } from './worker-fetch.js';

/** The worker refused a request; `problem` is its answer as it came. */
export class ApiFailure extends Failure {
  readonly status: number;
  readonly detail: string;
  readonly problem: Problem | undefined;

  constructor(answer: { code: FailureCode; status: number; detail: string; problem?: Problem }) {
    super(answer.code, answer.detail);
    this.status = answer.status;
    this.detail = answer.detail;
    this.problem = answer.problem;
  }
}

/** Reads a refusal; an answer without a problem in it came from something that is not a worker. */
export async function apiFailure(response: WorkerResponse): Promise<ApiFailure> {
  const { status } = response;
  const body = await response.text().catch(() => '');
  const problem = ProblemSchema.safeParse(parsedJson(body)).data;
  if (problem) return new ApiFailure({ code: problem.code, status, detail: problem.detail, problem });
  const detail = `The worker answered ${status} ${response.statusText}`.trimEnd();
  return new ApiFailure({ code: codeOf(status), status, detail });
}

function codeOf(status: number): FailureCode {
  if (status === 401) return 'unauthorized';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'not_found';
  if (status === 413) return 'too_large';
  return status >= 500 ? 'unavailable' : 'invalid';
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
