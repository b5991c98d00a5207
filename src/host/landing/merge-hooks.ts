import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { plainLine, unseenCharacters } from '../../domain/words/plain-text.js';
import { readBoundedFile } from '../../process/files/bounded-file.js';
import type { Git } from '../../process/git/git.js';
import { Failure } from '../../protocol/failure.js';
import { type CheckResult, verify } from '../dispatches/verification.js';
import type { LandingMeans, WorkToLand } from './work-to-land.js';

const names = ['pre-commit', 'pre-merge-commit', 'commit-msg', 'post-merge'] as const;
export type MergeHook = (typeof names)[number];

// All of them together are no longer than the output of a verification.
const mostBytes = 16 * 1024;
const hookTimeMs = 30 * 60_000;

/** The hooks of a repository that a merge would run, as they are now. */
export interface MergeHooks {
  readonly files: readonly { readonly name: MergeHook; readonly path: string; readonly text: string }[];
  /** Covers every path and every character. */
  readonly digest: string;
}

/** Finds the hooks where git would look for them; one that cannot be shown whole is refused. */
export async function findHooks(
  { shadow, places }: Pick<WorkToLand, 'shadow' | 'places'>,
  checkout: string,
): Promise<MergeHooks> {
  const folder = await hooksFolder({ git: shadow.bare, commonDir: places.commonDir, checkout });
  const files = names.flatMap((name) => {
    const path = join(folder, name);
    const found = statSync(path, { throwIfNoEntry: false });
    // Git passes over a hook without the right to be executed.
    if (!found?.isFile() || (found.mode & 0o111) === 0) return [];
    const read = readBoundedFile(path, { limit: mostBytes, followLink: true });
    const hidden = read.ok ? unseenCharacters(read.text) : undefined;
    if (!read.ok) throw new Failure('conflict', `The hook ${path} cannot be shown: ${read.error}.`);
    if (hidden && hidden.size > 0)
      throw new Failure(
        'conflict',
        `The hook ${path} has characters that show nothing (${[...hidden.keys()].join(', ')}), so it does not run.`,
      );
    return [{ name, path, text: read.text }];
  });
  const hash = createHash('sha256');
  for (const { path, text } of files) hash.update(JSON.stringify([path, text]));
  return { files, digest: hash.digest('hex') };
}

/** The hooks as a person reads them before they run. */
export function shownHooks({ files }: MergeHooks): string {
  return files.map(({ path, text }) => `${path}:\n${text.replace(/^/gm, '  ')}`).join('\n');
}

/** Runs one hook, if there is one; a failure is told by its result. */
export async function runHook(
  { files }: MergeHooks,
  call: {
    readonly name: MergeHook;
    readonly args?: readonly string[];
    readonly cwd: string;
    readonly env: LandingMeans['env'];
    readonly signal: AbortSignal;
  },
): Promise<CheckResult | undefined> {
  const { name, args = [], cwd, env, signal } = call;
  const hook = files.find((each) => each.name === name);
  if (!hook) return undefined;
  const command = [hook.path, ...args].map(quoted).join(' ');
  return await verify({ command, cwd, env, signal, timeoutMs: hookTimeMs });
}

/** What the hook commit-msg makes of a message, or why it refuses it. */
export async function hookedMessage(
  hooks: MergeHooks,
  call: { readonly message: string; readonly scratch: string } & Omit<
    Parameters<typeof runHook>[1],
    'name' | 'args'
  >,
): Promise<{ readonly message: string } | { readonly refused: CheckResult }> {
  const { message, scratch, ...place } = call;
  const folder = await mkdtemp(join(scratch, 'message-'));
  const file = join(folder, 'COMMIT_EDITMSG');
  try {
    await writeFile(file, message);
    const result = await runHook(hooks, { ...place, name: 'commit-msg', args: [file] });
    if (result && !result.passed) return { refused: result };
    const written = (await readFile(file, 'utf8')).trim();
    return { message: written === message.trim() || written === '' ? message : `${written}\n` };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The repository's setting counts before the user's own, as for git; it is read as a plain file. */
async function hooksFolder(where: {
  readonly git: Git;
  readonly commonDir: string;
  readonly checkout: string;
}): Promise<string> {
  const { git, commonDir, checkout } = where;
  const file = join(commonDir, 'config');
  const key = 'core.hooksPath';
  const local = await git.run(['config', '--file', file, '--no-includes', '--type=path', '--get', key]);
  const own = await git.run(['config', '--global', '--includes', '--type=path', '--get', key]);
  const set = local.code === 0 ? local.stdout : own.code === 0 ? own.stdout : '';
  const path = set.replace(/\n$/, '');
  return path === '' ? join(commonDir, 'hooks') : resolve(checkout, path);
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** What a person is told of hooks that nobody has approved. */
export function unapprovedSentence({ files, digest }: MergeHooks, threadId: string): string {
  const list = files.map(({ path }) => plainLine(path)).join(', ');
  return (
    `Nothing was merged. These hooks would run, and an agent can write to where they are: ${list}. ` +
    `Read them as printed. If they are as they should be: handraise merge ${threadId} --hooks ${digest.slice(0, 16)}`
  );
}
