import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readBoundedFile } from '../../process/files/bounded-file.js';
import { Failure } from '../../protocol/failure.js';

/** Refuses a branch that somebody is rebasing: it is checked out nowhere then, and moves when the rebase ends. */
export function expectNotRebased(commonDir: string, branch: string): void {
  for (const gitDir of gitDirs(commonDir)) {
    for (const folder of ['rebase-merge', 'rebase-apply']) {
      const read = readBoundedFile(join(gitDir, folder, 'head-name'), { limit: 10_000, followLink: false });
      if (read.ok && read.text.trim() === `refs/heads/${branch}`)
        throw new Failure('conflict', `${branch} is being rebased. Finish or abort that with git first.`);
    }
  }
}

function gitDirs(commonDir: string): string[] {
  const worktrees = join(commonDir, 'worktrees');
  try {
    return [commonDir, ...readdirSync(worktrees).map((name) => join(worktrees, name))];
  } catch {
    return [commonDir];
  }
}
