/** One path that the workspace changed; the counts are null for a binary file. */
export interface ChangedFile {
  readonly path: string;
  readonly from?: string;
  readonly status: 'added' | 'deleted' | 'modified' | 'renamed' | 'type changed' | 'untracked';
  readonly added: number | null;
  readonly removed: number | null;
}

const STATUS: Readonly<Record<string, ChangedFile['status']>> = {
  A: 'added',
  C: 'added',
  D: 'deleted',
  R: 'renamed',
  T: 'type changed',
};

/** Reads the output of `git diff --raw --numstat -z`: first every path's status, then every path's counts. */
export function parseChangedFiles(output: string): ChangedFile[] {
  const fields = output.split('\0').values();
  const files = new Map<string, ChangedFile>();
  for (const field of fields) {
    if (field.startsWith(':')) {
      const letter = field.slice(field.lastIndexOf(' ') + 1)[0] ?? '';
      const first = next(fields);
      const moved = letter === 'R' || letter === 'C';
      const path = moved ? next(fields) : first;
      const status = STATUS[letter] ?? 'modified';
      files.set(path, { path, ...(moved ? { from: first } : {}), status, added: null, removed: null });
    } else if (field !== '') {
      const [added, removed, ...rest] = field.split('\t');
      let path = rest.join('\t');
      if (path === '') {
        next(fields);
        path = next(fields);
      }
      const file = files.get(path);
      if (file) files.set(path, { ...file, added: count(added), removed: count(removed) });
    }
  }
  return [...files.values()];
}

function next(fields: Iterator<string>): string {
  const result = fields.next();
  return result.done ? '' : result.value;
}

function count(text: string | undefined): number | null {
  return text === undefined || text === '-' ? null : Number(text);
}
