import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RepositoryProtocol, repositoryAddress } from '../../domain/worktree/repository-address.js';
import { RefusalError } from '../../process/files/refusal.js';
import { placesIn } from '../../process/git/fetched-repository.js';
import { Git } from '../../process/git/git.js';
import {
  expectFits,
  FetchRefused,
  type FetchTrouble,
  fetchAll,
  fetchConfig,
  fetchTimeMs,
  hasCommit,
  type RemoteTip,
  remoteTip,
  removeLeftovers,
} from '../../process/git/remote-fetch.js';
import { Failure, type FailureCode } from '../../protocol/failure.js';
import type { Clock } from '../clock.js';
import { sha256 } from '../sha256.js';
import { KeyedQueue } from '../threads/keyed-queue.js';

const failureOf: Readonly<Record<FetchTrouble, FailureCode>> = {
  missing: 'not_found',
  sign_in: 'no_permission',
  unreachable: 'repository_unreachable',
  too_large: 'too_large',
};

export interface RepositoryClonesOptions {
  /** The folder that holds what was fetched, a folder per repository. */
  readonly root: string;
  /** What git inherits; who it signs in as is the user's own affair. */
  readonly env: Readonly<Record<string, string>>;
  readonly protocols: readonly RepositoryProtocol[];
  /** How large a repository may be, fetched and checked out. */
  readonly limitBytes: number;
  readonly clock: Pick<Clock, 'now'>;
}

/** A commit of a repository that is here now. */
export interface FetchedCommit extends RemoteTip {
  /** The bare repository that worktrees are made from. */
  readonly gitDir: string;
}

/**
 * The repositories that work was given with, fetched once and then only what is new. Each is two bare ones: a mirror that
 * nobody but us writes to, so that no agent can change what git does when it fetches, and one over its objects that the
 * worktrees belong to.
 */
export class RepositoryClones {
  readonly #options: RepositoryClonesOptions;
  readonly #queue = new KeyedQueue<string>();

  constructor(options: RepositoryClonesOptions) {
    this.#options = options;
  }

