import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { RefusalError } from '../../process/files/refusal.js';
import { firstLine, type Git } from '../../process/git/git.js';

const checkout = { timeLimitMs: 15 * 60_000 };

/** Does something in a folder that holds a commit and nothing else, and leaves nothing of it behind. */
export async function inFreshCheckout<Result>(
  { git, commit, scratch }: { readonly git: Git; readonly commit: string; readonly scratch: string },
  act: (folder: string) => Promise<Result>,
): Promise<Result> {
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(scratch, 'verify-'));
  const top = join(folder, 'tree');
  try {
    const made = await git.run(['worktree', 'add', '--quiet', '--detach', top, commit], checkout);
    if (made.code !== 0)
      throw new RefusalError(`git refused a checkout to verify: ${firstLine(made.stderr)}`);
    return await act(top);
  } finally {
    await git.run(['worktree', 'remove', '--force', '--force', top], checkout);
    await rm(folder, { recursive: true, force: true });
    await git.run(['worktree', 'prune']);
  }
}
