import { realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { plainLine } from '../../domain/words/plain-text.js';
import { freePorts, type WorktreePorts, worktreeVariables } from '../../domain/worktree/free-ports.js';
import { type SetupPlan, setupPlan } from '../../domain/worktree/setup-plan.js';
import { Git } from '../../process/git/git.js';
import { Failure } from '../../protocol/failure.js';
import type { ThreadId } from '../../protocol/id.js';
import type { PortRange, WorkspaceScript, WorktreeDefaults } from '../../protocol/scripts-config.js';
import type { ThreadEventBody } from '../../protocol/thread-event.js';
import type { Workspace } from '../../protocol/workspace.js';
import type { Store } from '../../store/store.js';
import type { StoredThread } from '../../store/stored-thread.js';
import { verify } from '../dispatches/verification.js';
import { KeyedQueue } from '../threads/keyed-queue.js';
import type { ThreadChanges } from '../threads/thread-changes.js';
import type { ProjectCodeService } from '../trust/project-code.js';
import { type CopyReport, copyFiles } from './copy-files.js';
import type { Worktrees } from './worktrees.js';

const scriptTimeMs = 30 * 60_000;
const keptOutput = 8000;

export interface WorktreeSetupParts {
  readonly store: Store;
  readonly changes: ThreadChanges;
  readonly worktrees: Worktrees;
  readonly projectCode: ProjectCodeService;
  /** What the user wants for the worktrees of a repository, by the folder of its checkout. */
  readonly repositories: Readonly<Record<string, WorktreeDefaults>>;
  readonly portRange: PortRange;
  /** What the scripts inherit. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Sets a worktree up before the first agent starts in it: files to copy, ports, scripts. That it is done is stored with
 * the thread; a worker that is killed before that does it again.
 */
export class WorktreeSetup {
  readonly #parts: WorktreeSetupParts;
  readonly #allocating = new KeyedQueue<'ports'>();
  /** What each thread was told last. */
  readonly #told = new Map<ThreadId, string>();

  constructor(parts: WorktreeSetupParts) {
    this.#parts = parts;
  }

  /** Does what is not done yet; what fails is thrown, with a sentence. */
  async prepare(threadId: ThreadId, signal: AbortSignal): Promise<void> {
    const { thread } = await this.#parts.changes.state(threadId);
    const { workspace } = thread;
    if (!workspace.worktree || workspace.setUp) return;
    const top = this.#parts.worktrees.topOf(workspace.path);
    const { plan, folder } = await this.#plan(thread, top);
    const ports = workspace.ports ?? (await this.#takePorts(threadId, plan.ports));
    await this.#copy(thread, { plan, top, folder });
    if (plan.isWithheld) return await this.#tell(threadId, withheldNotice(workspace.path));
    const env = {
      ...this.#parts.env,
      ...thread.launch.posture.env,
      ...worktreeVariables({ ports, source: thread.origin?.top }),
    };
    for (const script of plan.scripts) {
      await this.#run(threadId, { script, cwd: folder, env, signal });
      if (signal.aborted) return;
    }
    await this.#patch(threadId, { setUp: true });
  }

  async #plan(
    { id, workspace, origin }: StoredThread,
    top: string,
  ): Promise<{ readonly plan: SetupPlan; readonly folder: string }> {
    const user = origin && (await this.#usersFor(workspace.repo ?? origin.top));
    const found = await this.#parts.projectCode.setupOf(workspace.path);
    if (found !== undefined && 'problem' in found)
      await this.#tell(
        id,
        `The worktree is not set up as its project wants it. ${plainLine(found.problem)}.`,
      );
    const project = found === undefined || 'problem' in found ? undefined : found;
    const plan = setupPlan({
      user,
      project: project && { config: project.config, isApproved: project.approved },
    });
    // What the user's own file says counts from the top of the repository.
    return {
      plan,
      folder: user?.setup === undefined && user?.copyFiles === undefined ? (project?.folder ?? top) : top,
    };
  }

  /** What the user's own settings say for a repository's address, or for a checkout, which they may name through a link. */
  async #usersFor(top: string): Promise<WorktreeDefaults | undefined> {
    for (const [path, defaults] of Object.entries(this.#parts.repositories)) {
      if (path === top || (await realpath(path).catch(() => undefined)) === top) return defaults;
    }
    return undefined;
  }

  async #takePorts(threadId: ThreadId, count: number | undefined): Promise<WorktreePorts | undefined> {
    if (count === undefined) return undefined;
    const { portRange: range } = this.#parts;
    return await this.#allocating.run('ports', async () => {
      const ports = freePorts(count, { range, taken: await this.#takenPorts() });
      if (ports === undefined)
        throw new Failure(
          'setup_failed',
          `No ${count} ports in a row are left between ${range.from} and ${range.to}. Remove worktrees that you do not need (handraise prune), or widen the setting worktreePorts.`,
        );
      await this.#patch(threadId, { ports });
      return ports;
    });
  }

  /** A worktree that is gone has given its ports back. */
  async #takenPorts(): Promise<WorktreePorts[]> {
    const { store, worktrees } = this.#parts;
    const threads = await Promise.all(
      (await worktrees.threadIds()).map(async (id) => await store.query('thread', { id })),
    );
    return threads.flatMap((thread) => thread?.workspace.ports ?? []);
  }

  async #copy(
    { id, origin, workspace }: StoredThread,
    { plan, top, folder }: { readonly plan: SetupPlan; readonly top: string; readonly folder: string },
  ): Promise<void> {
    // A repository that was fetched has no checkout to copy from.
    if (plan.copyFiles.length === 0 || origin === undefined || workspace.repo !== undefined) return;
    const git = await Git.open({ cwd: folder, env: this.#parts.env });
    const from = join(origin.top, relative(top, folder));
    const report = await copyFiles(plan.copyFiles, { from, to: folder, git });
    const message = copiedNotice(report, origin.top);
    if (message !== '') await this.#tell(id, message);
  }

  async #run(
    threadId: ThreadId,
    {
      script,
      cwd,
      env,
      signal,
    }: {
      readonly script: WorkspaceScript;
      readonly cwd: string;
      readonly env: Readonly<Record<string, string>>;
      readonly signal: AbortSignal;
    },
  ): Promise<void> {
    const { name, command } = script;
    await this.#append(threadId, {
      type: 'notice',
      message: `Setting up the worktree: ${plainLine(command)}`,
    });
    const found = await verify({ command, cwd, env, signal, timeoutMs: scriptTimeMs });
    if (signal.aborted) return;
    const { passed } = found;
    const output = found.output.slice(-keptOutput);
    await this.#append(threadId, { type: 'setup_ran', name, command, passed, output });
    if (passed) return;
    const how = found.timedOut
      ? `did not end within ${scriptTimeMs / 60_000} minutes`
      : found.signal === null
        ? `ended with exit code ${found.exitCode}`
        : `was ended by ${found.signal}`;
    throw new Failure(
      'setup_failed',
      `The set-up of the worktree failed, so no agent was started: "${plainLine(command, { maxLength: 200 })}" ${how}. What it printed is in the thread. When it is mended, try again with: handraise retry`,
    );
  }

  async #patch(threadId: ThreadId, about: Pick<Workspace, 'ports' | 'setUp'>): Promise<void> {
    await this.#parts.changes.commit(threadId, (state) => {
      const workspace = { ...state.thread.workspace, ...about };
      return {
        operations: [{ do: 'patchThread', threadId, patch: { workspace } }],
        state: { ...state, thread: { ...state.thread, workspace } },
        result: undefined,
      };
    });
  }

  async #tell(threadId: ThreadId, message: string): Promise<void> {
    if (this.#told.get(threadId) === message) return;
    this.#told.set(threadId, message);
    await this.#append(threadId, { type: 'notice', message });
  }

  async #append(threadId: ThreadId, event: ThreadEventBody): Promise<void> {
    await this.#parts.changes.append(threadId, [event]);
  }
}

function withheldNotice(path: string): string {
  return (
    'This project has scripts that set a worktree up, and nobody has approved them as they are. They did not run, and the ' +
    `agent starts without them. To read and approve them: handraise config trust ${path}`
  );
}

function copiedNotice({ copied, refused }: CopyReport, source: string): string {
  const left = refused.map(({ path, why }) => `${nameOf(path)} (${why})`);
  return [
    ...(copied.length > 0 ? [`Copied from ${source}: ${copied.map(nameOf).join(', ')}.`] : []),
    ...(left.length > 0 ? [`Not copied: ${left.join(', ')}.`] : []),
  ].join(' ');
}

function nameOf(path: string): string {
  return plainLine(path, { maxLength: 200 });
}
