import type { PortRange } from '../../protocol/scripts-config.js';

/** The ports of one worktree: so many in a row. */
export interface WorktreePorts {
  readonly first: number;
  readonly count: number;
}

/** The lowest ports of the range that no other worktree has; undefined where none are left in a row. */
export function freePorts(
  count: number,
  { range, taken }: { readonly range: PortRange; readonly taken: readonly WorktreePorts[] },
): WorktreePorts | undefined {
  let first = range.from;
  for (const other of taken.toSorted((a, b) => a.first - b.first)) {
    if (other.first >= first + count) break;
    first = Math.max(first, other.first + other.count);
  }
  return first + count - 1 <= range.to ? { first, count } : undefined;
}

/** What a program in the worktree is told about it. */
export function worktreeVariables({
  ports,
  source,
}: {
  readonly ports: WorktreePorts | undefined;
  readonly source: string | undefined;
}): Record<string, string> {
  return {
    ...(source === undefined ? {} : { WORKTREE_SOURCE: source }),
    ...(ports && {
      WORKTREE_PORT: String(ports.first),
      WORKTREE_PORT_LAST: String(ports.first + ports.count - 1),
    }),
  };
}
