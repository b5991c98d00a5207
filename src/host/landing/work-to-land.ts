import { stat } from 'node:fs/promises';
import { isBranchName } from '../../process/git/branch-name.js';
import { findForkPoint } from '../../process/git/fork-point.js';
import { Git } from '../../process/git/git.js';
import { findRepository, type Repository } from '../../process/git/repository.js';
import { findPlaces, type RepositoryPlaces, ShadowRepository } from '../../process/git/shadow-repository.js';
import { takeSnapshot } from '../../process/git/work-tree-snapshot.js';
import { Failure } from '../../protocol/failure.js';
import type { StoredThread } from '../../store/stored-thread.js';
import { baseOf } from '../workspaces/change-reader.js';

/** What git calls the user, for commits made in the user's name. */
export interface CommitIdentity {
  readonly GIT_AUTHOR_NAME: string;
  readonly GIT_AUTHOR_EMAIL: string;
  readonly GIT_COMMITTER_NAME: string;
  readonly GIT_COMMITTER_EMAIL: string;
}

export interface LandingMeans {
  readonly scratch: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The work of a thread, all of it committed in the repository's objects and nothing of it moved yet. */
export interface WorkToLand {
  readonly repository: Repository;
  readonly places: RepositoryPlaces;
  readonly shadow: ShadowRepository;
  readonly identity: CommitIdentity;
  /** The commit that the work is compared with. */
  readonly base: string;
  /** Whether the history tells where the work began; else three trees are merged. */
  readonly isNatural: boolean;
  readonly branch: string;
  /** The agent's last commit. */
  readonly head: string;
  /** The same, or one on top of it with what was not committed. */
  readonly tip: string;
  readonly tree: string;
  /** The filters that changed files go through, such as lfs. */
  readonly filters: ReadonlySet<string>;
}

/** Gathers the work of a worktree for landing; who calls it disposes of the shadow. */
export async function gatherWork(
  thread: StoredThread,
  { message, means }: { readonly message: string | undefined; readonly means: LandingMeans },
): Promise<WorkToLand> {
  const { workspace, origin, id } = thread;
  const { scratch, env } = means;
  if (!workspace.worktree)
    throw new Failure(
      'conflict',
      `The agent of ${id} worked in ${workspace.path} itself, so its changes are there already. Commit them there with git.`,
    );
  const folder = await stat(workspace.path).catch(() => undefined);
  if (workspace.branch === undefined || !folder?.isDirectory())
    throw new Failure('missing_file', goneSentence(thread));
  const repository = await findRepository({ cwd: workspace.path, env });
  if ('missing' in repository)
    throw new Failure('conflict', `${workspace.path} is not a git worktree any more: ${repository.missing}.`);
  const { git, head } = repository;
  if (head.kind !== 'branch')
    throw new Failure(
      'conflict',
      `No branch is checked out in ${workspace.path}. Put the work on one there with: git switch -c NAME`,
    );
  const identity = await identityOf(git);
  const places = await findPlaces(git);
  const { commit: base } = await baseOf(repository, origin);
  const shadow = await ShadowRepository.open({
    places,
    scratch,
    env,
    objects: 'shared',
    filters: 'users',
    variables: { ...identity },
  });
  try {
    const { tree } = await takeSnapshot(shadow, { head: head.commit, largest: Number.POSITIVE_INFINITY });
    const filters = await expectFilters({ shadow, base, tree });
    const unchanged = (await shadow.bare.read(['rev-parse', `${head.commit}^{tree}`])).trim() === tree;
    const tip = unchanged
      ? head.commit
      : await commitTree(shadow.bare, {
          tree,
          parents: [head.commit],
          message: message ?? messageOf(thread),
        });
    const isNatural = origin?.snapshot === undefined && base !== origin?.landed;
    return {
      repository,
      places,
      shadow,
      identity,
      base,
      isNatural,
      branch: head.branch,
      head: head.commit,
      tip,
      tree,
      filters,
    };
  } catch (error) {
    await shadow[Symbol.asyncDispose]();
    throw error;
  }
}

/** The same for whoever uses it in a block. */
export async function gathered(
  ...given: Parameters<typeof gatherWork>
): Promise<WorkToLand & AsyncDisposable> {
  const work = await gatherWork(...given);
  return { ...work, [Symbol.asyncDispose]: async () => await work.shadow[Symbol.asyncDispose]() };
}

/** Writes a commit in the user's name. */
export async function commitTree(
  git: Git,
  commit: {
    readonly tree: string;
    readonly parents: readonly string[];
    readonly message: string;
    readonly variables?: Readonly<Record<string, string>>;
  },
): Promise<string> {
  const { tree, parents, message, variables = {} } = commit;
  const made = await git.read(
    ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-F', '-'],
    {
      input: message.endsWith('\n') ? message : `${message}\n`,
      variables,
    },
  );
  return made.trim();
}

/** What a commit says when nobody says otherwise: the title of the work, and whose it is. */
export function messageOf({ title, id }: StoredThread): string {
  const line =
    title
      .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
      .trim()
      .slice(0, 200) || 'Work of an agent';
  return `${line}\n\nHandraise-Thread: ${id}\n`;
}

/** What a branch that takes the work in is called. */
export async function targetName(
  { repository: { git }, branch }: Pick<WorkToLand, 'repository' | 'branch'>,
  { thread, into }: { readonly thread: StoredThread; readonly into: string | undefined },
): Promise<string> {
  const fork = await findForkPoint(git);
  const isBranch = fork !== undefined && isBranchName(fork.ref) && !/^[0-9a-f]{12}$/.test(fork.ref);
  const name = into ?? thread.origin?.branch ?? (isBranch ? fork.ref : undefined);
  if (name === undefined)
    throw new Failure(
      'invalid',
      'The work began at a commit and not on a branch. Name one with: --into BRANCH',
    );
  if (!isBranchName(name)) throw new Failure('invalid', `${JSON.stringify(name)} is not a branch name.`);
  if (name === branch)
    throw new Failure(
      'invalid',
      `${name} is the branch that the agent works on. Name another with: --into BRANCH`,
    );
  return name;
}

/** The branch that takes the work in, and its tip. */
export async function findTargetBranch(
  work: Pick<WorkToLand, 'repository' | 'branch'>,
  wanted: { readonly thread: StoredThread; readonly into: string | undefined },
): Promise<{ readonly name: string; readonly tip: string }> {
  const name = await targetName(work, wanted);
  const found = await work.repository.git.run(['show-ref', '--verify', '--hash', '--', `refs/heads/${name}`]);
  if (found.code !== 0)
    throw new Failure('not_found', `There is no branch ${name} any more. Name another with: --into BRANCH`);
  return { name, tip: found.stdout.trim() };
}

async function identityOf(git: Git): Promise<CommitIdentity> {
  const [name, email] = await Promise.all(
    ['user.name', 'user.email'].map(async (key) => (await git.run(['config', '--get', key])).stdout.trim()),
  );
  if (!name || !email)
    throw new Failure(
      'conflict',
      'Git does not know who you are. Tell it with: git config --global user.name NAME; git config --global user.email ADDRESS',
    );
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  };
}

