import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { readBoundedFile } from '../../process/files/bounded-file.js';
import { listTree } from '../../process/files/folder-tree.js';
import { isBelowLink, type ProjectFile } from './project-files.js';
import type { ProjectRoot } from './project-root.js';

const folderName = 'skills';
const mostBytesOfFile = 256 * 1024;
const bounds = { entries: 200, depth: 4 };

/** The folder `skills/` of a project, as it is now. */
export interface SkillFiles {
  readonly files: readonly ProjectFile[];
  /** The names of those that can be started. */
  readonly executables: readonly string[];
  /** Covers every name, every character, and what can be started. */
  readonly digest: string;
}

/** Reads all of it, because a skill may use what lies beside it; undefined where there is none. */
export function readSkillFiles({ top }: Pick<ProjectRoot, 'top'>): SkillFiles | undefined {
  const entries = listTree(join(top, folderName), bounds);
  if (entries.length === 0) return undefined;
  const executables: string[] = [];
  const hash = createHash('sha256').update('skills');
  const files = entries.map(({ path, problem }): ProjectFile => {
    const name = join(folderName, path);
    const file = fileOf(top, { name, problem });
    const isExecutable = file.problem === undefined && canStart(join(top, name));
    if (isExecutable && !path.includes('/')) executables.push(path);
    hash.update(JSON.stringify([name, file.text, file.problem ?? null, isExecutable]));
    return file;
  });
  return { files, executables, digest: hash.digest('hex') };
}

function fileOf(
  top: string,
  { name, problem }: { readonly name: string; readonly problem: string | undefined },
): ProjectFile {
  if (problem !== undefined) return { path: name, text: '', problem };
  if (isBelowLink(top, name)) return { path: name, text: '', problem: 'its folder is a symbolic link' };
  const read = readBoundedFile(join(top, name), { limit: mostBytesOfFile, followLink: false });
  return read.ok ? { path: name, text: read.text } : { path: name, text: '', problem: read.error };
}

function canStart(file: string): boolean {
  return ((lstatSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o111) !== 0;
}
