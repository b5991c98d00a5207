import { existsSync, mkdirSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { readBoundedFile } from '../../process/files/bounded-file.js';
import { Failure } from '../../protocol/failure.js';

const largestFile = 256 * 1024;

const Content = z.record(z.string(), z.unknown());

/** The user's own settings, below the XDG config folder. */
export function userFile(env: NodeJS.ProcessEnv): string {
  const folder = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config');
  return join(folder, 'handraise', 'config.json');
}

/** The settings of the project that a folder belongs to: the nearest one on the way up to the end of its repository. */
export function projectFile(folder: string): string | undefined {
  for (let place = resolve(folder); ; place = dirname(place)) {
    const file = join(place, '.handraise', 'config.json');
    if (existsSync(file)) return file;
    if (existsSync(join(place, '.git')) || place === dirname(place)) return undefined;
  }
}

/** The checkout that a folder is in: the nearest one upward with a repository of its own. */
export function checkoutOf(folder: string): string | undefined {
  for (let place = resolve(folder); ; place = dirname(place)) {
    if (existsSync(join(place, '.git'))) return realPath(place);
    if (place === dirname(place)) return undefined;
  }
}

/** A path without links; undefined where nothing is there. */
export function realPath(path: string): string | undefined {
  return existsSync(path) ? realpathSync(path) : undefined;
}

/** What a settings file holds; nothing when there is none. */
export function readSettingsFile(file: string): Record<string, unknown> {
  const read = readBoundedFile(file, { limit: largestFile, followLink: true });
  if (!read.ok) {
    if (read.missing) return {};
    throw new Failure('config', `Cannot read the settings file ${file}: ${read.error}.`);
  }
  try {
    return Content.parse(JSON.parse(read.text));
  } catch (error) {
    throw new Failure('config', `The settings file ${file} is not a JSON object.`, { cause: error });
  }
}

/** Replaces a settings file in one step, so that no reader meets half of it. */
export function writeSettingsFile(file: string, content: Record<string, unknown>): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}
