import { createHash } from 'node:crypto';
import { existsSync, lstatSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { readBoundedFile } from '../../process/files/bounded-file.js';
import { listTree, type TreeEntry } from '../../process/files/folder-tree.js';
import { needsInputSkillPath } from '../../protocol/needs-input.js';
import type { ProjectRoot } from './project-root.js';

const MOST_BYTES_OF_FILE = 256 * 1024;
const MOST_BYTES = 1024 * 1024;
const BOUNDS = { entries: 500, depth: 8 };

const FILES = [
  '.mcp.json',
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.codex/config.toml',
  '.codex/hooks.json',
  'opencode.json',
  'opencode.jsonc',
  '.opencode/opencode.json',
  '.opencode/opencode.jsonc',
];

/** Skills, commands and agents bring commands, hooks and rights of their own; hooks are what settings start. */
const FOLDERS = [
  '.claude/skills',
  '.claude/commands',
  '.claude/agents',
  '.claude/output-styles',
  '.claude/workflows',
  '.claude/hooks',
  '.codex/rules',
  '.codex/agents',
  '.opencode/agent',
  '.opencode/agents',
  '.opencode/command',
  '.opencode/commands',
  '.opencode/mode',
  '.opencode/modes',
  '.opencode/plugin',
  '.opencode/plugins',
  '.opencode/skill',
  '.opencode/skills',
  '.opencode/tool',
  '.opencode/tools',
];

/** The files of a project that may start programs or widen rights, as they are now. */
export interface ProjectFiles {
  readonly files: readonly ProjectFile[];
  /** Covers every name and every character. */
  readonly digest: string;
}

/** One such file; one that cannot be read for certain has a problem, and is never approved. */
export interface ProjectFile {
  /** Relative to the folder that was asked about. */
  readonly path: string;
  readonly text: string;
  readonly problem?: string;
}

/** Reads the files of the folder and of those above it up to the top of the project, where runtimes look too. */
export function readProjectFiles(folder: string, { top }: ProjectRoot): ProjectFiles {
  const files: ProjectFile[] = [];
  let left = MOST_BYTES;
  for (const each of foldersUpTo(folder, top)) {
    for (const { path, problem } of entriesIn(each)) {
      const file = readProjectFile(join(each, path), { problem, left });
      if (!file) continue;
      left -= Buffer.byteLength(file.text);
      files.push({ path: relative(folder, join(each, path)), ...file });
    }
  }
  const hash = createHash('sha256');
  for (const { path, text, problem } of files) hash.update(JSON.stringify([path, text, problem ?? null]));
  return { files, digest: hash.digest('hex') };
}

/** A folder and those above it, up to the top of the project. */
export function foldersUpTo(folder: string, top: string): string[] {
  if (folder === top || dirname(folder) === folder) return [folder];
  return [folder, ...foldersUpTo(dirname(folder), top)];
}

/** What is to be read below one folder of the project. Our own lesson is no code of the project's, and is never handed over. */
function entriesIn(folder: string): TreeEntry[] {
  const trees = FOLDERS.flatMap((name) =>
    listTree(join(folder, name), BOUNDS).map((entry) => ({ ...entry, path: join(name, entry.path) })),
  );
  return [...FILES.map((path) => ({ path })), ...trees]
    .filter(({ path }) => path !== needsInputSkillPath)
    .flatMap((entry) => {
      if (!isBelowLink(folder, entry.path)) return [entry];
      return existsSync(join(folder, entry.path))
        ? [{ ...entry, problem: 'its folder is a symbolic link' }]
        : [];
    });
}

/** Trees are walked without following links, so that only the folder around them can be one. */
export function isBelowLink(folder: string, path: string): boolean {
  const around = path.slice(0, Math.max(0, path.indexOf('/')));
  return (
    around !== '' && lstatSync(join(folder, around), { throwIfNoEntry: false })?.isSymbolicLink() === true
  );
}

function readProjectFile(
  file: string,
  { problem, left }: { readonly problem: string | undefined; readonly left: number },
): Omit<ProjectFile, 'path'> | null {
  if (problem !== undefined) return { text: '', problem };
  const read = readBoundedFile(file, { limit: MOST_BYTES_OF_FILE, followLink: false });
  if (!read.ok) return read.missing ? null : { text: '', problem: read.error };
  if (Buffer.byteLength(read.text) > left)
    return { text: '', problem: `the files together are larger than ${MOST_BYTES} bytes` };
  return { text: read.text };
}
