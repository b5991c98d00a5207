// Where HEAD points.
type Head =
  | { readonly kind: 'unborn'; readonly branch: string }
  | { readonly kind: 'branch'; readonly branch: string; readonly commit: string }
  | { readonly kind: 'detached'; readonly commit: string };

// How many paths differ from HEAD, and how; a path that is staged and changed again counts in both.
interface UncommittedChanges {
  readonly staged: number;
  readonly unstaged: number;
  readonly untracked: number;
  readonly conflicted: number;
}

/** What `git status --porcelain=v2 --branch -z` said. */
export interface GitStatus {
  readonly head: Head;
  readonly upstream: string | undefined;
  readonly changes: UncommittedChanges;
}

/** Reads the output of `git status --porcelain=v2 --branch -z`. */
export function parseGitStatus(output: string): GitStatus {
  const changes = { staged: 0, unstaged: 0, untracked: 0, conflicted: 0 };
  const headers = new Map<string, string>();
  const records = output.split('\0').values();
  for (const record of records) {
    switch (record.slice(0, 1)) {
      case '#': {
        const [, key = '', ...value] = record.split(' ');
        headers.set(key, value.join(' '));
        break;
      }
      case '2':
        // A rename's old path is a record of its own.
        records.next();
        countTracked(record, changes);
        break;
      case '1':
        countTracked(record, changes);
        break;
      case 'u':
        changes.conflicted += 1;
        break;
      case '?':
        changes.untracked += 1;
        break;
    }
  }
  return { head: headOf(headers), upstream: headers.get('branch.upstream'), changes };
}

function countTracked(record: string, changes: { staged: number; unstaged: number }): void {
  if (record[2] !== '.') changes.staged += 1;
  if (record[3] !== '.') changes.unstaged += 1;
}

function headOf(headers: ReadonlyMap<string, string>): Head {
  const commit = headers.get('branch.oid') ?? '';
  const branch = headers.get('branch.head') ?? '';
  if (commit === '(initial)') return { kind: 'unborn', branch };
  if (branch === '(detached)') return { kind: 'detached', commit };
  return { kind: 'branch', branch, commit };
}
