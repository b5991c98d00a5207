import type { ChangedPath } from '../../protocol/changes.js';

/** A row of the tree: a folder, or a file by its place in the list of changes. */
export type TreeRow =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'file'; readonly index: number; readonly name: string };

/** The changed files under the folders that they are in, in the order of their paths. */
export function treeRows(files: readonly Pick<ChangedPath, 'path'>[]): TreeRow[] {
  const folders = new Map<string, number[]>();
  for (const [index, { path }] of files.entries()) {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    const inside = folders.get(folder);
    if (inside) inside.push(index);
    else folders.set(folder, [index]);
  }
  return [...folders].flatMap(([folder, inside]) => [
    { kind: 'folder' as const, path: folder === '' ? '.' : folder },
    ...inside.map((index) => {
      const path = files[index]?.path ?? '';
      return { kind: 'file' as const, index, name: path.slice(path.lastIndexOf('/') + 1) };
    }),
  ]);
}

const letters = { added: 'A', changed: 'M', renamed: 'R', deleted: 'D' } as const;

/** The letter that git has for what happened to a file. */
export function statusLetter({ status }: Pick<ChangedPath, 'status'>): string {
  return letters[status];
}
