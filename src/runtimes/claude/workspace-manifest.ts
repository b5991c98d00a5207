import { lstat, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** Modification time and size of every file of a workspace, by relative path. */
export type Manifest = Readonly<Record<string, string>>;

const skipped = new Set(['.git', 'node_modules', '.agora', '.handraise']);
const limit = 20_000;

/** Looks at a workspace, or gives null when it holds too many files to look at before each turn. */
export async function readManifest(cwd: string): Promise<Manifest | null> {
  const files: Record<string, string> = {};
  const folders = [cwd];
  let count = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!skipped.has(entry.name)) folders.push(path);
        continue;
      }
      count += 1;
      if (count > limit) return null;
      const stat = await lstat(path).catch(() => null);
      if (stat) files[relative(cwd, path)] = `${stat.mtimeMs}:${stat.size}`;
    }
  }
  return files;
}

/** The paths that were added, removed or changed between two looks. */
export function changedPaths(before: Manifest, after: Manifest): string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...paths].filter((path) => before[path] !== after[path]).toSorted();
}
