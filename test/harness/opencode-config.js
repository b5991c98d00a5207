import { existsSync } from 'node:fs';
import { cp, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder of an installed OpenCode that holds what it would install into its settings folder. */
export const opencodeConfig = 'config';

/**
 * OpenCode installs a package into the settings folder of every home that it has not seen, from the registry, and waits
 * for it: some ten seconds at each start of a test, and a failure without a network. Here it finds the package in place.
 * @param {string} installed  where the pinned OpenCode lies
 * @param {Readonly<Record<string, string>>} env  that it is started with
 */
export async function equipOpencode(installed, { XDG_CONFIG_HOME = '' }) {
  const from = join(installed, opencodeConfig);
  if (!existsSync(from)) return;
  const folder = join(XDG_CONFIG_HOME, 'opencode');
  await mkdir(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) await cp(join(from, file), join(folder, file));
  await symlink(join(from, 'node_modules'), join(folder, 'node_modules'));
}
