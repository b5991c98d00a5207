import { existsSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { budgetRefusal } from '../../domain/dispatch/budget.js';
import { resolvePermissions } from '../../domain/dispatch/permissions.js';
import { sealedPosture } from '../../domain/dispatch/sealed-posture.js';
import { leastMemoryBytes, memoryBytes } from '../../domain/run/memory-size.js';
import type { ThreadRequest } from '../../protocol/api.js';
import type { Budget } from '../../protocol/budget.js';
import { cutText } from '../../protocol/cut-text.js';
import type { DispatchRequest, OnSuccess } from '../../protocol/dispatch.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import type { ThreadId, WorkerId } from '../../protocol/id.js';
import type { Posture } from '../../protocol/posture.js';
import type { FolderRequest, Workspace, WorkspaceRequest } from '../../protocol/workspace.js';
import type { NewThread } from '../../store/stored-thread.js';
import { type Clock, instant } from '../clock.js';
import type { Preflight } from '../runs/preflight.js';
import type { RuntimeCatalog } from '../runtime-catalog.js';
import type { ThreadChanges } from '../threads/thread-changes.js';
import type { LiveRun } from '../threads/thread-state.js';
import type { Skills } from '../trust/skills.js';
import type { RepositoryClones } from '../workspaces/repository-clones.js';
import { expectProcessTexts } from './process-texts.js';

const titleLength = 80;

export interface AdmissionParts {
  readonly changes: ThreadChanges;
  readonly runtimes: RuntimeCatalog;
  readonly clock: Clock;
  readonly newThreadId: () => ThreadId;
  readonly skills: Skills;
  readonly preflight: Preflight;
  /** Whom work goes to that asks for a worker or a label. */
  readonly workers: {
    choose(on: string): Promise<WorkerId>;
    chooseAny(runtime: string): Promise<WorkerId>;
  };
  readonly clones: Pick<RepositoryClones, 'expectAddress'>;
  readonly ownId: WorkerId;
}

/** The thread that a request is for. */
export type Admitted =
  | {
      readonly isNew: true;
      readonly id: ThreadId;
      readonly row: NewThread;
      /** Whose it is, where it is not this worker's. */
      readonly worker?: WorkerId;
    }
  | { readonly isNew: false; readonly id: ThreadId };

/** Decides whether a request can be taken, and for which thread; what cannot work is refused before it is queued. */
export class Admission {
  readonly #parts: AdmissionParts;

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
  }

  async admit(request: DispatchRequest): Promise<Admitted> {
    expectProcessTexts(request);
    if (request.verifyMerged !== undefined && request.onSuccess !== 'merge')
      throw new Failure(
        'invalid',
        'verifyMerged is for work that is merged when it succeeded: add onSuccess merge.',
      );
    if (request.thread === undefined) expectWorktree(request.onSuccess, request.workspace);
    if (request.thread !== undefined) {
      await this.#check(request.thread, request);
      return { isNew: false, id: request.thread };
    }
    if (!request.workspace) throw new Failure('invalid', 'Without a thread, a workspace is required.');
    const worker = await this.#elsewhere(request);
    const skill = request.posture?.skill;
    if (worker !== undefined && skill !== undefined)
      throw new Failure(
        'invalid',
        'A skill is found where it is started. Give the work at that worker, without on.',
      );
    const runtime = request.runtime ?? (skill === undefined ? 'claude' : 'exec');
    expectBudgets(runtime, [request.budget, request.threadBudget]);
    const row = this.newThread({
      runtime,
      workspace: request.workspace,
      posture: { ...request.posture, ...(await this.#skillPosture(skill, request)) },
      title: request.title ?? firstLine(request.text),
      isElsewhere: worker !== undefined,
      ...given({ permissions: request.permissions, name: request.name, budget: request.threadBudget }),
    });
    if (worker === undefined) await this.#expectReady(row);
    return { isNew: true, id: row.id, row, ...given({ worker }) };
  }

  /** The row of a new thread, checked. */
  newThread(
    request: ThreadRequest & {
      readonly permissions?: 'approval' | 'autonomous';
      readonly budget?: Budget;
      /** Its folder is on another machine, where it is looked for when the work starts. */
      readonly isElsewhere?: boolean;
    },
  ): NewThread {
    const { runtime, name, title, resume, fork, budget } = request;
    const workspace = this.#workspace(request);
    const mode = request.posture.permissionMode;
    const usual =
      mode === undefined && !this.#parts.runtimes.can(runtime, 'approvals') ? 'autonomous' : undefined;
    const { permissions, permissionMode } = resolvePermissions({
      permissions: request.permissions ?? usual,
      permissionMode: mode,
    });
    const posture = checkedPosture({ ...request.posture, permissionMode });
    this.#parts.runtimes.checkLaunch(runtime, posture);
    if (fork && resume === undefined)
      throw new Failure('invalid', 'fork needs resume: name the session to fork in resume.');
    return {
      id: this.#parts.newThreadId(),
      ...given({ name, budget }),
      title: title ?? 'Untitled',
      runtime,
      workspace,
      status: {
        state: 'stopped',
        why: 'not started yet',
        source: 'worker',
        confidence: 'authoritative',
      },
      createdAt: instant(this.#parts.clock),
      launch: {
        permissions,
        posture,
        ...given({ resume, fork }),
      },
    };
  }

  /** Refuses a change that the thread's runtime could not be launched with again. */
  checkAmended({ run }: LiveRun, change: Posture): void {
    this.#parts.runtimes.checkLaunch(run.runtime, { ...sealedPosture(run), ...change });
  }

  /** The worker that new work goes to, where that is another one. Work in a repository can be done anywhere. */
  async #elsewhere({ on, workspace, runtime = 'claude' }: DispatchRequest): Promise<WorkerId | undefined> {
    const { workers, ownId } = this.#parts;
    const isAnywhere = workspace !== undefined && 'repo' in workspace;
    if (on === undefined && !isAnywhere) return undefined;
    const chosen = await (on === undefined ? workers.chooseAny(runtime) : workers.choose(on));
    return chosen === ownId ? undefined : chosen;
  }

  #workspace({ workspace, resume, isElsewhere }: Parameters<Admission['newThread']>[0]): Workspace {
    if (!('repo' in workspace)) return isElsewhere ? namedWorkspace(workspace) : checkedWorkspace(workspace);
    const { repo, ref } = workspace;
    this.#parts.clones.expectAddress(repo);
    if (resume !== undefined)
      throw new Failure('invalid', 'A session is adopted in its folder: name that in workspace.path.');
    return { path: repo, worktree: true, repo, ...given({ ref }) };
  }

  /** What a skill is started with; it is found again at each start. */
  async #skillPosture(skill: string | undefined, request: DispatchRequest): Promise<Posture> {
    const { runtime = 'exec', workspace, posture } = request;
    if (skill === undefined || !workspace) return {};
    if (runtime !== 'exec')
      throw new Failure('invalid', `A skill is a command, so it needs the runtime exec, not ${runtime}.`);
    if (posture?.command !== undefined)
      throw new Failure('invalid', 'skill and command exclude each other. Leave one of them out.');
    if ('repo' in workspace)
      throw new Failure(
        'invalid',
        'A skill is found in the folder of the work before it begins. Give a folder as the workspace, or a command in place of the skill.',
      );
    const { path } = checkedWorkspace(workspace);
    return { command: await this.#parts.skills.commandOf(skill, path), exitCodes: true };
  }

  async #check(id: ThreadId, request: DispatchRequest): Promise<void> {
    const { thread, run } = await this.#parts.changes.state(id);
    if (thread.archivedAt !== undefined)
      throw new Failure(
        'conflict',
        `${id} is archived and can only be read. Take it back with: handraise archive --undo ${id}`,
      );
    if (thread.runtime === 'exec' && thread.launch.posture.command === undefined)
      throw new Failure('conflict', `${id} tells what a pipeline does; no agent works in it.`);
    if (request.name !== undefined)
      throw new Failure(
        'invalid',
        `name is for a new thread. To name this one: handraise rename ${id} ${request.name}`,
      );
    const given = (['workspace', 'on', 'runtime', 'permissions', 'posture', 'threadBudget'] as const).filter(
      (name) => request[name] !== undefined,
    );
    if (given.length > 0) {
      throw new Failure(
        'invalid',
        `A thread keeps what it was made with, so ${given.join(' and ')} cannot be given together with thread. Model and permission mode are changed at the thread.`,
      );
    }
    expectWorktree(request.onSuccess, thread.workspace);
    expectBudgets(thread.runtime, [request.budget]);
    // An agent that lives takes the work as it is.
    if (!run) await this.#expectReady(thread);
  }

  /** Whoever gives work is told at once where its agent could not be started; it takes no place in the queue. */
  async #expectReady({ runtime, launch, workspace }: Pick<NewThread, 'runtime' | 'launch' | 'workspace'>) {
    // It is made when the work begins, and again after it was removed.
    const isToBeMade = workspace.repo !== undefined && !existsSync(workspace.path);
    await this.#parts.preflight.expectReady({
      runtime,
      posture: launch.posture,
      ...(!isToBeMade && { cwd: workspace.path }),
    });
  }
}

