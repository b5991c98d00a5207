import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { programsOf } from '../../domain/worktree/script-files.js';
import { readBoundedFile } from '../../process/files/bounded-file.js';
import { ScriptsConfig } from '../../protocol/scripts-config.js';
import { foldersUpTo, isBelowLink, type ProjectFile } from './project-files.js';
import type { ProjectRoot } from './project-root.js';

const mostBytes = 256 * 1024;
const names = ['.handraise/config.json', '.chatml/config.json'];

/** How a project says that its worktrees are set up. */
export interface SetupFiles {
  /** The folder that holds the settings, and in which the scripts run. */
  readonly folder: string;
  readonly config: ScriptsConfig;
  /** The settings and the files that the scripts name, whole; none where there are no scripts. */
  readonly files: readonly ProjectFile[];
  /** Covers every name and every character of them. */
  readonly digest: string;
}

/** Finds it in the folder, or in the nearest above it up to the top of the project; a file that cannot be used has a problem. */
export function readSetupFiles(
  folder: string,
  { top }: Pick<ProjectRoot, 'top'>,
): SetupFiles | { readonly problem: string } | undefined {
  for (const each of foldersUpTo(folder, top)) {
    const name = names.find((path) => existsSync(join(each, path)));
    if (name !== undefined) return readFrom(each, name);
  }
  return undefined;
}

function readFrom(folder: string, name: string): SetupFiles | { readonly problem: string } {
  if (isBelowLink(folder, name)) return { problem: `${name} is not read: its folder is a symbolic link` };
  const read = readBoundedFile(join(folder, name), { limit: mostBytes, followLink: false });
  if (!read.ok) return { problem: `${name} is not read: ${read.error}` };
  const parsed = ScriptsConfig.safeParse(jsonOf(read.text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue && issue.path.length > 0 ? `${issue.path.join('.')}: ` : '';
    return { problem: `${name} is not used: ${where}${issue?.message ?? 'it is not JSON'}` };
  }
  const config = parsed.data;
  const commands = config.setupScripts.map(({ command }) => command);
  const scripts = [...new Set(commands.flatMap(programsOf))];
  const files =
    commands.length === 0
      ? []
      : [{ path: name, text: read.text }, ...scripts.flatMap((path) => scriptFile(folder, path))];
  const hash = createHash('sha256').update('set-up');
  for (const { path, text, problem } of files) hash.update(JSON.stringify([path, text, problem ?? null]));
  return { folder, config, files, digest: hash.digest('hex') };
}

function scriptFile(folder: string, path: string): ProjectFile[] {
  const file = join(folder, path);
  const real = existsSync(file) ? realpathSync(file) : undefined;
  if (real === undefined) return [];
  if (real !== join(realpathSync(folder), path))
    return [{ path, text: '', problem: 'a symbolic link leads to it' }];
  const read = readBoundedFile(file, { limit: mostBytes, followLink: false });
  if (read.ok) return [{ path, text: read.text }];
  // A folder or a device is not what a command line starts.
  return read.missing || read.error === 'it is not a regular file'
    ? []
    : [{ path, text: '', problem: read.error }];
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
