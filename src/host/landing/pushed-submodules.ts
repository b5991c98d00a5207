import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { plainLine } from '../../domain/words/plain-text.js';
import { Git } from '../../process/git/git.js';
import { compareTrees } from '../../process/git/tree-changes.js';
import { Failure } from '../../protocol/failure.js';
import type { LandingMeans, WorkToLand } from './work-to-land.js';

/** Refuses work that moves a submodule to a commit which only the agent's worktree has: it would be gone with it. */
export async function expectPushedSubmodules(
  { shadow, places, base, tree }: WorkToLand,
  { env }: Pick<LandingMeans, 'env'>,
): Promise<void> {
  for (const { path, after } of await compareTrees(shadow.bare, base, tree)) {
    if (after?.mode !== '160000') continue;
    const folder = join(places.top, path);
    if (await isPushed(folder, { commit: after.object, env })) continue;
    throw new Failure(
      'conflict',
      `The work moves the submodule ${plainLine(path)} to ${after.object.slice(0, 12)}, which is on no branch of its remote. ` +
        `Push that commit from ${folder}, then try again.`,
    );
  }
}

async function isPushed(
  folder: string,
  { commit, env }: { readonly commit: string; readonly env: LandingMeans['env'] },
): Promise<boolean> {
  if (!(await lstat(folder).catch(() => undefined))?.isDirectory()) return false;
  const git = await Git.open({ cwd: folder, env });
  const found = await git.run(['for-each-ref', '--count=1', '--contains', commit, 'refs/remotes']);
  return found.code === 0 && found.stdout.trim() !== '';
}
