/** Why work of a worker that is gone cannot go on at this one. */
export type Unmovable = 'elsewhere' | 'terminal' | 'runtime' | 'draining';

/** What decides whether this worker can go on with a thread of another one. */
export interface TakeOverFacts {
  /** Where the thread's agent works. */
  readonly path: string;
  /** Folders that are the same on all machines of those who say so. */
  readonly sharedFolders: { readonly theirs: readonly string[]; readonly ours: readonly string[] };
  /** Whether the folder is there, seen from here. */
  readonly isThere: boolean;
  /** Whether this worker can fetch the repository that the work was given with; undefined for work in a folder. */
  readonly canFetch?: boolean | undefined;
  readonly isInTerminal: boolean;
  /** Whether the agent of the thread is installed here. */
  readonly canRun: boolean;
  readonly isDraining: boolean;
}

/** Null where this worker can take the thread over, else why not. */
export function whyNotTaken(facts: TakeOverFacts): Unmovable | null {
  const { path, sharedFolders } = facts;
  if (facts.isDraining) return 'draining';
  if (facts.isInTerminal) return 'terminal';
  if (facts.canFetch === true) return facts.canRun ? null : 'runtime';
  const isShared = isBelow(path, sharedFolders.theirs) && isBelow(path, sharedFolders.ours);
  if (!isShared || !facts.isThere) return 'elsewhere';
  return facts.canRun ? null : 'runtime';
}

/** Whether a path is one of these folders, or in one. */
export function isBelow(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => {
    const top = folder.endsWith('/') ? folder : `${folder}/`;
    return path === folder || path.startsWith(top);
  });
}
