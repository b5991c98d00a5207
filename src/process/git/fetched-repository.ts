import { dirname, join } from 'node:path';

/** The folder of a home that holds the repositories that were fetched. */
export function repositoriesFolder(home: string): string {
  return join(home, 'repositories');
}

/** Where the parts of a repository that was fetched are. */
export interface FetchedRepositoryPlaces {
  /** What is fetched into; nobody but us writes to it. */
  readonly mirrorDir: string;
  /** What the worktrees belong to. */
  readonly gitDir: string;
}

export function placesIn(folder: string): FetchedRepositoryPlaces {
  return { mirrorDir: join(folder, 'mirror.git'), gitDir: join(folder, 'work.git') };
}

/**
 * Where the objects are that a repository of worktrees borrows, by its place alone: what it says of that itself could be written by
 * an agent.
 */
export function borrowedObjects(gitDir: string, repositories: string): string | undefined {
  const folder = dirname(gitDir);
  const places = placesIn(folder);
  if (gitDir !== places.gitDir || dirname(folder) !== repositories) return undefined;
  return join(places.mirrorDir, 'objects');
}
