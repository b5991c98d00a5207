import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { Failure } from '../../protocol/failure.js';

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

/** What a settings file holds; nothing when there is none. */
export function readSettingsFile(file: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw new Failure('config', `The settings in ${file} cannot be read: ${String(error)}`, { cause: error });
  }
  try {
    return Content.parse(JSON.parse(text));
  } catch (error) {
    throw new Failure('config', `The settings in ${file} are not a JSON object`, { cause: error });
  }
}

/** Replaces a settings file in one step, so that no reader meets half of it. */
export function writeSettingsFile(file: string, content: Record<string, unknown>): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}