/** The filters that changed files need; refuses one that the user has not set up: they would be committed as they must not be. */
async function expectFilters({
  shadow,
  base,
  tree,
}: {
  readonly shadow: ShadowRepository;
  readonly base: string;
  readonly tree: string;
}): Promise<ReadonlySet<string>> {
  const names = await shadow.bare.read([
    'diff-tree',
    '-r',
    '--name-only',
    '-z',
    '--no-renames',
    '--diff-filter=d',
    base,
    tree,
  ]);
  if (names === '') return new Set();
  const listed = await shadow.workTree.read(['check-attr', '-z', '--stdin', 'filter'], { input: names });
  const fields = listed.split('\0');
  const known = new Map<string, boolean>();
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path = '', , filter = ''] = fields.slice(at, at + 3);
    if (['unspecified', 'unset', 'set', ''].includes(filter)) continue;
    if (!known.has(filter)) known.set(filter, await isSetUp(shadow.bare, filter));
    if (known.get(filter)) continue;
    const how =
      filter === 'lfs' ? 'Install git-lfs and run: git lfs install' : 'Set it up in your own git config.';
    throw new Failure('conflict', `${path} needs the filter ${filter}, which your git does not have. ${how}`);
  }
  return new Set(known.keys());
}

// The shadow sees the user's own config and nothing of the repository's.
async function isSetUp(git: Git, filter: string): Promise<boolean> {
  for (const kind of ['process', 'clean']) {
    const found = await git.run(['config', '--get', '--', `filter.${filter}.${kind}`]);
    if (found.code !== 0 || found.stdout.trim() === '') continue;
    if (filter !== 'lfs') return true;
    return (await git.run(['lfs', 'version'])).code === 0;
  }
  return false;
}

function goneSentence({ workspace, id }: StoredThread): string {
  const { path, branch } = workspace;
  if (branch === undefined) return `${id} has no worktree yet.`;
  return `The worktree ${path} does not exist any more. What was committed is on its branch: git merge ${branch}`;
}
