import { existsSync } from 'node:fs';
import { sealedPosture } from '../../domain/dispatch/sealed-posture.js';
import { worktreeVariables } from '../../domain/worktree/free-ports.js';
import { RefusalError } from '../../process/files/refusal.js';
import type { WorkOrigin } from '../../protocol/changes.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import type { DispatchId, RunId, ThreadId } from '../../protocol/id.js';
import { isPlainToolName } from '../../protocol/tool-name.js';
import type { Store } from '../../store/store.js';
import type { StoredThread } from '../../store/stored-thread.js';
import type { WorkerSettings } from '../host-environment.js';
import type { OutputFiles } from '../pipelines/output-files.js';
import type { RuntimeCatalog } from '../runtime-catalog.js';
import type { ThreadChanges } from '../threads/thread-changes.js';
import type { ProjectCodeService } from '../trust/project-code.js';
import type { Skills } from '../trust/skills.js';
import type { FetchedWorkspaces } from '../workspaces/fetched-workspaces.js';
import { leftBehind, noteOrigin } from '../workspaces/work-origin.js';
import type { WorktreeSetup } from '../workspaces/worktree-setup.js';
import type { Worktrees } from '../workspaces/worktrees.js';
import type { Preflight } from './preflight.js';
import type { RunSupervisor } from './run-supervisor.js';
import { threadSession } from './thread-session.js';

export interface RunLaunchParts {
  readonly store: Store;
  readonly changes: ThreadChanges;
  readonly supervisor: RunSupervisor;
  readonly worktrees: Worktrees;
  readonly fetched: FetchedWorkspaces;
  readonly setup: WorktreeSetup;
  readonly projectCode: ProjectCodeService;
  readonly skills: Skills;
  readonly runtimes: RuntimeCatalog;
  readonly preflight: Preflight;
  readonly settings: Pick<WorkerSettings, 'usualPosture' | 'elicitingTools'>;
  /** Where phases of pipelines leave what they give to those after them. */
  readonly outputs: OutputFiles;
  /** A folder for what is needed for a moment. */
  readonly scratch: string;
  /** What git inherits. */
  readonly env: Readonly<Record<string, string>>;
}

/** Starts the agent of a thread, with the posture and the session that are the thread's. */
export class RunLaunch {
  readonly #parts: RunLaunchParts;
  /** What each thread was told last about code that its agent does not get. */
  readonly #lastNotice = new Map<ThreadId, string>();

  constructor(parts: RunLaunchParts) {
    this.#parts = parts;
  }

