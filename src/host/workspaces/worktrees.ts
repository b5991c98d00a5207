import { lstat, mkdir, readdir, realpath, rm } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { RefusalError } from '../../process/files/refusal.js';
import { checkedOutBranches } from '../../process/git/checkout.js';
import { hasForkPoint, markForkPoint } from '../../process/git/fork-point.js';
import { firstLine, Git, type GitPlace } from '../../process/git/git.js';
import { findRepository, type Repository } from '../../process/git/repository.js';
import { unsavedWork } from '../../process/git/unsaved-work.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import { ThreadId } from '../../protocol/id.js';
import type { FolderRequest, Workspace } from '../../protocol/workspace.js';
import {
  branchForFetched,
  chooseBranch,
  dropBranch,
  dropEmptyBranch,
  isOwnBranch,
} from './worktree-branch.js';

// A checkout of a large repository takes minutes on a slow disk.
const checkout = { timeLimitMs: 15 * 60_000 };

export interface WorktreesOptions {
  /** The folder that holds one worktree per thread. */
  readonly root: string;
  /** What git inherits. */
  readonly env: Readonly<Record<string, string>>;
}

export interface WorktreeRequest {
  readonly threadId: ThreadId;
  /** A folder of the repository to make it from; the agent works in the same folder of the worktree. */
  readonly path: string;
  readonly title: string;
  /** A branch to work on: made when it is missing, checked out when it is there. */
  readonly branch?: string;
  /** A commit whose files the worktree begins with, in place of HEAD's; its HEAD stays. */
  readonly files?: string;
}

/** A worktree of a repository that was fetched. */
export interface FetchedWorktreeRequest {
  readonly threadId: ThreadId;
  readonly title: string;
  /** The bare repository that it belongs to. */
  readonly gitDir: string;
  /** Where its branch begins. */
  readonly commit: string;
  /** Where the work began, if that is an earlier commit. */
  readonly base?: string | undefined;
  /** A branch to go on with; a new one unless given. */
  readonly branch?: string | undefined;
}

/** Whether anything would be lost with a worktree, and what. */
export interface WorktreeState {
  readonly exists: boolean;
  readonly clean: boolean;
  readonly why: string;
}

/** Makes and removes a git worktree and a branch per thread, and loses no work unasked. */
export class Worktrees {
  readonly #root: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #making = new Map<ThreadId, Promise<FolderRequest>>();

  constructor({ root, env }: WorktreesOptions) {
    this.#root = root;
    this.#env = env;
  }

  /** Makes a thread's worktree from the HEAD of a repository; one that is there already is given as it is. */
  async create(request: WorktreeRequest): Promise<FolderRequest> {
    return await this.#once(request.threadId, async () => await this.#create(request));
  }

  /** Makes a thread's worktree from a commit that was fetched; one that is there already is given as it is. */
  async createFetched(request: FetchedWorktreeRequest): Promise<FolderRequest> {
    return await this.#once(request.threadId, async () => await this.#createFetched(request));
  }

  /**
   * Says what would be lost with a worktree: uncommitted changes, untracked files, commits that are nowhere else. What
   * was landed up to a commit is not lost, even if the branch that took it in has one commit for all of it.
   */
  async state(path: string, landed?: string): Promise<WorktreeState> {
    return await refusable(async () => {
      const found = await this.#find(this.topOf(path));
      if (found === 'gone') return { exists: false, clean: true, why: 'It is already gone.' };
      if (found === 'broken')
        return { exists: true, clean: false, why: 'It is not a git worktree any more.' };
      const unsaved = await unsavedWork(found, landed);
      if (unsaved.length > 0) return { exists: true, clean: false, why: `It holds ${unsaved.join(', ')}.` };
      return { exists: true, clean: true, why: 'Everything in it is also on another branch or a remote.' };
    });
  }

