import { type ChangedFile, parseChangedFiles } from './changed-file.js';
import type { DiffBase } from './diff-base.js';
import { splitPatches } from './patch.js';
import type { Repository } from './repository.js';
import { readUntracked, type UntrackedFile } from './untracked-file.js';

const MAX_UNTRACKED = 300;

const DIFF = [
  'diff',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--ignore-submodules=dirty',
  '--submodule=short',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--find-renames',
  '--relative',
];

/** What changed since a base: committed, uncommitted and untracked. */
export interface WorkspaceDiff {
  readonly files: readonly ChangedFile[];
  readonly patches: readonly string[];
  readonly notes: readonly string[];
}

/** Takes the diff of the workspace, or of one file in it. */
export async function takeDiff(
  repository: Repository,
  { base, mode, file }: { base: DiffBase; mode: 'summary' | 'full'; file?: string | undefined },
): Promise<WorkspaceDiff> {
  const { git, changes } = repository;
  const notes = changes.conflicted > 0 ? [`Paths with conflicts: ${changes.conflicted}.`] : [];
  const paths = file === undefined ? ['.'] : [`:(literal)${file}`];
  const changed = await git.read([...DIFF, '--raw', '--numstat', '-z', base.commit, '--', ...paths]);
  const untracked = await findUntracked(repository, { paths, notes });
  const patches: string[] = [];
  if (mode === 'full') {
    const diff = await git.succeed([...DIFF, '--patch', base.commit, '--', ...paths]);
    if (diff.truncated) notes.push(`git's diff was cut after ${diff.stdout.length} characters.`);
    patches.push(...splitPatches(diff.stdout), ...untracked.map(({ patch }) => patch));
  }
  const files = [...parseChangedFiles(changed), ...untracked.map((seen) => seen.file)];
  return { files, patches, notes };
}

async function findUntracked(
  { git, cwd }: Repository,
  { paths, notes }: { paths: readonly string[]; notes: string[] },
): Promise<UntrackedFile[]> {
  const listed = await git.succeed(['ls-files', '--others', '--exclude-standard', '-z', '--', ...paths]);
  const names = listed.stdout.split('\0').filter((name) => name !== '');
  if (names.length > MAX_UNTRACKED) {
    notes.push(`${names.length - MAX_UNTRACKED} of ${names.length} untracked files were left out.`);
  }
  const files: UntrackedFile[] = [];
  for (const name of names.slice(0, MAX_UNTRACKED)) files.push(await readUntracked(cwd, name));
  return files;
}
