import { ExitCode, type ExitCodeName } from './exit-code.js';

interface FailureKind {
  readonly status: number;
  readonly exit: ExitCodeName;
  readonly title: string;
}

/** Every way in which Handraise itself can refuse or give up: code, HTTP status, exit code, title for a person. */
export const failureTable = {
  usage: { status: 400, exit: 'usage', title: 'The command, an option or an argument is wrong' },
  invalid: { status: 422, exit: 'dataError', title: 'The input is malformed' },
  missing_file: { status: 404, exit: 'noInput', title: 'A named file or folder is missing' },
  not_found: { status: 404, exit: 'noInput', title: 'Not found' },
  unauthorized: { status: 401, exit: 'noPermission', title: 'A valid token is required' },
  forbidden: { status: 403, exit: 'noPermission', title: 'This is not allowed' },
  forbidden_origin: { status: 403, exit: 'noPermission', title: 'The request comes from another origin' },
  no_permission: { status: 403, exit: 'noPermission', title: 'A login or a permission is missing' },
  prompt_settled: { status: 409, exit: 'dataError', title: 'The prompt is already settled' },
  prompt_ambiguous: { status: 409, exit: 'dataError', title: 'The reply could answer several prompts' },
  not_deliverable: { status: 409, exit: 'tempFail', title: 'The answer cannot be delivered right now' },
  unsupported_by_runtime: { status: 422, exit: 'dataError', title: 'The runtime cannot do this' },
  conflict: { status: 409, exit: 'dataError', title: 'The request conflicts with the current state' },
  too_large: { status: 413, exit: 'dataError', title: 'The input is too large' },
  setup_failed: { status: 500, exit: 'failure', title: 'The set-up of the worktree failed' },
  unavailable: { status: 503, exit: 'unavailable', title: 'A runtime or service is down' },
  repository_unreachable: { status: 503, exit: 'unavailable', title: 'The git repository cannot be reached' },
  not_installed: { status: 503, exit: 'unavailable', title: 'The agent is not installed' },
  not_ready: { status: 503, exit: 'unavailable', title: 'The agent cannot be started now' },
  home_busy: { status: 503, exit: 'tempFail', title: 'Another worker uses this home' },
  config: { status: 500, exit: 'config', title: 'The configuration is wrong' },
  internal: { status: 500, exit: 'software', title: 'A bug in Handraise' },
} as const satisfies Record<string, FailureKind>;

export type FailureCode = keyof typeof failureTable;

const isFailure = Symbol.for('handraise.Failure');

/** The one error type for what cannot go on; `message` is a sentence for a person. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: FailureCode;
  readonly [isFailure] = true;

  /** The programs are bundled, and an adapter from another package brings this class a second time: theirs count as well. */
  static override [Symbol.hasInstance](thrown: unknown): boolean {
    if (this !== Failure) return Function.prototype[Symbol.hasInstance].call(this, thrown);
    return typeof thrown === 'object' && thrown !== null && isFailure in thrown;
  }

  constructor(code: FailureCode, detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.code = code;
  }
}

/** The exit code of anything that was thrown; what is not a Failure is a bug of ours. */
export function exitCodeOf(thrown: unknown): ExitCode {
  return ExitCode[thrown instanceof Failure ? failureTable[thrown.code].exit : 'software'];
}
