import { lstatSync, realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/**
 * Whether a path below a folder leads, over all links, to a plain file there that is not hidden, or to where one would be made.
 * A file with a second name may be reached from outside as well, so it does not count.
 */
export function isReallyInside(folder: string, path: string): boolean {
  try {
    const top = realpathSync(folder);
    const whole = join(folder, path);
    const found = existing(whole);
    const entry = lstatSync(realpathSync(found));
    const isFit = found === whole ? entry.isFile() && entry.nlink === 1 : entry.isDirectory();
    const real = relative(top, realpathSync(found));
    return isFit && (real === '' || !real.split(sep).some((part) => part.startsWith('.')));
  } catch {
    return false;
  }
}

/** The path, or the nearest folder above it that is there. */
function existing(path: string): string {
  return lstatSync(path, { throwIfNoEntry: false }) ? path : existing(dirname(path));
}
