import { mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { readBoundedFile } from '../../process/files/bounded-file.js';
import { Failure } from '../../protocol/failure.js';
import { hookFacts, hookFolder } from './hook-news.js';
import { configFolder } from './session-file.js';

const mostBytes = 2 ** 20;
/** By this a hook is known as ours. */
const mark = '# handraise observe';
const events = Object.keys(hookFacts);

const Hook = z.looseObject({ command: z.string().optional() });
const Matcher = z.looseObject({ hooks: z.array(z.unknown()).optional() });
const Settings = z.looseObject({ hooks: z.record(z.string(), z.array(z.unknown())).optional() });
type Settings = z.infer<typeof Settings>;

type Env = Readonly<Record<string, string>>;

/** Puts our hooks into the user's Claude settings, once however often; gives the file. */
export function installHooks(env: Env): string {
  const folder = hookFolder(configFolder(env));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const ours = [
    ...events.map((name) => [name, tellCommand(folder)] as const),
    ['SessionEnd', forgetCommand(folder)] as const,
  ];
  return change(env, (settings) => {
    const { hooks = {} } = without(settings);
    const more = ours.map(([name, command]) => {
      const matcher = { hooks: [{ type: 'command', command, timeout: 5 }] };
      return { [name]: [...(hooks[name] ?? []), matcher] };
    });
    return { ...settings, hooks: Object.assign({}, hooks, ...more) };
  });
}

/** Takes our hooks out again, and what they wrote; whatever else is in the settings stays. */
export function removeHooks(env: Env): string {
  const file = change(env, without);
  rmSync(hookFolder(configFolder(env)), { recursive: true, force: true });
  return file;
}

/**
 * Writes what a hook is told into the one file of its Claude Code, whose pid is the shell's parent. A shell does it in 3 ms,
 * where a Node would take 50. Whatever goes wrong, it says nothing and succeeds: a hook that fails would stop the agent.
 */
function tellCommand(folder: string): string {
  return quietly(`cd ${quoted(folder)} && umask 077 && cat >".$PPID.$$" && mv -f ".$PPID.$$" "$PPID.json"`);
}

function forgetCommand(folder: string): string {
  return quietly(`cd ${quoted(folder)} && rm -f "$PPID.json"`);
}

/** The last `cat` takes what the commands left of the input: Claude Code would meet a closed pipe in the middle of its words. */
function quietly(commands: string): string {
  return `{ ${commands}; cat; } >/dev/null 2>&1; exit 0 ${mark}`;
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`;
}

function without(settings: Settings): Settings {
  const { hooks, ...rest } = settings;
  if (!hooks) return settings;
  const kept = Object.entries(hooks).flatMap(([name, matchers]) => {
    const others = matchers.flatMap((matcher) => withoutOurs(matcher));
    return others.length > 0 || matchers.length === 0 ? [[name, others] as const] : [];
  });
  return kept.length > 0 ? { ...rest, hooks: Object.fromEntries(kept) } : rest;
}

function withoutOurs(matcher: unknown): unknown[] {
  const read = Matcher.safeParse(matcher);
  if (!read.success || !read.data.hooks) return [matcher];
  const others = read.data.hooks.filter((hook) => !Hook.safeParse(hook).data?.command?.endsWith(mark));
  if (others.length === read.data.hooks.length) return [matcher];
  return others.length > 0 ? [{ ...read.data, hooks: others }] : [];
}

/** Changes the settings as a whole, or not at all. Many people keep them elsewhere, and have a link here. */
function change(env: Env, edit: (settings: Settings) => Settings): string {
  const config = configFolder(env);
  const named = join(config, 'settings.json');
  const file = statSync(named, { throwIfNoEntry: false }) ? realpathSync(named) : named;
  const read = readBoundedFile(file, { limit: mostBytes, followLink: false });
  if (!read.ok && !read.missing) throw new Failure('config', `${named} is not changed: ${read.error}.`);
  const settings = Settings.safeParse(read.ok ? parsed(read.text, named) : {});
  if (!settings.success)
    throw new Failure('config', `${named} is not changed: its hooks are not as Claude Code wants them.`);
  const edited = edit(settings.data);
  if (!read.ok && Object.keys(edited).length === 0) return named;
  mkdirSync(config, { recursive: true, mode: 0o700 });
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0o600;
  const next = `${file}.handraise-${process.pid}`;
  writeFileSync(next, `${JSON.stringify(edited, null, 2)}\n`, { mode: mode & 0o777, flag: 'wx' });
  renameSync(next, file);
  return named;
}

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure('config', `${file} is not valid JSON, and is not changed. Mend it first.`);
  }
}
