import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Dispatch, DispatchRequest } from '../../../src/protocol/dispatch.js';
import { waitUntil } from '../../harness/wait-until.js';
import { type HostStage, openHostStage, owner } from '../host-stage.js';

it('work in a repository is done in a worktree of what was fetched, and pushed on a branch of its own', async () => {
  const { at, repo, origin, git } = await stage();
  const done = await at.ended(await work(at, { repo }, 'cat a.txt > copy.txt'));
  expect(done.outcome?.result).toBe('succeeded');
  const { workspace, branch } = await pushedThread(at, done);
  expect(workspace).toMatchObject({
    path: join(at.home, 'worktrees', done.threadId),
    worktree: true,
    repo,
    pushed: { branch, commit: git(origin, 'rev-parse', branch) },
  });
  expect(branch).toBe(`handraise/work-${done.threadId.slice(-8)}`);
  expect(git(origin, 'show', `${branch}:copy.txt`)).toBe('one');
  expect((await at.host.threads.changes(done.threadId, {})).files.map(({ path }) => path)).toEqual([
    'copy.txt',
  ]);
  expect((await at.host.landings.list(done.threadId)).map(({ kind, state }) => [kind, state])).toEqual([
    ['push', 'done'],
  ]);

  // What came meanwhile is there for the next work, which names where to begin.
  commit(origin, git, 'side', 'two');
  const next = await at.ended(
    await work(at, { repo, ref: 'side' }, 'test "$(cat a.txt)" = two && git log origin/main'),
  );
  expect(next.outcome?.result).toBe('succeeded');
  const tagged = await at.ended(await work(at, { repo, ref: 'v1' }, 'test "$(cat a.txt)" = one && touch b'));
  expect(tagged.outcome?.result).toBe('succeeded');
  expect(readdirSync(join(at.home, 'repositories'))).toHaveLength(1);

  // Its worktree may go, because its work is elsewhere; more work begins with what was pushed.
  await at.host.threads.removeWorktree(done.threadId, { force: false, actor: owner });
  const more = await at.done('go', { thread: done.threadId });
  expect([more.outcome?.result, (await at.thread(done.threadId)).workspace.branch]).toEqual([
    'succeeded',
    branch,
  ]);
});

it('only the own branch of a thread is pushed, to the address that the user gave, whatever that stands for', async () => {
  const { at, origin, git } = await stage();
  const secret = `file://${at.stage.home}/`;
  git(origin, 'config', '--global', `url.${secret}.insteadOf`, 'file:///shop/');
  const main = git(origin, 'rev-parse', 'main');
  const save = 'echo x > x && git add x && git commit -qm x';
  const done = await at.ended(
    await work(at, { repo: 'file:///shop/origin.git' }, `git switch -q main && ${save}`),
  );
  expect(done.outcome?.result).toBe('succeeded');
  const { threadId } = done;
  const landings = async () =>
    (await at.host.landings.list(threadId)).map(({ state, sentence }) => [state, sentence]);
  const refusal = expect.stringMatching(
    /has the branch main checked out, and only its own branch handraise\/work-\S+ is pushed\. .*: git -C \S+ switch -C handraise\/work-/,
  );
  await waitUntil('the push has ended', async () => (await landings())[0]?.[0] === 'failed');
  expect(await landings()).toEqual([['failed', refusal]]);
  await expect(at.host.landings.push(threadId, {}, owner)).rejects.toMatchObject({ message: refusal });
  await expect(at.host.landings.openPullRequest(threadId, {}, owner)).rejects.toMatchObject({
    message: refusal,
  });
  const { workspace } = await at.thread(threadId);
  expect([git(origin, 'rev-parse', 'main'), workspace.pushed]).toEqual([main, undefined]);

  const own = workspace.branch ?? '';
  git(workspace.path, 'switch', '--quiet', '-C', own);
  expect(await at.host.landings.push(threadId, {}, owner)).toMatchObject({
    state: 'done',
    sentence: `Pushed ${own} to file:///shop/origin.git.`,
  });
  expect(git(origin, 'show', `${own}:x`)).toBe('x');
  const [stored] = await at.store.query('landings', { threadId });
  expect(JSON.stringify(stored?.plan?.push)).not.toContain(secret);
});

it('what cannot be fetched fails with its own exit code and a sentence, and leaves nothing behind', async () => {
  const { at, repo } = await stage();
  const signIn = createServer((_request, response) => {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
  });
  await new Promise<void>((resolve) => signIn.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void signIn.close());
  const { port } = signIn.address() as AddressInfo;
  const failed = async (workspace: { repo: string; ref?: string }) => {
    const { outcome } = await at.ended(await work(at, workspace, 'true'));
    return [outcome?.exitCode, outcome?.summary];
  };
  expect(await failed({ repo, ref: 'nowhere' })).toEqual([66, `${repo} has no branch and no tag nowhere.`]);
  expect(await failed({ repo, ref: 'a'.repeat(40) })).toEqual([
    66,
    expect.stringContaining('no such commit'),
  ]);
  expect(await failed({ repo: `${repo}x` })).toEqual([
    66,
    expect.stringContaining('There is no repository at'),
  ]);
  expect(await failed({ repo: `http://127.0.0.1:${port}/shop` })).toEqual([
    77,
    expect.stringContaining('could not sign in'),
  ]);
  signIn.close();
  expect(await failed({ repo: 'http://127.0.0.1:1/shop' })).toEqual([
    69,
    expect.stringContaining('could not be fetched'),
  ]);
  expect(readdirSync(join(at.home, 'repositories'))).toEqual([]);
  expect(existsSync(join(at.home, 'worktrees')) ? readdirSync(join(at.home, 'worktrees')) : []).toEqual([]);

  await expect(work(at, { repo: 'ext::sh -c id' }, 'true')).rejects.toMatchObject({ code: 'invalid' });
  await expect(work(at, { repo: 'https://ada:secret@git.example/shop' }, 'true')).rejects.toMatchObject({
    code: 'invalid',
    message: expect.not.stringContaining('secret'),
  });
  await expect(work(at, { repo }, 'true', { onSuccess: 'merge' })).rejects.toMatchObject({ code: 'invalid' });
});

