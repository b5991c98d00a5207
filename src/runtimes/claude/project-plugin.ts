import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ApprovedCode } from '../runtime.js';

/** Under this name Claude Code knows the skills, commands and agents of the project. */
const pluginName = 'project';

const part = /^(?:\.\.\/)*\.claude\/((?:skills|commands|agents|output-styles|workflows)\/.+)$/;

/** The approved skills, commands and agents as a plugin, which Claude Code reads in place of those in the workspace. */
export interface ProjectPlugin {
  readonly folder: string;
  /** The commands by the names that people type. */
  readonly commands: ReadonlySet<string>;
}

/** Writes the plugin; null when nothing of the kind was approved. */
export function placePlugin({ files, folder }: ApprovedCode): ProjectPlugin | null {
  const parts = new Map<string, string>();
  for (const { path, text } of files) {
    const name = part.exec(path)?.[1];
    // The folder of the work comes first, and its files go before those of the folders above.
    if (name !== undefined && !name.split('/').includes('..') && !parts.has(name)) parts.set(name, text);
  }
  if (parts.size === 0 || folder === undefined) return null;
  // Whatever lies there was not written by this run.
  rmSync(folder, { recursive: true, force: true });
  const manifest = JSON.stringify({ name: pluginName });
  for (const [name, text] of [['.claude-plugin/plugin.json', manifest] as const, ...parts]) {
    mkdirSync(dirname(join(folder, name)), { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, name), text, { mode: 0o400, flag: 'wx' });
  }
  return { folder, commands: new Set([...parts.keys()].flatMap(commandOf)) };
}

/** A message as Claude Code has to read it: unlike a skill, a plugin's command is known only by its full name (measured). */
export function withFullCommand(text: string, plugin: ProjectPlugin | null): string {
  const name = /^\/([^\s/]+)(?=\s|$)/.exec(text)?.[1];
  if (name === undefined || !plugin?.commands.has(name)) return text;
  return `/${pluginName}:${text.slice(1)}`;
}

function commandOf(path: string): string[] {
  const name = /^commands\/(.+)\.md$/.exec(path)?.[1];
  return name === undefined ? [] : [name.replaceAll('/', ':')];
}
