import { lstat, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { RefusalError } from '../files/refusal.js';
import { isBranchName } from './branch-name.js';
import { firstLine, type Git } from './git.js';
import { transportVariables } from './push.js';

const lookTimeMs = 60_000;
/** How long git may take for what grows with a repository. */
export const fetchTimeMs = 30 * 60_000;
const sizeLookMs = 500;
const mostPacks = 50;
// Longer than any fetch takes, so nobody writes it any more.
const leftoverMs = fetchTimeMs + 60_000;
const commitId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** What the config of a repository that is only fetched into says, against what a server could send or not send. */
export const fetchConfig = `[fetch]
	fsckObjects = true
	unpackLimit = 1
	recurseSubmodules = false
	writeCommitGraph = false
[fetch "fsck"]
	zeroPaddedFilemode = ignore
	badTimezone = ignore
	missingSpaceBeforeDate = ignore
	missingSpaceBeforeEmail = ignore
	badFilemode = ignore
[transfer]
	bundleURI = false
[http]
	lowSpeedLimit = 1000
	lowSpeedTime = 60
[credential]
	interactive = false
[gc]
	auto = 0
[maintenance]
	auto = false
`;

/** Why a repository could not be had. */
export type FetchTrouble = 'missing' | 'sign_in' | 'unreachable' | 'too_large';

/** A repository could not be had, with a sentence that says why and what to do. */
export class FetchRefused extends RefusalError {
  readonly trouble: FetchTrouble;

  constructor(trouble: FetchTrouble, message: string) {
    super(message);
    this.trouble = trouble;
  }
}

/** A repository elsewhere, and how it may be fetched. */
export interface RemoteRepository {
  readonly url: string;
  /** What git inherits; credentials and keys are the user's own. */
  readonly env: Readonly<Record<string, string>>;
  readonly protocols: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/** What a name in a repository elsewhere stands for. */
export interface RemoteTip {
  readonly commit: string;
  /** The branch, where it is one. */
  readonly branch?: string;
}

/** Asks a repository what a branch, tag or commit is there; without a name, what its default branch is. */
export async function remoteTip(git: Git, remote: RemoteRepository, ref?: string): Promise<RemoteTip> {
  if (ref !== undefined && commitId.test(ref)) return { commit: ref };
  if (ref !== undefined && !isBranchName(ref))
    throw new FetchRefused(
      'missing',
      `${JSON.stringify(ref)} is not the name of a branch, a tag or a commit.`,
    );
  const names =
    ref === undefined
      ? ['HEAD']
      : ref.startsWith('refs/')
        ? [ref, `${ref}^{}`]
        : [`refs/heads/${ref}`, `refs/tags/${ref}`, `refs/tags/${ref}^{}`];
  const listed = await asked(git, ['ls-remote', '--symref', '--', remote.url, ...names], {
    remote,
    timeLimitMs: lookTimeMs,
  });
  const found = tipIn(listed, ref);
  if (found) return found;
  throw new FetchRefused(
    'missing',
    ref === undefined
      ? `${remote.url} has no commit yet, so there is nothing to work on.`
      : `${remote.url} has no branch and no tag ${ref}.`,
  );
}

/** What `git ls-remote --symref` said of a name: a branch before a tag, and what an annotated tag stands for. */
export function tipIn(listed: string, ref: string | undefined): RemoteTip | undefined {
  const commits = new Map<string, string>();
  let head: string | undefined;
  for (const line of listed.split('\n')) {
    const [value = '', name = ''] = line.split('\t');
    if (value.startsWith('ref: ') && name === 'HEAD') head = value.slice('ref: '.length);
    else if (commitId.test(value) && !commits.has(name)) commits.set(name, value);
  }
  const full = ref === undefined ? 'HEAD' : ref.startsWith('refs/') ? ref : `refs/heads/${ref}`;
  const tag = ref === undefined ? undefined : `refs/tags/${ref}`;
  const commit =
    commits.get(`${full}^{}`) ?? commits.get(full) ?? commits.get(`${tag}^{}`) ?? commits.get(`${tag}`);
  if (commit === undefined) return undefined;
  const name = ref === undefined ? head : commits.has(full) ? full : undefined;
  const branch = name?.startsWith('refs/heads/') ? name.slice('refs/heads/'.length) : undefined;
  return { commit, ...(branch !== undefined && isBranchName(branch) && { branch }) };
}

/** Brings all branches and tags of a repository, and the commit itself, into a bare one that nobody else writes to. */
export async function fetchAll(
  git: Git,
  remote: RemoteRepository,
  {
    folder,
    commit,
    limitBytes,
    now,
  }: { readonly folder: string; readonly commit: string; readonly limitBytes: number; readonly now: number },
): Promise<void> {
  await removeLeftovers(folder, now);
  const branches = ['+refs/heads/*:refs/remotes/origin/*', '+refs/tags/*:refs/tags/*'];
  await sized({ folder, limitBytes, remote }, async (signal) => {
    const fetch = async (...what: readonly string[]) =>
      await asked(
        git,
        ['fetch', '--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head', ...what],
        { remote: { ...remote, signal }, timeLimitMs: fetchTimeMs },
      );
    await fetch('--prune', '--', remote.url, ...branches);
    if (!(await hasCommit(git, commit))) await fetch('--', remote.url, commit);
  });
  if (!(await hasCommit(git, commit)))
    throw new FetchRefused('missing', `${remote.url} has no commit ${commit}.`);
  await repackMany(git, folder);
}

/** Whether a commit is there already. */
export async function hasCommit(git: Git, commit: string): Promise<boolean> {
  return (await git.run(['cat-file', '-e', `${commit}^{commit}`])).code === 0;
}

/** Refuses a commit whose files together are larger than what may be checked out: a small pack can hold very large files. */
export async function expectFits(
  git: Git,
  { commit, limitBytes, url }: { readonly commit: string; readonly limitBytes: number; readonly url: string },
): Promise<void> {
  const listed = await git.run(['ls-tree', '-r', '--format=%(objectsize)', commit], {
    timeLimitMs: lookTimeMs,
  });
  // A git from before 2.36 does not know the option.
  if (listed.code !== 0) return;
  let bytes = 0;
  for (const size of listed.stdout.split('\n')) bytes += Number(size) || 0;
  if (listed.truncated || bytes > limitBytes) throw tooLarge(url, limitBytes);
}

async function asked(
  git: Git,
  args: readonly string[],
  { remote, timeLimitMs }: { readonly remote: RemoteRepository; readonly timeLimitMs: number },
): Promise<string> {
  const { url, env, protocols, signal } = remote;
  const ownSsh =
    (await git.run(['config', '--get', 'core.sshCommand'])).code === 0 || 'GIT_SSH_COMMAND' in env;
  const variables = {
    ...transportVariables(env),
    GIT_ALLOW_PROTOCOL: protocols.join(':'),
    // Nobody is there to be asked: empty names are no programs.
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    SSH_ASKPASS_REQUIRE: 'never',
    GCM_INTERACTIVE: 'never',
    ...(!ownSsh && {
      GIT_SSH_COMMAND: 'ssh -o BatchMode=yes -o ConnectTimeout=30 -o ServerAliveInterval=15',
    }),
  };
  try {
    const output = await git.run(args, { timeLimitMs, variables, ...(signal && { signal }) });
    if (output.truncated) throw tooLarge(url, 0);
    if (output.code === 0) return output.stdout;
    throw whyNotFetched(output.stderr, url);
  } catch (error) {
    if (error instanceof FetchRefused || !(error instanceof RefusalError) || signal?.aborted) throw error;
    throw new FetchRefused('unreachable', `${url} could not be fetched: ${error.message}`);
  }
}

const reasons: readonly (readonly [RegExp, FetchTrouble, (url: string) => string])[] = [
  [
    /could not read (Username|Password)|Authentication failed|Permission denied|Host key verification failed|error: 40[13]|HTTP Basic: Access denied|terminal prompts disabled/i,
    'sign_in',
    (url) =>
      `The git of this worker could not sign in to ${url} without asking. Set up an SSH key or a credential helper for the user that runs the worker (for GitHub: gh auth setup-git), then try again.`,
  ],
  [
    /[Rr]epository .*not found|does not appear to be a git repository|error: 404|does not exist|not found: did you/i,
    'missing',
    (url) => `There is no repository at ${url}, or the worker may not see it.`,
  ],
  [
    /not our ref|unadvertised object|couldn't find remote ref|no such remote ref|remote error: upload-pack/i,
    'missing',
    (url) => `${url} has no such commit, or does not give it out by its id. Name a branch or a tag.`,
  ],
  [
    /transport '[^']*' not allowed/i,
    'missing',
    (url) => `${url} would be fetched in a way that the setting repositoryProtocols does not have.`,
  ],
];

/** Why git could not fetch, by its words, which are all that it tells. */
export function whyNotFetched(stderr: string, url: string): FetchRefused {
  const known = reasons.find(([pattern]) => pattern.test(stderr));
  if (known) return new FetchRefused(known[1], known[2](url));
  const words = firstLine(stderr.replace(/^(?:Warning|remote): .*\n/gm, '')).replace(/\.$/, '');
  return new FetchRefused('unreachable', `${url} could not be fetched: ${words}.`);
}

/** Ends what grows beyond its limit, by the files that git is just writing. */
async function sized(
  {
    folder,
    limitBytes,
    remote,
  }: { readonly folder: string; readonly limitBytes: number; readonly remote: RemoteRepository },
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const packs = join(folder, 'objects', 'pack');
  const over = new AbortController();
  const look = async () => {
    if ((await sizeOf(packs)) > limitBytes) over.abort();
  };
  const timer = setInterval(() => void look(), sizeLookMs);
  try {
    await work(remote.signal ? AbortSignal.any([remote.signal, over.signal]) : over.signal);
  } catch (error) {
    if (!over.signal.aborted) throw error;
  } finally {
    clearInterval(timer);
  }
  if (!over.signal.aborted && (await sizeOf(packs)) <= limitBytes) return;
  for (const file of await halvesIn(packs)) await rm(file, { force: true });
  throw tooLarge(remote.url, limitBytes);
}

function tooLarge(url: string, limitBytes: number): FetchRefused {
  const limit =
    limitBytes > 0
      ? ` than the ${Math.round(limitBytes / 2 ** 20)} MiB of the setting repositoryMegabytes`
      : ' than is read';
  return new FetchRefused('too_large', `${url} is larger${limit}, so it was not taken.`);
}

async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(join(folder, name)).catch(() => undefined))?.size ?? 0),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Removes what a git that was killed has left in a repository: half a pack, and locks. */
export async function removeLeftovers(folder: string, now: number): Promise<void> {
  const own = ['packed-refs', 'shallow', 'config', 'HEAD'].map((name) => join(folder, `${name}.lock`));
  const [halves, locks] = [
    await halvesIn(join(folder, 'objects', 'pack')),
    await locksIn(join(folder, 'refs')),
  ];
  for (const file of [...halves, ...own, ...locks]) {
    const found = await lstat(file).catch(() => undefined);
    if (found && now - found.mtimeMs > leftoverMs) await rm(file, { force: true });
  }
}

async function halvesIn(packs: string): Promise<string[]> {
  const names = await readdir(packs).catch(() => []);
  return names
    .filter((name) => name.startsWith('tmp_') || name.startsWith('.tmp-'))
    .map((name) => join(packs, name));
}

/** Links are not followed: agents can put some there. */
async function locksIn(folder: string): Promise<string[]> {
  if (!(await lstat(folder).catch(() => undefined))?.isDirectory()) return [];
  const found: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) found.push(...(await locksIn(path)));
    else if (entry.isFile() && entry.name.endsWith('.lock')) found.push(path);
  }
  return found;
}

/** Every fetch leaves a pack; nothing is thrown away, because worktrees may still have what no branch has. */
async function repackMany(git: Git, folder: string): Promise<void> {
  const names = await readdir(join(folder, 'objects', 'pack')).catch(() => []);
  if (names.filter((name) => name.endsWith('.pack')).length <= mostPacks) return;
  await git.run(['repack', '-a', '-d', '-k', '-q'], { timeLimitMs: fetchTimeMs });
}