it('a repository starts nothing, neither when it is fetched nor later, and one that is too large is not taken', async () => {
  const { at, repo, origin, git } = await stage({ repositoryMegabytes: 1 });
  const sprung = join(at.stage.home, 'sprung');
  const trap = join(at.stage.home, 'trap.sh');
  writeFileSync(trap, `#!/bin/sh\necho "$@" >> ${sprung}\ncat\n`, { mode: 0o755 });
  git(at.stage.home, 'config', '--global', 'filter.lfs.smudge', trap);
  git(at.stage.home, 'config', '--global', 'filter.lfs.clean', trap);
  const side = commit(origin, git, 'filtered', 'three', { '.gitattributes': '*.txt filter=lfs\n' });
  expect(existsSync(sprung)).toBe(true);
  execFileSync('rm', [sprung]);

  // The first agent leaves a trap in everything that its repository would start.
  const poison = `D=$(git rev-parse --git-common-dir); git config core.sshCommand ${trap}; git config core.fsmonitor ${trap}; git config remote.origin.uploadpack ${trap}; mkdir -p $D/hooks; for h in post-checkout reference-transaction post-merge pre-push; do cp ${trap} $D/hooks/$h; done`;
  expect((await at.ended(await work(at, { repo }, poison))).outcome?.result).toBe('succeeded');
  expect(existsSync(sprung)).toBe(false);
  const filtered = await at.ended(await work(at, { repo, ref: side }, 'true', { onSuccess: 'keep' }));
  expect(filtered.outcome?.result).toBe('succeeded');
  expect(existsSync(sprung)).toBe(false);

  commit(origin, git, 'large', 'x'.repeat(3 * 2 ** 20));
  const large = await at.ended(await work(at, { repo, ref: 'large' }, 'true'));
  expect([large.outcome?.exitCode, large.outcome?.summary]).toEqual([
    65,
    `${repo} is larger than the 1 MiB of the setting repositoryMegabytes, so it was not taken.`,
  ]);
});

it('a repository that no work needs any more is removed; one with work that was not pushed stays', {
  tags: ['full'],
}, async () => {
  const { at, repo } = await stage();
  const kept = await at.ended(await work(at, { repo }, 'touch mine', { onSuccess: 'keep' }));
  const prune = async () => await at.host.cleanup.prune({ olderThanDays: 0, dryRun: false }, owner);
  expect(await prune()).toMatchObject({ threads: [], repositories: [], spared: [{ id: kept.threadId }] });
  expect((await at.host.landings.push(kept.threadId, {}, owner)).sentence).toMatch(
    /^Pushed handraise\/work-/,
  );
  expect(await prune()).toMatchObject({ threads: [{ id: kept.threadId }], repositories: [repo], spared: [] });
  expect(readdirSync(join(at.home, 'repositories'))).toEqual([]);
});

async function pushedThread(at: HostStage, { threadId }: Dispatch) {
  const { workspace } = await at.thread(threadId, (thread) => thread.workspace.pushed !== undefined);
  return { workspace, branch: workspace.pushed?.branch ?? '' };
}

async function work(
  at: HostStage,
  workspace: { repo: string; ref?: string },
  script: string,
  more: Partial<DispatchRequest> = {},
): Promise<Dispatch> {
  return await at.work('work', {
    workspace,
    runtime: 'exec',
    posture: { command: `sh -c ${JSON.stringify(script)}` },
    ...more,
  });
}

type GitIn = (cwd: string, ...args: string[]) => string;

/** A host, and a repository to fetch from, with one commit on main and a tag on it. */
async function stage(settings: object = {}) {
  const at = await openHostStage({
    retries: 0,
    repositoryProtocols: ['file', 'http'],
    ...settings,
  });
  const git: GitIn = (cwd, ...args) =>
    execFileSync('git', args, { cwd, env: at.stage.env, encoding: 'utf8', stdio: 'pipe' }).trim();
  const origin = join(at.stage.home, 'origin.git');
  mkdirSync(origin);
  git(origin, 'init', '--quiet', '--bare', '--initial-branch=main');
  git(origin, 'config', '--global', 'user.name', 'Ada');
  git(origin, 'config', '--global', 'user.email', 'ada@example.invalid');
  commit(origin, git, 'main', 'one');
  git(origin, 'tag', 'v1', 'main');
  return { at, origin, repo: `file://${origin}`, git };
}

/** Puts a commit on a branch of the repository; gives its id. */
function commit(
  origin: string,
  git: GitIn,
  branch: string,
  text: string,
  files: Readonly<Record<string, string>> = {},
): string {
  const folder = join(origin, '..', `making-${branch}`);
  mkdirSync(folder);
  git(folder, 'init', '--quiet', `--initial-branch=${branch}`);
  for (const [name, content] of Object.entries({ 'a.txt': `${text}\n`, ...files }))
    writeFileSync(join(folder, name), content);
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', text.slice(0, 20));
  git(folder, 'push', '--quiet', origin, branch);
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toContain(text.slice(0, 3));
  return git(folder, 'rev-parse', 'HEAD');
}
