import { lstatSync, opendirSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from './errno.js';

/** A file below a folder, or what stands there that cannot be taken for one. */
export interface TreeEntry {
  /** Relative to the folder; empty for the folder itself. */
  readonly path: string;
  readonly problem?: string;
}

/** How much of a folder is looked at; with more than that the folder as a whole is the problem. */
export interface TreeBounds {
  readonly entries: number;
  readonly depth: number;
}

/**
 * Lists the files below a folder that a hostile repository may have made: links are not followed, and neither the number
 * of entries nor their depth is the repository's to choose. A folder that is not there has no files.
 */
export function listTree(root: string, bounds: TreeBounds): TreeEntry[] {
  try {
    return walk(root, bounds);
  } catch (error) {
    return [{ path: '', problem: `it cannot be looked at (${errnoOf(error) ?? 'unknown'})` }];
  }
}

function walk(root: string, { entries, depth }: TreeBounds): TreeEntry[] {
  const stat = lstatSync(root, { throwIfNoEntry: false });
  if (!stat) return [];
  if (!stat.isDirectory()) return [{ path: '', problem: 'it is not a folder' }];
  const found: TreeEntry[] = [];
  const folders = [{ path: '', level: 1 }];
  let seen = 0;
  for (let folder = folders.pop(); folder; folder = folders.pop()) {
    const names = namesIn(join(root, folder.path), entries - seen);
    if (names === 'too many') return [{ path: '', problem: `it holds more than ${entries} files` }];
    seen += names.length;
    for (const name of names) {
      const path = join(folder.path, name);
      const kind = lstatSync(join(root, path), { throwIfNoEntry: false });
      if (kind?.isDirectory()) {
        if (folder.level === depth) return [{ path: '', problem: `it is deeper than ${depth} folders` }];
        folders.push({ path, level: folder.level + 1 });
      } else if (kind) {
        found.push(kind.isFile() ? { path } : { path, problem: 'it is not a regular file' });
      }
    }
  }
  return found.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** The names in a folder; never more than the limit are looked at. */
function namesIn(folder: string, limit: number): string[] | 'too many' {
  const dir = opendirSync(folder);
  try {
    const names: string[] = [];
    for (let entry = dir.readSync(); entry; entry = dir.readSync()) {
      if (names.length === limit) return 'too many';
      names.push(entry.name);
    }
    return names;
  } finally {
    dir.closeSync();
  }
}
