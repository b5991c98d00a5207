import { isAbsolute, join, resolve } from 'node:path';
import { remoteAddress } from '../../domain/landing/remote-address.js';
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
  { thread, request }: { readonly thread: StoredThread; readonly request: PullRequestRequest },
): Promise<Planned> {
  const { shadow, places, branch, head, tip, tree } = work;
  const base = await targetName(work, { thread, into: request.into });
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
      },
    },
    about: { into: base, commit: tip },
  };
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
  // The user's own config may have short names for addresses.
  const url = (await shadow.bare.read(['ls-remote', '--get-url', '--', found.url])).replace(/\n$/, '');
  const address = remoteAddress(url);
  if (address.kind === 'unusable')
    throw new Failure(
      'conflict',
      `The address of the remote ${found.name} is not usable: ${address.why}. See: git remote -v`,
    );
  if (address.kind !== 'folder' || isAbsolute(address.path)) return { name: found.name, url };
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
