import { lstat, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from '../files/errno.js';
import { RefusalError } from '../files/refusal.js';
import { openToRead, readText } from '../files/regular-file.js';
import { workspacePath } from '../files/workspace-path.js';
import type { ChangedFile } from './changed-file.js';

const MAX_BYTES = 1024 * 1024;

/** A file git does not know yet, with the patch that would add it, written as git writes one. */
export interface UntrackedFile {
  readonly file: ChangedFile;
  readonly patch: string;
}

/** Reads an untracked file as an addition; one that is binary, too large or unreadable comes without its text. */
export async function readUntracked(cwd: string, path: string): Promise<UntrackedFile> {
  const header = `diff --git ${quote(`a/${path}`)} ${quote(`b/${path}`)}\nnew file (untracked)\n`;
  const unread = { path, status: 'untracked', added: null, removed: null } as const;
  const content = await contentOf(cwd, path);
  if ('not' in content) return { file: unread, patch: `${header}[${content.not}]\n` };
  const lines = content.text.split('\n');
  const closed = lines.at(-1) === '';
  if (closed) lines.pop();
  const file = { ...unread, added: lines.length, removed: 0 };
  if (lines.length === 0) return { file, patch: header };
  const body = lines.map((line) => `+${line}\n`).join('');
  const patch = `${header}--- /dev/null\n+++ ${quote(`b/${path}`)}\n@@ -0,0 +1,${lines.length} @@\n${body}`;
  return { file, patch: closed ? patch : `${patch}\\ No newline at end of file\n` };
}

async function contentOf(cwd: string, path: string): Promise<{ text: string } | { not: string }> {
  // Git names a repository inside the workspace, and nothing else, with a slash at the end.
  if (path.endsWith('/')) return { not: 'a git repository of its own' };
  const full = join(cwd, path);
  try {
    // A link's content is where it points, as in git; it is never followed.
    if ((await lstat(full)).isSymbolicLink()) return { text: await readlink(full) };
    await workspacePath(cwd, path);
    await using handle = await openToRead(full, path);
    if (handle === undefined) return { not: 'gone meanwhile' };
    const text = await readText(handle, { name: path, bytes: MAX_BYTES });
    return text.includes('\0') ? { not: 'binary' } : { text };
  } catch (error) {
    if (error instanceof RefusalError) return { not: error.message };
    return { not: `not readable: ${errnoOf(error) ?? 'unknown'}` };
  }
}

function quote(path: string): string {
  return /["\\\p{Cc}]/u.test(path) ? JSON.stringify(path) : path;
}