  /**
   * With `fresh` the agent begins a new session, unless an earlier run of the same try has begun one; else it goes on with
   * the last one, where there is one. Null where the signal came before the agent was started.
   */
  async launch(
    threadId: ThreadId,
    {
      how,
      earlier,
      work,
      signal,
    }: {
      readonly how: 'resume' | 'fresh';
      readonly earlier: readonly RunId[];
      readonly work: DispatchId;
      readonly signal: AbortSignal;
    },
  ): Promise<RunId | null> {
    const { store, changes, supervisor, setup, projectCode, skills, runtimes, preflight, settings } =
      this.#parts;
    const { thread } = await changes.state(threadId);
    // It was there when the work was taken, which may be long ago.
    runtimes.expectInstalled(thread.runtime, thread.launch.posture);
    await runtimes.expectImage(thread.launch.posture);
    const cwd = await this.#workspace(thread, signal);
    if (cwd === null) return null;
    await setup.prepare(threadId, signal);
    if (signal.aborted) return null;
    const { newest, runId, isLost, id: session } = await threadSession(store, thread);
    const isFresh = how === 'fresh' && !(runId && earlier.includes(runId));
    // An agent that cannot take its session up again begins anew, and the thread says so.
    const isForgotten = isFresh || !this.canResume(thread);
    const kept = isForgotten ? undefined : session;
    const resume = isFresh ? undefined : (kept ?? thread.launch.resume);
    const isFirst = newest === undefined && !thread.workspace.worktree && thread.origin === undefined;
    const [code, impatientTools] = await Promise.all([
      projectCode.approvedFiles(cwd),
      runtimes.can(thread.runtime, 'approvals') ? this.#impatientTools() : [],
      isFirst ? this.#noteStart(thread) : undefined,
    ]);
    if (code.withheld.length > 0) await this.#noticeOnce(threadId, withheldNotice(code.withheld, cwd));
    if (isForgotten && session !== undefined)
      await this.#notice(
        threadId,
        'The agent starts a new session and does not remember what was said before.',
      );
    if (isLost)
      await this.#notice(
        threadId,
        'The agent starts a new session, because its process ended before it had saved the old one.',
      );
    const { skill } = thread.launch.posture;
    const posture = {
      ...(newest
        ? sealedPosture(newest)
        : { ...settings.usualPosture(thread.runtime), ...thread.launch.posture }),
      ...given({ command: runtimes.commandOf(thread.runtime) }),
      ...(skill !== undefined && { command: await skills.commandOf(skill, cwd) }),
    };
    const ready = { runtime: thread.runtime, posture, cwd, projectFiles: code.files };
    for (const notice of await preflight.expectReady(ready)) await this.#noticeOnce(threadId, notice);
    // It may have been called off meanwhile.
    if (signal.aborted) return null;
    const { id } = await supervisor.start({
      threadId,
      work,
      runtime: thread.runtime,
      cwd,
      // Without the user's own settings unless the user wants them: their allow rules would shadow approvals.
      posture: { ...posture, ...(await this.#variables(threadId, posture.env)) },
      projectCode: code.files.map(({ path, text }) => ({ path, text })),
      startsAfresh: isLost,
      ...given({ resume }),
      ...(impatientTools.length > 0 && { impatientTools }),
      ...(session === undefined && thread.launch.fork ? { fork: true } : {}),
    });
    return id;
  }

  /** Whether the agent of a thread goes on with its session after its process has ended. */
  canResume({ runtime }: Pick<StoredThread, 'runtime'>): boolean {
    return this.#parts.runtimes.can(runtime, 'resume');
  }

  /**
   * Tools whose server asks inside of a call: those that the user has named, and those whose server did not wait until somebody
   * answered. One who is asked before the call can wait.
   */
  async #impatientTools(): Promise<readonly string[]> {
    const { store, settings } = this.#parts;
    const { rows } = await store.query('prompts', { givenUp: true, order: 'newest_first' });
    const tools = rows.flatMap(({ questions }) => questions.flatMap(({ tool }) => tool ?? []));
    return [...new Set([...(settings.elicitingTools ?? []), ...tools])].filter(isPlainToolName);
  }

  /** What the agent's environment says of its worktree, and of its phase where that came from another worker. */
  async #variables(
    threadId: ThreadId,
    env: Readonly<Record<string, string>> = {},
  ): Promise<{ env?: Record<string, string> }> {
    const { changes, outputs } = this.#parts;
    const { workspace, origin } = (await changes.state(threadId)).thread;
    const moved = await outputs.here(env);
    if (workspace.ports === undefined) return moved === null ? {} : { env: moved };
    const { ports } = workspace;
    return { env: { ...env, ...moved, ...worktreeVariables({ ports, source: origin?.top }) } };
  }

  /** Why the agent of a thread that has crashed cannot work here at all; null where nothing explains it. */
  async whyNot({ runtime, launch, workspace }: StoredThread): Promise<Failure | null> {
    return await this.#parts.preflight.whyNot({ runtime, posture: launch.posture, cwd: workspace.path });
  }

  /** The directory to work in; a worktree is made when its thread first needs it. */
  async #workspace(thread: StoredThread, signal: AbortSignal): Promise<string | null> {
    const { id, title, workspace: wanted } = thread;
    if (wanted.repo !== undefined) return await this.#fetched(thread, { repo: wanted.repo, signal });
    if (!wanted.worktree || wanted.branch !== undefined) {
      if (existsSync(wanted.path)) return wanted.path;
      throw new Failure('missing_file', `The workspace ${wanted.path} does not exist any more.`);
    }
    const { path, includeChanges = false } = wanted;
    const { worktrees, changes, env } = this.#parts;
    const notice = includeChanges ? undefined : await leftBehind(path, env).catch(() => undefined);
    const origin = await this.#origin(id, { path, keepsFiles: includeChanges });
    const files = origin?.snapshot;
    const made = await worktrees.create({ threadId: id, path, title, ...given({ files }) });
    const workspace = { ...made, project: path };
    const messages = [`The agent works on branch ${made.branch} in ${made.path}.`, notice];
    await changes.commit(id, (state) => ({
      operations: [{ do: 'patchThread', threadId: id, patch: { workspace, ...given({ origin }) } }],
      events: messages.flatMap((message) => (message === undefined ? [] : [{ type: 'notice', message }])),
      state: { ...state, thread: { ...state.thread, workspace, ...given({ origin }) } },
      result: undefined,
    }));
    return made.path;
  }

  /** The worktree of a repository; null where the signal came before it was made. */
  async #fetched(
    thread: StoredThread,
    { repo, signal }: { readonly repo: string; readonly signal: AbortSignal },
  ): Promise<string | null> {
    const { id, workspace } = thread;
    if (workspace.branch !== undefined && existsSync(workspace.path)) return workspace.path;
    const { fetched, changes } = this.#parts;
    const notice = await fetched.notice(repo);
    if (notice !== undefined) await this.#noticeOnce(id, notice);
    try {
      const made = await fetched.make(thread, { repo, signal });
      await changes.commit(id, (state) => ({
        operations: [
          { do: 'patchThread', threadId: id, patch: { workspace: made.workspace, origin: made.origin } },
        ],
        events: [{ type: 'notice', message: made.message }],
        state: {
          ...state,
          thread: { ...state.thread, workspace: made.workspace, origin: made.origin },
        },
        result: undefined,
      }));
      return made.workspace.path;
    } catch (error) {
      if (signal.aborted) return null;
      throw error;
    }
  }

  /** Keeps the files as they are before the first agent of a thread touches them, so that its changes can be told. */
  async #noteStart({ id, workspace }: StoredThread): Promise<void> {
    let origin: WorkOrigin | undefined;
    try {
      origin = await this.#origin(id, { path: workspace.path, keepsFiles: true });
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
      const message = `The files could not be kept as they are now, so changes are compared with HEAD. ${error.message}`;
      return await this.#notice(id, message);
    }
    if (origin === undefined) return;
    await this.#parts.changes.commit(id, (state) => ({
      operations: [{ do: 'patchThread', threadId: id, patch: { origin } }],
      state: { ...state, thread: { ...state.thread, origin } },
      result: undefined,
    }));
  }

  async #origin(
    threadId: ThreadId,
    wanted: { readonly path: string; readonly keepsFiles: boolean },
  ): Promise<WorkOrigin | undefined> {
    const { scratch, env } = this.#parts;
    return await noteOrigin({ threadId, ...wanted, scratch, env });
  }

  /** An agent may start many times, and its project may change in between. */
  async #noticeOnce(threadId: ThreadId, message: string): Promise<void> {
    if (this.#lastNotice.get(threadId) === message) return;
    this.#lastNotice.set(threadId, message);
    await this.#notice(threadId, message);
  }

  async #notice(threadId: ThreadId, message: string): Promise<void> {
    await this.#parts.changes.append(threadId, [{ type: 'notice', message }]);
  }
}

const mostNamed = 8;

function withheldNotice(files: readonly string[], cwd: string): string {
  const them = files.length === 1 ? 'it' : 'them';
  const more = files.length > mostNamed ? ` and ${files.length - mostNamed} more files` : '';
  return (
    `${files.slice(0, mostNamed).join(', ')}${more} of this project can start programs or widen rights, and nobody has ` +
    `approved ${them}. The agent runs without ${them}. To approve: handraise config trust ${cwd}`
  );
}
