import { realpathSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { resolvePermissions } from '../domain/permissions.js';
import { sealedPosture } from '../domain/sealed-posture.js';
import type { ThreadRequest } from '../protocol/api.js';
import { cutText } from '../protocol/cut-text.js';
import type { DispatchRequest } from '../protocol/dispatch.js';
import { Failure } from '../protocol/failure.js';
import type { ThreadId } from '../protocol/id.js';
import type { Posture, RuntimeName } from '../protocol/posture.js';
import type { Workspace } from '../protocol/workspace.js';
import type { NewThread } from '../store/stored-thread.js';
import type { ThreadBook } from './thread-book.js';
import type { LiveRun } from './thread-state.js';

const titleLength = 80;

export interface AdmissionOutside {
  readonly book: ThreadBook;
  readonly now: () => number;
  readonly newThreadId: () => ThreadId;
  /** Throws a Failure when the runtime cannot be launched so, before anything is started. */
  readonly checkLaunch: (runtime: RuntimeName, posture: Posture) => void;
  /** Whether the runtime can ask for approvals; work for one that cannot is autonomous, and nothing else. */
  readonly asksApprovals: (runtime: RuntimeName) => boolean;
}

/** The thread that a request is for. */
export type Admitted =
  | { readonly isNew: true; readonly id: ThreadId; readonly row: NewThread }
  | { readonly isNew: false; readonly id: ThreadId };

/** Decides whether a request can be taken, and for which thread; what cannot work is refused before it is queued. */
export class Admission {
  readonly #outside: AdmissionOutside;

  constructor(outside: AdmissionOutside) {
    this.#outside = outside;
  }

  async admit(request: DispatchRequest): Promise<Admitted> {
    if (request.budgetUsd !== undefined)
      throw new Failure('unsupported_by_runtime', 'Budgets are not built yet: leave budgetUsd out.');
    if (request.thread !== undefined) {
      await this.#check(request.thread, request);
      return { isNew: false, id: request.thread };
    }
    if (!request.workspace) throw new Failure('invalid', 'Without a thread, a workspace is required.');
    const row = this.newThread({
      runtime: request.runtime ?? 'claude',
      workspace: request.workspace,
      posture: request.posture ?? {},
      title: request.title ?? firstLine(request.text),
      ...(request.permissions === undefined ? {} : { permissions: request.permissions }),
    });
    return { isNew: true, id: row.id, row };
  }

  /** The row of a new thread, checked. */
  newThread(request: ThreadRequest & { readonly permissions?: 'approval' | 'autonomous' }): NewThread {
    const { runtime, title, resume, fork } = request;
    const workspace = checkedWorkspace(request.workspace);
    const mode = request.posture.permissionMode;
    const usual = mode === undefined && !this.#outside.asksApprovals(runtime) ? 'autonomous' : undefined;
    const { permissions, permissionMode } = resolvePermissions({
      permissions: request.permissions ?? usual,
      permissionMode: mode,
    });
    const posture = checkedPosture({ ...request.posture, permissionMode });
    this.#outside.checkLaunch(runtime, posture);
    if (fork && resume === undefined)
      throw new Failure('invalid', 'fork needs resume: it forks the session that is resumed.');
    return {
      id: this.#outside.newThreadId(),
      title: title ?? 'Untitled',
      runtime,
      workspace,
      status: {
        state: 'stopped',
        why: 'no agent was started yet',
        source: 'worker',
        confidence: 'authoritative',
      },
      createdAt: new Date(this.#outside.now()).toISOString(),
      launch: {
        permissions,
        posture,
        ...(resume === undefined ? {} : { resume }),
        ...(fork === undefined ? {} : { fork }),
      },
    };
  }

  /** Refuses a change that the thread's runtime could not be launched with again. */
  checkAmended({ run }: LiveRun, change: Posture): void {
    this.#outside.checkLaunch(run.runtime, { ...sealedPosture(run), ...change });
  }

  async #check(id: ThreadId, request: DispatchRequest): Promise<void> {
    await this.#outside.book.state(id);
    const given = (['workspace', 'runtime', 'permissions', 'posture'] as const).filter(
      (name) => request[name] !== undefined,
    );
    if (given.length > 0) {
      throw new Failure(
        'invalid',
        `A thread keeps what it was made with, so ${given.join(' and ')} cannot be given together with thread. Model and permission mode are changed at the thread.`,
      );
    }
  }
}

function checkedWorkspace(workspace: Workspace): Workspace {
  const { path } = workspace;
  if (workspace.branch !== undefined)
    throw new Failure('invalid', 'workspace.branch is chosen by the worker; leave it out.');
  if (!isAbsolute(path)) throw new Failure('invalid', `workspace.path must be absolute; ${path} is not.`);
  let real: string;
  try {
    real = realpathSync(path);
  } catch {
    throw new Failure('missing_file', `The workspace ${path} is not there.`);
  }
  if (!statSync(real).isDirectory()) throw new Failure('invalid', `The workspace ${path} is not a folder.`);
  return { ...workspace, path: real };
}

function checkedPosture(posture: Posture): Posture {
  for (const name of ['container', 'memoryLimit'] as const) {
    if (posture[name] !== undefined)
      throw new Failure('unsupported_by_runtime', `posture.${name} is not built yet: leave it out.`);
  }
  const ours = Object.keys(posture.env ?? {}).find((name) => name.startsWith('HANDRAISE_'));
  if (ours !== undefined)
    throw new Failure(
      'invalid',
      `posture.env may not set ${ours}: names that begin with HANDRAISE_ are ours.`,
    );
  return posture;
}

function firstLine(text: string): string {
  return cutText(text.trim().split('\n', 1)[0] ?? '', titleLength) || 'Untitled';
}
