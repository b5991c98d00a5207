import type { Git } from './git.js';
import { splitPatches } from './patch.js';

const RENAME_LIMIT = 1000;

/** What every comparison of trees is called with: no program of anybody's takes part. */
const COMPARE = [
  'diff-tree',
  '-r',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--submodule=short',
  '--full-index',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--diff-algorithm=histogram',
  '-M',
  `-l${RENAME_LIMIT}`,
];

/** One side of a change: the mode and the object of a file, as git keeps them. */
export interface FileVersion {
  readonly mode: string;
  readonly object: string;
}

/** One path that differs between two trees; the counts are null for a binary file. */
export interface TreeChange {
  readonly path: string;
  readonly from?: string;
  readonly kind: 'added' | 'changed' | 'renamed' | 'deleted';
  readonly before?: FileVersion;
  readonly after?: FileVersion;
  readonly added: number | null;
  readonly removed: number | null;
}

/** Lists what differs between two trees, in git's order. */
export async function compareTrees(git: Git, from: string, to: string): Promise<TreeChange[]> {
  return parseTreeChanges(await git.read([...COMPARE, '--raw', '--numstat', '-z', from, to]));
}

/** The patches of everything that differs, in the same order; undefined where they are more than one answer holds. */
export async function patchesOf(
  git: Git,
  {
    from,
    to,
    changes,
  }: { readonly from: string; readonly to: string; readonly changes: readonly TreeChange[] },
): Promise<ReadonlyMap<TreeChange, string> | undefined> {
  const { stdout, truncated } = await git.succeed([...COMPARE, '--patch', from, to]);
  if (truncated) return undefined;
  const patches = splitPatches(stdout).values();
  const byChange = new Map<TreeChange, string>();
  for (const change of changes) {
    // A file that became a link, or the other way round, is one patch that deletes and one that adds.
    const parts = isTypeChange(change)
      ? [patches.next().value, patches.next().value]
      : [patches.next().value];
    byChange.set(change, parts.join(''));
  }
  return patches.next().done ? byChange : undefined;
}

/** The patch of one change, made from its two objects. */
export async function patchOf(
  git: Git,
  { before, after }: TreeChange,
): Promise<{ text: string; truncated: boolean }> {
  const isLinked = [before, after].some((side) => side?.mode === '160000');
  if (isLinked) return { text: submodulePatch(before, after), truncated: false };
  const nothing = (await git.read(['hash-object', '-w', '--stdin'])).trim();
  const { stdout, truncated } = await git.succeed([
    'diff',
    '--no-color',
    '--no-ext-diff',
    '--no-textconv',
    '--diff-algorithm=histogram',
    before?.object ?? nothing,
    after?.object ?? nothing,
  ]);
  return { text: stdout, truncated };
}

/** The bytes of a file as git keeps them, as text; no filter and no program takes part. */
export async function blobOf(
  git: Git,
  { object }: FileVersion,
): Promise<{ readonly text: string; readonly truncated: boolean }> {
  const { stdout, truncated } = await git.succeed(['cat-file', 'blob', object]);
  return { text: stdout, truncated };
}

function submodulePatch(before: FileVersion | undefined, after: FileVersion | undefined): string {
  const gone = before ? `-Subproject commit ${before.object}\n` : '';
  const come = after ? `+Subproject commit ${after.object}\n` : '';
  return `@@ -${before ? '1' : '0,0'} +${after ? '1' : '0,0'} @@\n${gone}${come}`;
}

function isTypeChange({ before, after }: TreeChange): boolean {
  return before !== undefined && after !== undefined && typeOf(before) !== typeOf(after);
}

// The first digits of a mode say whether it is a file, a link or a submodule.
function typeOf({ mode }: FileVersion): string {
  return mode.slice(0, 3);
}

/** Reads the output of `git diff-tree -r --raw --numstat -z`: first every path's versions, then every path's counts. */
export function parseTreeChanges(output: string): TreeChange[] {
  const fields = output.split('\0').values();
  const changes = new Map<string, TreeChange>();
  for (const field of fields) {
    if (field.startsWith(':')) {
      const [modeBefore = '', modeAfter = '', before = '', after = '', letter = ''] = field
        .slice(1)
        .split(' ');
      const first = next(fields);
      const isMoved = letter.startsWith('R') || letter.startsWith('C');
      const path = isMoved ? next(fields) : first;
      changes.set(path, {
        path,
        ...(letter.startsWith('R') ? { from: first } : {}),
        kind: kindOf(letter),
        ...(modeBefore === '000000' || letter.startsWith('C')
          ? {}
          : { before: { mode: modeBefore, object: before } }),
        ...(modeAfter === '000000' ? {} : { after: { mode: modeAfter, object: after } }),
        added: null,
        removed: null,
      });
    } else if (field !== '') {
      const [added, removed, ...rest] = field.split('\t');
      let path = rest.join('\t');
      if (path === '') {
        next(fields);
        path = next(fields);
      }
      const change = changes.get(path);
      if (change) changes.set(path, { ...change, added: lines(added), removed: lines(removed) });
    }
  }
  return [...changes.values()];
}

function kindOf(letter: string): TreeChange['kind'] {
  switch (letter.slice(0, 1)) {
    case 'A':
    case 'C':
      return 'added';
    case 'D':
      return 'deleted';
    case 'R':
      return 'renamed';
    default:
      return 'changed';
  }
}

function next(fields: Iterator<string>): string {
  const result = fields.next();
  return result.done ? '' : result.value;
}

function lines(text: string | undefined): number | null {
  return text === undefined || text === '-' ? null : Number(text);
}
