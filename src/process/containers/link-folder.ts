import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** A folder for the sockets between a runner and its container, which is named after the runner: one that was killed leaves it. */
export function makeLinkFolder(home: string, run: string): string {
  const places = placesOf(home);
  mkdirSync(places, { recursive: true, mode: 0o711 });
  return mkdtempSync(join(places, `${run}-`));
}

/** Removes those of runners that are gone. */
export function removeLinkFolders(home: string, isAlive: (run: string) => boolean): void {
  for (const name of namesIn(placesOf(home)))
    if (!isAlive(name.slice(0, name.lastIndexOf('-'))))
      rmSync(join(placesOf(home), name), { recursive: true, force: true });
}

function placesOf(home: string): string {
  return join(home, 'run');
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // No container was ever started.
    return [];
  }
}