  /** Removes a worktree, only a clean one unless forced; its branch stays if it has commits of its own. */
  async remove(path: string, { force }: { readonly force: boolean }): Promise<void> {
    const { clean, why } = await this.state(path);
    if (!clean && !force) throw new Failure('conflict', `The worktree was not removed. ${why}`);
    if (!force) await refusable(() => this.#expectUnheld(this.topOf(path)));
    await refusable(() => this.#remove(this.topOf(path)));
  }

  /** Whether a folder is in the worktree of a thread. */
  owns(path: string): boolean {
    const inside = relative(this.#root, path);
    return inside !== '' && !inside.startsWith('..') && !isAbsolute(inside);
  }

  /** The threads whose worktrees are there. */
  async threadIds(): Promise<ThreadId[]> {
    const names = await readdir(this.#root).catch(() => []);
    return names.flatMap((name) => ThreadId.safeParse(name).data ?? []);
  }

  /** Removes a worktree whatever it holds, and its branch, where we named it; for work that is kept elsewhere. */
  async discard({ path, branch }: Workspace, gitDir: string): Promise<void> {
    await refusable(async () => {
      await this.#remove(this.topOf(path));
      if (branch === undefined) return;
      await dropBranch(await Git.open({ cwd: this.#root, env: this.#env, gitDir }), branch);
    });
  }

  async #once(threadId: ThreadId, create: () => Promise<FolderRequest>): Promise<FolderRequest> {
    const making = this.#making.get(threadId) ?? refusable(create, 'setup_failed');
    this.#making.set(threadId, making);
    try {
      return await making;
    } finally {
      this.#making.delete(threadId);
    }
  }

  async #createFetched(request: FetchedWorktreeRequest): Promise<FolderRequest> {
    const { threadId, gitDir, commit, base = commit } = request;
    const top = join(this.#root, threadId);
    const made = await this.#finished(top);
    // One of an earlier time may have another branch checked out by now, which is not the thread's for that.
    if (made?.head.kind === 'branch' && isOwnBranch(made.head.branch, request))
      return { path: top, worktree: true, branch: made.head.branch };
    // No filters: what the repository names may not start anything, and large files stay what was committed of them.
    const git = await Git.open({ cwd: gitDir, gitDir, env: this.#env, filters: 'none' });
    if (made === undefined) await this.#clear(top, git);
    const branch = await branchForFetched(git, request);
    if (made === undefined) {
      const worktree = await this.#checkOut(git, { top, branch, filters: 'none' });
      await markForkPoint(worktree, { kind: 'detached', commit: base });
    }
    return { path: top, worktree: true, branch };
  }

  async #create(request: WorktreeRequest): Promise<FolderRequest> {
    const source = await this.#source(request.path);
    const top = join(this.#root, request.threadId);
    const prefix = (await source.git.read(['rev-parse', '--show-prefix'])).replace(/\n$/, '');
    const made = await this.#finished(top);
    if (made !== undefined) return { path: await folderIn(top, prefix), worktree: true, ...branchOf(made) };

    await this.#clear(top, source.git);
    const branch = await chooseBranch(source.git, request);
    if (!branch.isNew) await expectFree(source.git, branch.name);
    // A step of its own, so that adding can be tried again.
    if (branch.isNew) succeeded(await source.git.run(['branch', '--no-track', branch.name, 'HEAD']));
    const worktree = await this.#checkOut(source.git, { top, branch: branch.name, filters: 'users' });
    if (request.files !== undefined)
      succeeded(await worktree.run(['read-tree', '-m', '-u', 'HEAD', request.files], checkout));
    // Comes last, because it also tells a finished worktree from half of one.
    await markForkPoint(worktree, source.head);
    return { path: await folderIn(top, prefix), worktree: true, branch: branch.name };
  }

  /**
   * Adds a worktree, and fills it by a git of its own: the repository's config may say more (`includeIf`) once a worktree and its
   * branch are there, and the filters that it names then must not run either.
   */
  async #checkOut(
    source: Git,
    { top, branch, filters }: { readonly top: string; readonly branch: string } & Pick<GitPlace, 'filters'>,
  ): Promise<Git> {
    succeeded(await source.run(['worktree', 'add', '--quiet', '--no-checkout', top, branch]));
    const worktree = await Git.open({ cwd: top, env: this.#env, ...given({ filters }) });
    const filled = await worktree.run(['reset', '--quiet', '--hard', '--no-recurse-submodules'], checkout);
    if (filled.code !== 0) await source.run(['worktree', 'remove', '--force', '--force', top]);
    succeeded(filled);
    return worktree;
  }

  async #source(path: string): Promise<Repository> {
    const stat = await lstat(path).catch(() => undefined);
    if (stat === undefined) throw new Failure('missing_file', `${path} does not exist.`);
    const source = await findRepository({ cwd: path, env: this.#env });
    if ('missing' in source)
      throw new Failure(
        'invalid',
        `${path} has no git repository to create a worktree from: ${source.missing}. Run git init there and commit, or work without a worktree.`,
      );
    if (source.head.kind === 'unborn')
      throw new Failure(
        'conflict',
        `${path} has no commit yet, so no worktree can be created from it. Commit something there first.`,
      );
    return source;
  }

  async #finished(top: string): Promise<Repository | undefined> {
    const found = await this.#find(top);
    if (found === 'gone' || found === 'broken') return undefined;
    return (await hasForkPoint(found.git)) ? found : undefined;
  }

  // A worker that died in the middle leaves half a worktree, in which nobody has worked.
  async #clear(top: string, source: Git): Promise<void> {
    await mkdir(this.#root, { recursive: true, mode: 0o700 });
    const found = await this.#find(top);
    await rm(top, { recursive: true, force: true });
    // Forced twice, because git locks what it has not finished.
    await source.run(['worktree', 'remove', '--force', '--force', top]);
    if (typeof found === 'object' && found.head.kind === 'branch')
      await dropEmptyBranch(source, found.head.branch);
  }

  async #remove(top: string): Promise<void> {
    const found = await this.#find(top);
    if (found === 'gone') return;
    if (found === 'broken') return await rm(top, { recursive: true, force: true });
    const gitDir = await found.git.read(['rev-parse', '--path-format=absolute', '--git-common-dir']);
    const repository = await Git.open({
      cwd: this.#root,
      env: this.#env,
      gitDir: gitDir.replace(/\n$/, ''),
    });
    // What would be lost was looked at before. Unforced, git would look again, with the filters that the worktree's config names.
    succeeded(await repository.run(['worktree', 'remove', '--force', '--force', top], checkout));
    if (found.head.kind === 'branch') await dropEmptyBranch(repository, found.head.branch);
  }

  // As git does it unforced: what is in submodules was not looked at, and who locks a worktree wants to keep it.
  async #expectUnheld(top: string): Promise<void> {
    const found = await this.#find(top);
    if (typeof found !== 'object') return;
    const gitDir = (await found.git.read(['rev-parse', '--absolute-git-dir'])).replace(/\n$/, '');
    const isLocked = (await lstat(join(gitDir, 'locked')).catch(() => undefined)) !== undefined;
    const hasSubmodules = (await readdir(join(gitDir, 'modules')).catch(() => [])).length > 0;
    if (isLocked || hasSubmodules)
      throw new Failure(
        'conflict',
        `The worktree was not removed. It ${isLocked ? 'is locked (git worktree unlock)' : 'has submodules, and nobody looked whether their work is elsewhere'}.`,
      );
  }

  // Without a .git of its own git would take the folder for a part of a repository around it.
  async #find(top: string): Promise<Repository | 'gone' | 'broken'> {
    const stat = await lstat(top).catch(() => undefined);
    if (stat === undefined) return 'gone';
    if (!stat.isDirectory() || !(await lstat(join(top, '.git')).catch(() => undefined))) return 'broken';
    const found = await findRepository({ cwd: top, env: this.#env });
    return 'missing' in found ? 'broken' : found;
  }

  /** The top folder of the worktree that a path is in. */
  topOf(path: string): string {
    const [name = ''] = relative(this.#root, path).split(sep);
    if (name === '' || name === '..' || !isAbsolute(path))
      throw new Failure('invalid', `${path} is not a worktree of Handraise.`);
    return join(this.#root, name);
  }
}

function branchOf({ head }: Repository): { branch?: string } {
  return head.kind === 'branch' ? { branch: head.branch } : {};
}

// A folder that HEAD does not hold, or holds as a link to elsewhere, is no place to start an agent in.
async function folderIn(top: string, prefix: string): Promise<string> {
  const folder = prefix.replace(/\/$/, '');
  const real = await realpath(join(top, folder)).catch(() => undefined);
  return real === join(await realpath(top), folder) ? join(top, folder) : top;
}

/** Git lets one branch be checked out in one place only. */
async function expectFree(git: Git, branch: string): Promise<void> {
  const path = (await checkedOutBranches(git)).get(`refs/heads/${branch}`);
  if (path === undefined) return;
  throw new Failure(
    'conflict',
    `The branch ${branch} is checked out in ${path}. Name another branch, or switch to another one there first.`,
  );
}

function succeeded({ code, stderr }: { readonly code: number; readonly stderr: string }): void {
  if (code !== 0) throw new Failure('conflict', `git refused: ${firstLine(stderr)}.`);
}

// What is unavailable is tried again for as long as it takes, and what git has refused it refuses again.
async function refusable<Result>(
  act: () => Promise<Result>,
  code: 'conflict' | 'setup_failed' = 'conflict',
): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof RefusalError) throw new Failure(code, error.message, { cause: error });
    throw error;
  }
}
