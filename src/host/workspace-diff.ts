import { stat } from 'node:fs/promises';
import { type DiffBase, headBase, mergeBase } from '../process/git/diff-base.js';
import { findForkPoint } from '../process/git/fork-point.js';
import { fitPatches } from '../process/git/patch.js';
import { findRepository, type Repository } from '../process/git/repository.js';
import { takeDiff } from '../process/git/workspace-diff.js';
import { Refusal } from '../process/refusal.js';
import type { ThreadDiff } from '../protocol/api.js';
import { Failure } from '../protocol/failure.js';
import type { Workspace } from '../protocol/workspace.js';

// What a browser still shows without effort.
const MAX_PATCH = 1_000_000;
const MAX_FILES = 2_000;

/** What a thread's workspace holds that its base does not, committed or not; without a repository it is empty, with a note. */
export async function threadDiff(
  { path }: Workspace,
  env: Readonly<Record<string, string>>,
): Promise<ThreadDiff> {
  try {
    const folder = await stat(path).catch(() => undefined);
    if (!folder?.isDirectory()) return withoutDiff(`The workspace ${path} is gone.`);
    const repository = await findRepository({ cwd: path, env });
    if ('missing' in repository) return withoutDiff(`There is no diff to show: ${repository.missing}.`);
    return await diffOf(repository);
  } catch (error) {
    if (error instanceof Refusal) throw new Failure('unavailable', error.message, { cause: error });
    throw error;
  }
}

async function diffOf(repository: Repository): Promise<ThreadDiff> {
  const { note, ...base } = await baseOf(repository);
  const { files, patches, notes } = await takeDiff(repository, { base, mode: 'full' });
  const patch = fitPatches(patches, MAX_PATCH);
  return {
    base,
    files: files
      .slice(0, MAX_FILES)
      .map(({ path, status, added, removed }) => ({ path, status, added, removed })),
    patch: patch.text,
    notes: [
      ...(note === undefined ? [] : [note]),
      ...notes,
      ...(files.length > MAX_FILES ? [`The list is cut at ${MAX_FILES} of ${files.length} files.`] : []),
      ...(patch.cut.length > 0 ? [`The patch is cut at ${MAX_PATCH} characters, in ${patch.cut[0]}.`] : []),
      ...(patch.omitted.length > 0 ? [`The patch leaves out ${patch.omitted.length} more files.`] : []),
    ],
  };
}

async function baseOf(repository: Repository): Promise<DiffBase & { readonly note?: string }> {
  const fork = repository.head.kind === 'unborn' ? undefined : await findForkPoint(repository.git);
  return fork === undefined ? await headBase(repository) : await mergeBase(repository, fork);
}

function withoutDiff(note: string): ThreadDiff {
  return { base: { commit: '', why: 'nothing' }, files: [], patch: '', notes: [note] };
}