  /** Refuses an address that this worker does not fetch. */
  expectAddress(repo: string): void {
    const address = repositoryAddress(repo, this.#options.protocols);
    if ('refused' in address)
      throw new Failure('invalid', `The repository cannot be used. ${address.refused}`);
  }

  canFetch(repo: string): boolean {
    return 'url' in repositoryAddress(repo, this.#options.protocols);
  }

  /** Whether a repository was fetched before. */
  async has(repo: string): Promise<boolean> {
    return (await this.gitDirOf(repo)) !== undefined;
  }

  /** The bare repository that the worktrees of a repository belong to, where it was fetched before. */
  async gitDirOf(repo: string): Promise<string | undefined> {
    const { gitDir } = placesIn(this.#folderOf(repo));
    return (await stat(join(gitDir, 'HEAD')).catch(() => undefined)) ? gitDir : undefined;
  }

  /** Fetches what a branch, tag or commit is now, unless it is here */
  async obtain(
    repo: string,
    { ref, signal }: { readonly ref: string | undefined; readonly signal: AbortSignal },
  ): Promise<FetchedCommit> {
    this.expectAddress(repo);
    const folder = this.#folderOf(repo);
    return await this.#queue.run(folder, async () => {
      const isNew = !(await this.has(repo));
      try {
        return await this.#obtain(repo, { ref, signal, folder });
      } catch (error) {
        if (isNew) await remove(folder);
        if (signal.aborted || !(error instanceof RefusalError)) throw error;
        const code = error instanceof FetchRefused ? failureOf[error.trouble] : 'repository_unreachable';
        throw new Failure(code, error.message, { cause: error });
      }
    });
  }

  /** Removes repositories that no worktree needs, in which no commit is that was not pushed, and that were not used since. */
  async prune(unusedSince: number, { dryRun }: { readonly dryRun: boolean }): Promise<string[]> {
    const removed: string[] = [];
    for (const name of await readdir(this.#options.root).catch(() => [])) {
      const folder = join(this.#options.root, name);
      await this.#queue.run(folder, async () => {
        const repo = await readFile(join(folder, 'address'), 'utf8').catch(() => undefined);
        const used = await stat(join(folder, 'address')).catch(() => undefined);
        if (repo === undefined || !used || used.mtimeMs > unusedSince || (await this.#isNeeded(folder)))
          return;
        if (!dryRun) await remove(folder);
        removed.push(repo);
      });
    }
    return removed;
  }

  async #obtain(
    url: string,
    wanted: { readonly ref: string | undefined; readonly signal: AbortSignal; readonly folder: string },
  ): Promise<FetchedCommit> {
    const { ref, signal, folder } = wanted;
    const { env, protocols, limitBytes, clock } = this.#options;
    const { mirrorDir, gitDir } = placesIn(folder);
    const remote = { url, env, protocols, signal };
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // Comes first: what a killed worker leaves of a fetch is found by it, too.
    await this.#noteUse(folder, url);
    let mirror = await this.#bare(mirrorDir, { isSha256: false, config: fetchConfig });
    const tip = await remoteTip(mirror, remote, ref);
    const isSha256 = tip.commit.length === 64;
    if (isSha256 !== (await isSha256In(mirror))) {
      if (await this.has(url)) throw new FetchRefused('missing', `${url} has no commit ${tip.commit}.`);
      await remove(mirrorDir);
      mirror = await this.#bare(mirrorDir, { isSha256, config: fetchConfig });
    }
    const isHere = await isUpToDate(mirror, tip);
    if (!isHere)
      await fetchAll(mirror, remote, { folder: mirrorDir, commit: tip.commit, limitBytes, now: clock.now() });
    await expectFits(mirror, { commit: tip.commit, limitBytes, url });
    const work = await this.#bare(gitDir, { isSha256, config: originConfig(url), objectsOf: mirrorDir });
    // Nothing is copied where nothing came: what was pushed since is known only there.
    await removeLeftovers(gitDir, clock.now());
    if (!isHere || (await refsOf(work)).size === 0) await copyRefs(mirror, work);
    await setBranch(work, tip);
    await this.#noteUse(folder, url);
    return { ...tip, gitDir };
  }

  /** Whose folder it is, and when it was used; `prune` goes by it. */
  async #noteUse(folder: string, url: string): Promise<void> {
    const address = join(folder, 'address');
    await writeFile(address, url, { mode: 0o600 });
    const now = this.#options.clock.now() / 1000;
    await utimes(address, now, now);
  }

  /** A bare repository of ours, made where it is not there. */
  async #bare(
    gitDir: string,
    made: { readonly isSha256: boolean; readonly config: string; readonly objectsOf?: string },
  ): Promise<Git> {
    const { env } = this.#options;
    // The last file that is written tells a whole one from half of one.
    if (!(await stat(join(gitDir, 'HEAD')).catch(() => undefined))) {
      await rm(gitDir, { recursive: true, force: true });
      for (const name of ['objects/info', 'objects/pack', 'refs/heads', 'info'])
        await mkdir(join(gitDir, name), { recursive: true, mode: 0o700 });
      if (made.objectsOf !== undefined)
        await writeFile(
          join(gitDir, 'objects', 'info', 'alternates'),
          `${join(made.objectsOf, 'objects')}\n`,
        );
      await writeFile(join(gitDir, 'config'), coreConfig(made.isSha256) + made.config);
      await writeFile(join(gitDir, 'HEAD'), 'ref: refs/heads/none\n');
    }
    return await Git.open({ cwd: gitDir, gitDir, env, filters: 'none' });
  }

