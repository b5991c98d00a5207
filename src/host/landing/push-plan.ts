import { isAbsolute, join, resolve } from 'node:path';
import { remoteAddress } from '../../domain/landing/remote-address.js';
import { rewrittenAddress } from '../../process/git/push.js';
import { Failure } from '../../protocol/failure.js';
import type { Landing, PullRequestRequest } from '../../protocol/landing.js';
import type { LandingPlan } from '../../store/stored-landing.js';
import type { StoredThread } from '../../store/stored-thread.js';
import { messageOf, targetName, type WorkToLand } from './work-to-land.js';

type Planned =
  | { readonly plan: LandingPlan; readonly about: Partial<Landing> }
  | { readonly over: Pick<Landing, 'state' | 'sentence'> };

/** Plans to push the branch of a worktree, with what was not committed, and to open a pull request for it. */
export async function planPush(
  work: WorkToLand,
  {
    thread,
    request,
    isPushOnly = false,
  }: {
    readonly thread: StoredThread;
    readonly request: PullRequestRequest;
    /** Without a pull request, so that it needs no branch to go into. */
    readonly isPushOnly?: boolean;
  },
): Promise<Planned> {
  const { shadow, places, branch, head, tip, tree } = work;
  expectOwnBranch(thread, work);
  const base = isPushOnly ? '' : await targetName(work, { thread, into: request.into });
  if (thread.origin?.snapshot !== undefined)
    throw new Failure(
      'conflict',
      'The work began with changes of yours that are not committed, and its branch would publish them. Merge it into a branch with: handraise merge, then push that one.',
    );
  const before = (await shadow.bare.read(['rev-parse', `${work.base}^{tree}`])).trim();
  if (before === tree)
    return { over: { state: 'done', sentence: 'The work changed nothing, so there is nothing to push.' } };
  const remote = await remoteOf(work, { thread, name: request.remote });
  const [title = ''] = messageOf(thread).split('\n', 1);
  return {
    plan: {
      gitDir: places.commonDir,
      work: { ref: `refs/heads/${branch}`, from: head, to: tip, top: places.top },
      push: {
        places,
        remote: remote.name,
        url: remote.url,
        branch,
        commit: tip,
        base,
        title: request.title ?? title,
        body: request.body ?? `Work of an agent (${thread.id}).`,
        isDraft: request.draft ?? false,
        hasLfs: work.filters.has('lfs'),
        ...(isPushOnly && { isPushOnly }),
      },
    },
    about: { ...(base !== '' && { into: base }), commit: tip },
  };
}

/**
 * Work of a repository that was fetched is pushed to the branch that was made for it: what else an agent has checked out may be
 * a branch that others work on, and nobody has said that it may be moved.
 */
function expectOwnBranch(
  { id, workspace, origin }: StoredThread,
  { branch, places }: Pick<WorkToLand, 'branch' | 'places'>,
): void {
  const { repo, branch: own } = workspace;
  if (repo === undefined || (branch === own && branch !== origin?.branch)) return;
  if (own === undefined || own === origin?.branch)
    throw new Failure(
      'conflict',
      `The work of ${id} has no branch of its own, so nothing is pushed. Put it on one in ${places.top} and push that with git.`,
    );
  throw new Failure(
    'conflict',
    `The worktree of ${id} has the branch ${branch} checked out, and only its own branch ${own} is pushed. Put the work there with: git -C ${places.top} switch -C ${own}. Then: handraise push ${id}`,
  );
}

/** The remote as it was when the work began: an agent can rewrite the repository's config. Or the one that a person names now. */
async function remoteOf(
  { shadow, places }: WorkToLand,
  { thread, name }: { readonly thread: StoredThread; readonly name: string | undefined },
): Promise<{ readonly name: string; readonly url: string }> {
  const { id, origin } = thread;
  if (name === undefined && !origin?.remote)
    throw new Failure(
      'conflict',
      `The repository had no remote when the work began. Add one with: git remote add origin ADDRESS. Then: handraise pr ${id} --remote origin`,
    );
  const found = name === undefined ? origin?.remote : { name, url: await setting(name) };
  if (!found || found.url === '')
    throw new Failure(
      'not_found',
      `The repository has no remote ${JSON.stringify(name)}. Add it with: git remote add NAME ADDRESS`,
    );
  // What the user's own config makes of it may have a password in it, so it is only looked at and not kept.
  const address = remoteAddress(await rewrittenAddress(shadow.bare, found.url));
  if (address.kind === 'unusable')
    throw new Failure(
      'conflict',
      `The address of the remote ${found.name} is not usable: ${address.why}. See: git remote -v`,
    );
  if (address.kind !== 'folder' || isAbsolute(address.path)) return { name: found.name, url: found.url };
  return { name: found.name, url: resolve(origin?.top ?? places.top, address.path) };

  // Read as a plain file, so that no include of the repository's is followed.
  async function setting(remote: string): Promise<string> {
    if (!/^[\w./-]{1,200}$/.test(remote) || remote.startsWith('-')) return '';
    for (const key of ['pushurl', 'url']) {
      const file = join(places.commonDir, 'config');
      const read = await shadow.bare.run([
        'config',
        '--file',
        file,
        '--no-includes',
        '--get',
        `remote.${remote}.${key}`,
      ]);
      if (read.code === 0) return read.stdout.replace(/\n$/, '');
    }
    return '';
  }
}
