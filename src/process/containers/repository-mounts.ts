import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { readBoundedFile } from '../files/bounded-file.js';
import { borrowedObjects } from '../git/fetched-repository.js';

interface RepositoryMount {
  readonly from: string;
  readonly to: string;
  readonly isReadOnly: true;
}

/**
 * A repository as a container sees it: read-only. Who may write there could have the git of the machine start a program,
 * by a hook or by a line in its configuration. The repository of a worktree is mounted where its own files say it is.
 */
export function repositoryMounts(
  workspace: string,
  to: string,
  /** The folder of the repositories that were fetched: those borrow their objects from another one. */
  repositories: string,
): RepositoryMount[] {
  const git = join(workspace, '.git');
  const found = lstatSync(git, { throwIfNoEntry: false });
  if (!found || found.isSymbolicLink()) return [];
  const own = { from: git, to: `${to}/.git`, isReadOnly: true } as const;
  if (found.isDirectory()) return [own];
  const folder = line(git, /^gitdir: (.+)$/m);
  if (folder === undefined || !isAbsolute(folder) || !existsSync(folder)) return [own];
  const common = line(join(folder, 'commondir'), /^(.+)$/m);
  const place = realpathSync(common === undefined ? folder : resolve(folder, common));
  // It names the worktree in return; else a file that an agent has written could show it any folder of the machine.
  const back = line(join(folder, 'gitdir'), /^(.+)$/m);
  if (back === undefined || realpathSync(dirname(back)) !== realpathSync(workspace)) return [own];
  const borrowed = borrowedObjects(place, realPath(repositories));
  return [
    own,
    { from: place, to: place, isReadOnly: true },
    ...(borrowed !== undefined && existsSync(borrowed)
      ? [{ from: borrowed, to: borrowed, isReadOnly: true } as const]
      : []),
  ];
}

function realPath(folder: string): string {
  return existsSync(folder) ? realpathSync(folder) : folder;
}

function line(file: string, pattern: RegExp): string | undefined {
  const read = readBoundedFile(file, { limit: 64 * 1024, followLink: false });
  return read.ok ? pattern.exec(read.text)?.[1] : undefined;
}