  async #isNeeded(folder: string): Promise<boolean> {
    const { mirrorDir, gitDir } = placesIn(folder);
    if (!(await stat(join(gitDir, 'HEAD')).catch(() => undefined))) return false;
    const { env } = this.#options;
    const git = await Git.open({ cwd: gitDir, gitDir, env, filters: 'none' });
    // Worktrees whose folders somebody has removed are none.
    await git.run(['worktree', 'prune']);
    if ((await readdir(join(gitDir, 'worktrees')).catch(() => [])).length > 0) return true;
    const mirror = await Git.open({ cwd: mirrorDir, gitDir: mirrorDir, env, filters: 'none' });
    // Tags of the mirror are elsewhere; others, and work that was discarded, are only here.
    const elsewhere = [...(await refsOf(mirror)).values()].map((commit) => `^${commit}\n`).join('');
    const counted = await git.run(['rev-list', '--count', '--all', '--not', '--remotes', '--stdin'], {
      input: elsewhere,
      timeLimitMs: fetchTimeMs,
    });
    return counted.code !== 0 || counted.stdout.trim() !== '0';
  }

  #folderOf(repo: string): string {
    return join(this.#options.root, sha256(repo).slice(0, 16));
  }
}

// What a git that was ended has started may write for a moment longer.
async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

function coreConfig(isSha256: boolean): string {
  return isSha256
    ? '[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectFormat = sha256\n'
    : '[core]\n\trepositoryformatversion = 0\n\tbare = true\n';
}

/** Agents know where their repository is from. An address has no character that would need more than quotes. */
function originConfig(url: string): string {
  return `[remote "origin"]\n\turl = "${url}"\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`;
}

async function isSha256In(git: Git): Promise<boolean> {
  return (await git.read(['rev-parse', '--show-object-format'])).trim() === 'sha256';
}

async function isUpToDate(mirror: Git, { commit, branch }: RemoteTip): Promise<boolean> {
  if (!(await hasCommit(mirror, commit))) return false;
  if (branch === undefined) return true;
  return (await tipOf(mirror, `refs/remotes/origin/${branch}`)) === commit;
}

/**
 * Tells the repository of the worktrees what the branches and tags are now; what agents made is left alone. A branch that is gone
 * goes first, because the next may be called foo/bar where this one was foo. A ref that agents stand in the way of stays as it is.
 */
async function copyRefs(mirror: Git, work: Git): Promise<void> {
  const [theirs, ours] = [await refsOf(mirror), await refsOf(work)];
  const gone = [...ours.keys()].filter((ref) => ref.startsWith('refs/remotes/origin/') && !theirs.has(ref));
  const changed = [...theirs].filter(([ref, commit]) => ours.get(ref) !== commit);
  await changeRefs(
    work,
    gone.map((ref) => `delete ${ref}\0\0`),
  );
  await changeRefs(
    work,
    changed.map(([ref, commit]) => `update ${ref}\0${commit}\0\0`),
  );
}

/** Changes all refs that can be changed: git refuses all of them over one, so they are tried by halves. */
async function changeRefs(git: Git, changes: readonly string[]): Promise<void> {
  if (changes.length === 0) return;
  // A name that an agent has made to stand for another one moves itself, and not the other.
  const input = changes.map((change) => `option no-deref\0${change}`).join('');
  const { code } = await git.run(['update-ref', '-z', '--stdin'], { input, timeLimitMs: fetchTimeMs });
  if (code === 0 || changes.length === 1) return;
  const middle = Math.ceil(changes.length / 2);
  await changeRefs(git, changes.slice(0, middle));
  await changeRefs(git, changes.slice(middle));
}

/** Sees to it that the branch that is asked for is there as it is; without it the work could not begin. */
async function setBranch(work: Git, { commit, branch }: RemoteTip): Promise<void> {
  if (branch === undefined) return;
  const ref = `refs/remotes/origin/${branch}`;
  if ((await tipOf(work, ref)) === commit) return;
  await work.succeed(['update-ref', '--no-deref', ref, commit], { timeLimitMs: fetchTimeMs });
}

async function tipOf(git: Git, ref: string): Promise<string> {
  return (await git.run(['show-ref', '--verify', '--hash', '--', ref])).stdout.trim();
}

async function refsOf(git: Git): Promise<Map<string, string>> {
  const listed = await git.read([
    'for-each-ref',
    '--format=%(objectname) %(refname)',
    'refs/remotes/origin/',
    'refs/tags/',
  ]);
  const lines = listed.split('\n').filter((line) => line !== '');
  return new Map(lines.map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))]));
}
