import { createHash } from 'node:crypto';
import { existsSync, lstatSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { readBoundedFile } from '../process/bounded-file.js';
import type { ProjectPlace } from './project-place.js';

const MAX_BYTES = 256 * 1024;
const NAMES = [
  '.mcp.json',
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.codex/config.toml',
  '.codex/hooks.json',
];

/** The files of a project that may start programs or widen rights, as they are now. */
export interface ProjectFiles {
  readonly files: readonly ProjectFile[];
  /** Covers every name and every character. */
  readonly digest: string;
}

/** One such file; one that cannot be read for certain has a problem, and is never approved. */
export interface ProjectFile {
  readonly path: string;
  readonly text: string;
  readonly problem?: string;
}

/** Reads the files of the folder and of those above it up to the top of the project, where runtimes look too. */
export function readProjectFiles(folder: string, { top }: ProjectPlace): ProjectFiles {
  const files = foldersUpTo(folder, top).flatMap((each) =>
    NAMES.flatMap((name) => readProjectFile(join(each, name), relative(folder, join(each, name)))),
  );
  const hash = createHash('sha256');
  for (const { path, text, problem } of files) hash.update(JSON.stringify([path, text, problem ?? null]));
  return { files, digest: hash.digest('hex') };
}

function foldersUpTo(folder: string, top: string): string[] {
  if (folder === top || dirname(folder) === folder) return [folder];
  return [folder, ...foldersUpTo(dirname(folder), top)];
}

function readProjectFile(file: string, path: string): ProjectFile[] {
  if (lstatSync(dirname(file), { throwIfNoEntry: false })?.isSymbolicLink()) {
    return existsSync(file) ? [{ path, text: '', problem: 'its folder is a symbolic link' }] : [];
  }
  const read = readBoundedFile(file, { limit: MAX_BYTES, followLink: false });
  if (read.ok) return [{ path, text: read.text }];
  return read.missing ? [] : [{ path, text: '', problem: read.error }];
}
