import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { SpawnError } from './spawn-error.js';

const DEFAULT_PATH = '/usr/bin:/bin';

/** Where a command is looked for: the child's own PATH, from the child's own directory. */
export type SearchPath = { path: string | undefined; cwd: string };

/**
 * The absolute path of the program that a command names.
 * Looking first tells a missing command, one without the x bit and a bad directory apart: Node reports a bad
 * cwd as ENOENT of the command, and a wrapper such as setpriv turns all of them into exit code 127.
 */
export function findExecutable(file: string, search: SearchPath): string {
  const cwd = assertDirectory(search.cwd);
  const candidates = candidatesFor(file, { path: search.path, cwd });
  const found = candidates.find((candidate) => kindOf(candidate) === 'program');
  if (found !== undefined) return found;
  if (candidates.some((candidate) => kindOf(candidate) === 'file')) {
    throw new SpawnError('command_not_executable', `${file} is not executable`);
  }
  throw new SpawnError('command_not_found', `${file} was not found`);
}

function assertDirectory(cwd: string): string {
  try {
    accessSync(cwd, constants.X_OK);
    if (statSync(cwd).isDirectory()) return cwd;
  } catch (cause) {
    throw new SpawnError('bad_cwd', `cannot work in ${cwd}`, { cause });
  }
  throw new SpawnError('bad_cwd', `${cwd} is not a directory`);
}

function candidatesFor(file: string, search: SearchPath): string[] {
  if (file.includes('/')) return [resolve(search.cwd, file)];
  // A relative entry would let the repository that the child works in replace the command.
  const directories = (search.path ?? DEFAULT_PATH).split(delimiter).filter((entry) => isAbsolute(entry));
  return directories.map((directory) => join(directory, file));
}

function kindOf(path: string): 'program' | 'file' | 'none' {
  try {
    if (!statSync(path).isFile()) return 'none';
  } catch {
    return 'none';
  }
  try {
    accessSync(path, constants.X_OK);
    return 'program';
  } catch {
    return 'file';
  }
}