/** A budget that nothing would keep to is refused. */
function expectBudgets(runtime: string, budgets: readonly (Budget | undefined)[]): void {
  for (const budget of budgets) {
    const refusal = budget ? budgetRefusal(runtime, budget) : null;
    if (refusal !== null) throw new Failure('unsupported_by_runtime', refusal);
  }
}

function expectWorktree(
  onSuccess: OnSuccess | undefined,
  workspace: WorkspaceRequest | Workspace | undefined,
): void {
  if (onSuccess === undefined || onSuccess === 'keep') return;
  if (workspace && 'repo' in workspace && workspace.repo !== undefined) {
    if (onSuccess !== 'merge') return;
    throw new Failure(
      'invalid',
      'onSuccess merge is for work in a folder of this machine. Work in a repository is pushed on a branch of its own (push), with a pull request if you like (pr).',
    );
  }
  if (workspace && 'worktree' in workspace && workspace.worktree) return;
  throw new Failure(
    'invalid',
    `onSuccess ${onSuccess} needs a worktree: without one the agent works on your files themselves, and they stay as it leaves them.`,
  );
}

/** A workspace that may be on another machine. */
function namedWorkspace(workspace: FolderRequest): FolderRequest {
  const { path, branch } = workspace;
  if (branch !== undefined)
    throw new Failure('invalid', 'The worker chooses workspace.branch. Leave it out.');
  if (!isAbsolute(path))
    throw new Failure('invalid', `workspace.path must be an absolute path; ${path} is not.`);
  return workspace;
}

/** A workspace that is there, by its real path. */
export function checkedWorkspace(workspace: FolderRequest): FolderRequest {
  const { path } = namedWorkspace(workspace);
  let real: string;
  try {
    real = realpathSync(path);
  } catch {
    throw new Failure('missing_file', `The workspace ${path} does not exist.`);
  }
  if (!statSync(real).isDirectory()) throw new Failure('invalid', `The workspace ${path} is not a folder.`);
  return { ...workspace, path: real };
}

function checkedPosture(posture: Posture): Posture {
  if (posture.memoryLimit !== undefined && (memoryBytes(posture.memoryLimit) ?? 0) < leastMemoryBytes)
    throw new Failure(
      'invalid',
      `posture.memoryLimit must be a size of at least 16M, such as 512M or 2G, not "${posture.memoryLimit}".`,
    );
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
