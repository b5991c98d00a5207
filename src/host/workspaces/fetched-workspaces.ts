import { shownAddress } from '../../domain/landing/remote-address.js';
import { Git } from '../../process/git/git.js';
import { hasCommit } from '../../process/git/remote-fetch.js';
import type { WorkOrigin } from '../../protocol/changes.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import type { Workspace } from '../../protocol/workspace.js';
import type { StoredThread } from '../../store/stored-thread.js';
import type { FetchedCommit, RepositoryClones } from './repository-clones.js';
import { isOwnBranch } from './worktree-branch.js';
import type { Worktrees } from './worktrees.js';

export interface FetchedWorkspacesParts {
  readonly clones: RepositoryClones;
  readonly worktrees: Worktrees;
  readonly env: Readonly<Record<string, string>>;
}

/** The worktree of a thread whose work was given as a repository, and where its work began. */
export interface FetchedWorkspace {
  readonly workspace: Workspace;
  readonly origin: WorkOrigin;
  readonly message: string;
}

/** Makes the worktrees of work that was given as a repository and a ref, on whatever worker it is. */
export class FetchedWorkspaces {
  readonly #parts: FetchedWorkspacesParts;

  constructor(parts: FetchedWorkspacesParts) {
    this.#parts = parts;
  }

  /** What to tell the thread before a fetch that may take long; undefined where little is to come. */
  async notice(repo: string): Promise<string | undefined> {
    return (await this.#parts.clones.has(repo))
      ? undefined
      : `Fetching ${shownAddress(repo)} for the first time.`;
  }

  /**
   * Fetches and checks out. Work that was pushed before is gone on with, from the branch as it is now; so it is after the worktree
   * was removed, and after the worker that had it is gone.
   */
  async make(
    { id, title, workspace, origin: before }: Pick<StoredThread, 'id' | 'title' | 'workspace' | 'origin'>,
    { repo, signal }: { readonly repo: string; readonly signal: AbortSignal },
  ): Promise<FetchedWorkspace> {
    const { clones, worktrees, env } = this.#parts;
    const { ref } = workspace;
    // Any other branch is others', whatever an agent has once made of it.
    const isOwn = (name: string | undefined) => name !== undefined && isOwnBranch(name, { threadId: id });
    const own = isOwn(workspace.branch) ? workspace.branch : undefined;
    const pushed = isOwn(workspace.pushed?.branch) ? workspace.pushed : undefined;
    // Its worktree was here; what it committed is on its branch still.
    const kept = own === undefined ? undefined : await this.#kept(own, repo);
    const earlier = kept ?? (pushed && (await this.#branch(pushed.branch, { repo, signal })));
    const start = earlier ?? (await clones.obtain(repo, { ref, signal }));
    const git = await Git.open({ cwd: start.gitDir, gitDir: start.gitDir, env, filters: 'none' });
    const began = before?.commit;
    const base = began !== undefined && (await hasCommit(git, began)) ? began : start.commit;
    const made = await worktrees.createFetched({
      threadId: id,
      title,
      gitDir: start.gitDir,
      commit: start.commit,
      base,
      ...given({ branch: earlier?.branch }),
    });
    const from = earlier
      ? `what was pushed to ${earlier.branch}`
      : `${ref ?? start.branch ?? 'HEAD'} of ${repo}`;
    return {
      workspace: { ...made, repo, ...given({ ref, pushed }) },
      origin: {
        ...before,
        top: start.gitDir,
        commit: base,
        ...given({ branch: before?.branch ?? start.branch }),
        remote: { name: 'origin', url: repo },
      },
      message: `The agent works on branch ${made.branch} in ${made.path}, from ${kept ? `what was on ${own} before` : from} (${start.commit.slice(0, 12)}).`,
    };
  }

  /** A branch that was pushed may have been merged and deleted since; then the work begins where it began. */
  async #branch(
    branch: string,
    { repo, signal }: { readonly repo: string; readonly signal: AbortSignal },
  ): Promise<FetchedCommit | undefined> {
    try {
      return await this.#parts.clones.obtain(repo, { ref: `refs/heads/${branch}`, signal });
    } catch (error) {
      if (error instanceof Failure && error.code === 'not_found') return undefined;
      throw error;
    }
  }

  async #kept(branch: string, repo: string): Promise<FetchedCommit | undefined> {
    const gitDir = await this.#parts.clones.gitDirOf(repo);
    if (gitDir === undefined) return undefined;
    const git = await Git.open({ cwd: gitDir, gitDir, env: this.#parts.env, filters: 'none' });
    const found = await git.run(['show-ref', '--verify', '--hash', '--', `refs/heads/${branch}`]);
    return found.code === 0 ? { gitDir, commit: found.stdout.trim(), branch } : undefined;
  }
}
