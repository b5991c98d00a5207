import { lstat, mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { errnoOf } from '../process/files/errno.js';
import { RefusalError } from '../process/files/refusal.js';
import { openToAppend, readText } from '../process/files/regular-file.js';
import { Git, type GitPlace } from '../process/git/git.js';

const MAX_BYTES = 1024 * 1024;
// The scripts config is the team's to commit, so it stays visible.
const RULES = ['.handraise/*', '!.handraise/config.json', '.agora/', '.claude/skills/agora-needs-input/'];

/** Keeps what we and the agent's questions store in the workspace out of `git status`; gives the reason when that cannot be done. */
export async function keepOutOfStatus(
  place: GitPlace,
  files: readonly string[],
): Promise<string | undefined> {
  const git = await Git.open(place);
  // Asked of git, because in a linked worktree the file is the main repository's.
  const where = await git.run(['rev-parse', '--git-path', 'info/exclude']);
  if (where.code !== 0) return undefined;
  const ignored = await git.run(['check-ignore', '--no-index', '--', ...files]);
  if (ignored.stdout.split('\n').length > files.length) return undefined;
  try {
    await appendRules(resolve(place.cwd, where.stdout.replace(/\n$/, '')));
    return undefined;
  } catch (error) {
    if (!(error instanceof RefusalError) && errnoOf(error) === undefined) throw error;
    const why = error instanceof RefusalError ? error.message : (errnoOf(error) ?? '');
    return `${files.join(' and ')} will show in git status: ${why}`;
  }
}

async function appendRules(path: string): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  if (!(await lstat(folder)).isDirectory())
    throw new RefusalError('.git/info is a symbolic link, and is not followed.');
  const name = '.git/info/exclude';
  await using handle = await openToAppend(path, name);
  const text = await readText(handle, { name, bytes: MAX_BYTES });
  const present = new Set(text.split('\n'));
  // A rule of the user's own may overrule ours; adding them at every call would not change that.
  const missing = RULES.filter((rule) => !present.has(rule));
  if (missing.length === 0) return;
  await handle.appendFile(`${text === '' || text.endsWith('\n') ? '' : '\n'}${missing.join('\n')}\n`);
}
