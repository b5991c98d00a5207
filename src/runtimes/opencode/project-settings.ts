import { existsSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readBoundedFile } from '../../process/files/bounded-file.js';
import { listTree } from '../../process/files/folder-tree.js';
import { Failure } from '../../protocol/failure.js';
import { foldersBetween, projectTop } from '../project-instructions.js';
import type { Launch } from '../runtime.js';

const mostBytes = 256 * 1024;
const bounds = { entries: 500, depth: 8 };

const settingsFiles = [
  'opencode.json',
  'opencode.jsonc',
  '.opencode/opencode.json',
  '.opencode/opencode.jsonc',
];

const settingsFolders = ['agent', 'command', 'mode', 'plugin', 'skill', 'tool']
  .flatMap((name) => [name, `${name}s`])
  .map((name) => `.opencode/${name}`);

/** How a project's own settings of OpenCode stand to what a person approved. */
export type ProjectSettings =
  | { readonly state: 'none' | 'approved' }
  | { readonly state: 'unapproved'; readonly path: string };

/**
 * Looks for settings of the project before OpenCode is started in it. It can be told to leave them alone, but plugins it
 * runs all the same: those that opencode.json names, and those in .opencode (measured with 1.18.33, with
 * OPENCODE_DISABLE_PROJECT_CONFIG and with --pure). So where there is anything that nobody approved it is not started.
 */
export function projectSettings({
  cwd,
  projectCode,
  env,
}: Pick<Launch, 'cwd' | 'projectCode' | 'env'>): ProjectSettings {
  if (projectCode === 'workspace') return { state: 'approved' };
  const approved = new Map(projectCode.files.map(({ path, text }) => [path, text]));
  const here = realpathSync(cwd);
  let state: 'none' | 'approved' = 'none';
  for (const folder of foldersRead(here, env['HOME'])) {
    for (const file of filesIn(folder)) {
      const path = relative(here, join(folder, file));
      const read = readBoundedFile(join(folder, file), { limit: mostBytes, followLink: false });
      if (!read.ok && read.missing) continue;
      if (!read.ok || approved.get(path) !== read.text) return { state: 'unapproved', path };
      state = 'approved';
    }
  }
  return { state };
}

/** OpenCode looks up to the top of the work tree, and without git up to the root; what is in the user's home is the user's. */
function foldersRead(cwd: string, home: string | undefined): string[] {
  const top = projectTop(cwd);
  const isGit = existsSync(join(top, '.git'));
  return foldersBetween(isGit ? top : '/', cwd).filter((folder) => folder !== home);
}

function filesIn(folder: string): string[] {
  const trees = settingsFolders.flatMap((name) =>
    listTree(join(folder, name), bounds).map(({ path }) => join(name, path)),
  );
  return [...settingsFiles, ...trees];
}

/** Refuses to start OpenCode in a project whose settings nobody has approved as they are. */
export function expectApprovedSettings(launch: Pick<Launch, 'cwd' | 'projectCode' | 'env'>): void {
  const settings = projectSettings(launch);
  if (settings.state !== 'unapproved') return;
  throw new Failure(
    'no_permission',
    `OpenCode is not started: the project has settings of its own for it (${settings.path}), which nobody has approved as they are now, and OpenCode runs the plugins of a project whatever it is told. Look at them and approve them with "handraise config trust", remove them, or choose another runtime.`,
  );
}
