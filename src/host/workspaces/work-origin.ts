import { Git } from '../../process/git/git.js';
import { findRepository, type Repository } from '../../process/git/repository.js';
import { findPlaces, ShadowRepository } from '../../process/git/shadow-repository.js';
import { takeSnapshot, type WorkTreeSnapshot } from '../../process/git/work-tree-snapshot.js';
import type { WorkOrigin } from '../../protocol/changes.js';
import type { ThreadId } from '../../protocol/id.js';

/** A file above this size is neither compared nor kept when work begins. */
export const largestCompared = 20 * 2 ** 20;

/** Commits that nobody asked for carry this name, and are on no branch. */
const ourselves = {
  GIT_AUTHOR_NAME: 'Handraise',
  GIT_AUTHOR_EMAIL: 'handraise@localhost',
  GIT_COMMITTER_NAME: 'Handraise',
  GIT_COMMITTER_EMAIL: 'handraise@localhost',
};

export interface OriginRequest {
  readonly threadId: ThreadId;
  readonly path: string;
  /** Keeps the files as they are, with what is not committed. */
  readonly keepsFiles: boolean;
  readonly scratch: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Notes where work begins; undefined where there is no repository. The user's index and branches are not touched. */
export async function noteOrigin(request: OriginRequest): Promise<WorkOrigin | undefined> {
  const { path, env } = request;
  const repository = await findRepository({ cwd: path, env, filters: 'none' });
  if ('missing' in repository) return undefined;
  const { head, git } = repository;
  const places = await findPlaces(git);
  const remote = await remoteOf(git, head.kind === 'detached' ? undefined : head.branch);
  return {
    top: places.top,
    ...(head.kind === 'detached' ? {} : { branch: head.branch }),
    ...(head.kind === 'unborn' ? {} : { commit: head.commit }),
    ...(remote && { remote }),
    ...(request.keepsFiles && { snapshot: await keepFiles(repository, request) }),
  };
}

/** Where the snapshot of a thread's start is kept from git's collection of garbage. */
function startRef(threadId: ThreadId): string {
  return `refs/handraise/start/${threadId}`;
}

/** Lets git forget the files as they were when the work of a thread began. */
export async function forgetStart(
  threadId: ThreadId,
  { top, env }: { readonly top: string; readonly env: Readonly<Record<string, string>> },
): Promise<void> {
  const git = await Git.open({ cwd: top, env });
  await git.run(['update-ref', '-d', startRef(threadId)]);
}

async function keepFiles(repository: Repository, { threadId, scratch, env }: OriginRequest): Promise<string> {
  const { git, head } = repository;
  const places = await findPlaces(git);
  await using shadow = await ShadowRepository.open({
    places,
    scratch,
    env,
    objects: 'shared',
    filters: 'none',
    variables: ourselves,
  });
  const commit = head.kind === 'unborn' ? undefined : head.commit;
  const { tree }: WorkTreeSnapshot = await takeSnapshot(shadow, { head: commit, largest: largestCompared });
  const parent = commit === undefined ? [] : ['-p', commit];
  const message = `The files when the work of ${threadId} began`;
  const snapshot = (await shadow.bare.read(['commit-tree', tree, ...parent, '-m', message])).trim();
  await git.succeed(['update-ref', startRef(threadId), snapshot]);
  return snapshot;
}

async function remoteOf(git: Git, branch: string | undefined): Promise<WorkOrigin['remote']> {
  const configured = branch === undefined ? '' : await setting(git, `branch.${branch}.remote`);
  const name = configured === '' || configured === '.' ? 'origin' : configured;
  const url = (await setting(git, `remote.${name}.pushurl`)) || (await setting(git, `remote.${name}.url`));
  return url === '' ? undefined : { name, url };
}

async function setting(git: Git, key: string): Promise<string> {
  const found = await git.run(['config', '--get', '--', key]);
  return found.code === 0 ? found.stdout.replace(/\n$/, '') : '';
}

/** Says what a new worktree leaves out, where its source has changes that are not committed. */
export async function leftBehind(
  path: string,
  env: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const repository = await findRepository({ cwd: path, env });
  if ('missing' in repository) return undefined;
  const { staged, unstaged, untracked, conflicted } = repository.changes;
  if (staged + unstaged + untracked + conflicted === 0) return undefined;
  const counts = [
    [staged, 'staged'],
    [unstaged, 'changed'],
    [untracked, 'untracked'],
    [conflicted, 'conflicted'],
  ] as const;
  const words = counts.flatMap(([count, word]) => (count > 0 ? [`${count} ${word}`] : []));
  return (
    `What is not committed in ${path} (files: ${words.join(', ')}) is not in the worktree. ` +
    'To begin with it: handraise run --worktree --include-changes'
  );
}
