import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readBoundedFile } from './bounded-file.js';
import { errnoOf } from './errno.js';

const limit = 64 * 1024;
const seal = /<!-- placed for the time of a run, with (\d) folders of its own: ([\da-f]{64}) -->\n$/;

/** Where a file of ours goes for the time of a run; `path` is relative to the workspace. */
export type OverlayPlace = { root: string; path: string };

/**
 * Puts a file into a workspace for the time of a run. One of the user's own is never touched, and no link is followed.
 * The last line holds a digest of the rest, so that whoever cleans up, also after a crash and an update, knows our file
 * from the user's, and from ours after the user has changed it. Gives why it could not be placed.
 */
export function placeOverlay(place: OverlayPlace, body: string): string | undefined {
  try {
    removeOverlay(place);
    const made = makeFolders(place);
    writeFileSync(join(place.root, place.path), sealed(body, made), { flag: 'wx', mode: 0o644 });
    return undefined;
  } catch (error) {
    return `${place.path} was not placed (${errnoOf(error) ?? 'unknown'}).`;
  }
}

/** Removes a file that we placed, with the folders that we made for it. */
export function removeOverlay({ root, path }: OverlayPlace): void {
  const folders = foldersOf(path);
  if (!folders.every((folder) => isFolder(join(root, folder)))) return;
  const file = join(root, path);
  const reading = readBoundedFile(file, { limit, followLink: false });
  const made = reading.ok ? sealOn(reading.text) : null;
  if (made === null) return;
  try {
    rmSync(file);
    for (const folder of folders.toReversed().slice(0, made)) rmdirSync(join(root, folder));
  } catch {
    // Somebody put something else there meanwhile, and keeps the folder.
  }
}

/** Makes what is missing of the folders above a file, and says how many that were. */
function makeFolders({ root, path }: OverlayPlace): number {
  const missing = foldersOf(path).filter((folder) => {
    const stat = lstatSync(join(root, folder), { throwIfNoEntry: false });
    if (stat && !stat.isDirectory()) throw Object.assign(new Error(folder), { code: 'ENOTDIR' });
    return stat === undefined;
  });
  for (const folder of missing) mkdirSync(join(root, folder));
  return missing.length;
}

/** The folders above a file, outermost first. */
function foldersOf(path: string): string[] {
  const folder = dirname(path);
  return folder === '.' ? [] : [...foldersOf(folder), folder];
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function sealed(body: string, made: number): string {
  return `${body}<!-- placed for the time of a run, with ${made} folders of its own: ${digest(body, made)} -->\n`;
}

/** How many folders were made for the file, or null when it is not as we placed it. */
function sealOn(text: string): number | null {
  const found = seal.exec(text);
  const made = Number(found?.[1]);
  return found && found[2] === digest(text.slice(0, found.index), made) ? made : null;
}

function digest(body: string, made: number): string {
  return createHash('sha256').update(`${made}\n${body}`).digest('hex');
}
