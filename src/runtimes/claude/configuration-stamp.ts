import { lstatSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { errnoOf } from '../../process/files/errno.js';

/** What Claude Code reads of the user's own folder when it starts; what it only writes there is left out. */
const parts = [
  'settings.json',
  'settings.local.json',
  '.credentials.json',
  'CLAUDE.md',
  'agents',
  'commands',
  'hooks',
  'output-styles',
  'plugins',
  'rules',
  'skills',
  'workflows',
];

/** What an administrator prescribes. */
const managed = ['/etc/claude-code', '/Library/Application Support/ClaudeCode'];

// Looking at them all takes a few milliseconds, which the agent that waits is to save.
const mostEntries = 1000;

/** Where it lies, for an environment. */
export function configurationPlaces(env: Readonly<Record<string, string>>): string[] {
  const folder = env['CLAUDE_CONFIG_DIR']?.trim() || join(env['HOME']?.trim() || homedir(), '.claude');
  return [...parts.map((part) => join(folder, part)), ...managed];
}

/**
 * What was configured at this moment, as one text: an agent that was started under another one is not what a start would be.
 * The day belongs to it, because agents are told the date. Null where there is too much to look at, or it cannot be read.
 */
export function configurationStamp(places: readonly string[], now: Date): string | null {
  const found: string[] = [now.toDateString()];
  const waiting = [...places];
  try {
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      const line = lineOf(path);
      if (line === null) continue;
      // A folder counts by what is in it: Claude Code makes some that it may need.
      if (line.isFolder) waiting.push(...namesIn(path));
      else found.push(line.text);
      if (found.length + waiting.length > mostEntries) return null;
    }
  } catch {
    return null;
  }
  return found.join('\n');
}

/** Without the notes that Claude Code makes of plugins at each of its starts (measured, 2.1). */
function namesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => !(name === 'store' && basename(folder) === 'plugins'))
    .toSorted()
    .map((name) => join(folder, name));
}

/** A link is looked at twice, itself and where it leads; one that leads in a circle is too much to look at. */
function lineOf(path: string): { readonly text: string; readonly isFolder: boolean } | null {
  try {
    const own = lstatSync(path);
    const target = own.isSymbolicLink() ? statSync(path) : own;
    const numbers = [own, target].map(({ ino, size, mtimeMs, ctimeMs }) => [ino, size, mtimeMs, ctimeMs]);
    return { text: JSON.stringify([path, numbers]), isFolder: target.isDirectory() };
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw error;
  }
}
