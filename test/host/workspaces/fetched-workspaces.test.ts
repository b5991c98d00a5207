// What a repository that was fetched and its agents may do to each other, with the real git and without a worker around it.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { FetchedWorkspaces } from '../../../src/host/workspaces/fetched-workspaces.js';
import { RepositoryClones } from '../../../src/host/workspaces/repository-clones.js';
import { Worktrees } from '../../../src/host/workspaces/worktrees.js';
import { ThreadId } from '../../../src/protocol/id.js';
import type { Workspace } from '../../../src/protocol/workspace.js';
import { waitUntil } from '../../harness/wait-until.js';
import { ScratchRepository } from '../../process/git/scratch-repository.js';

const [one, two] = ['aaaaaaaabbbbbbbb', 'aaaaaaaacccccccc'].map((end) =>
  ThreadId.parse(`thr_01hzzzzzzz${end}`),
) as [ThreadId, ThreadId];
const hourMs = 60 * 60_000;

it('conditional settings of an agent start nothing when the next worktree is filled, or one is removed', async () => {
  const { scratch, made, worktrees, workIn } = stage();
  scratch.write('.gitattributes', '*.txt filter=evil\n');
  scratch.commit('Attributes');
  const trap = scratch.trap();
  await made(one);
  const settings = join(scratch.outside, 'settings');
  writeFileSync(
    settings,
    `[filter "evil"]\n\tsmudge = ${trap.program}\n\tclean = ${trap.program}\n\trequired = true\n`,
  );
  scratch.gitIn(workIn(), 'config', 'includeIf.onbranch:handraise/**.path', settings);
  const { path, branch } = (await made(two)).workspace;
  expect([branch, readFileSync(join(path, 'a.txt'), 'utf8')]).toEqual([
    'handraise/fix-it-cccccccc',
    'one\ntwo\n',
  ]);
  utimesSync(join(path, 'a.txt'), 1, 1);
  await worktrees.remove(path, { force: false });
  expect([existsSync(path), trap.sprung()]).toEqual([false, false]);
});

it('the branch of a thread is its own: neither what was pushed to another, nor what is checked out', async () => {
  const { scratch, made } = stage();
  scratch.git('branch', 'side');
  const tip = scratch.git('rev-parse', 'main');
  const origin = { top: scratch.cwd, branch: 'main', commit: tip };
  const { workspace } = await made(one, { origin, workspace: { pushed: { branch: 'main', commit: tip } } });
  expect([workspace.branch, workspace.pushed]).toEqual(['handraise/fix-it-bbbbbbbb', undefined]);
  scratch.git('branch', 'handraise/earlier-words-cccccccc');
  const pushed = { branch: 'handraise/earlier-words-cccccccc', commit: tip };
  expect((await made(two, { origin, workspace: { pushed } })).workspace).toMatchObject({
    branch: pushed.branch,
    pushed,
  });
  // Taken over and back: the worktree is here, and the thread has forgotten it.
  scratch.gitIn(workspace.path, 'switch', '--quiet', 'side');
  expect((await made(one, { origin })).workspace).toMatchObject({
    path: workspace.path,
    branch: 'handraise/fix-it-bbbbbbbb',
  });
});

it('one local branch called handraise leaves room for the branches of threads', async () => {
  const { scratch, made, workIn } = stage();
  await made(one);
  scratch.gitIn(workIn(), 'pack-refs', '--all');
  for (const ref of scratch.gitIn(workIn(), 'for-each-ref', '--format=%(refname)', 'refs/heads').split('\n'))
    scratch.gitIn(workIn(), 'update-ref', '-d', ref);
  scratch.gitIn(workIn(), 'branch', 'handraise', 'origin/main');
  expect((await made(two)).workspace.branch).toBe('handraise-fix-it-cccccccc');
});

it('branches that are renamed to below themselves, and names that agents took, are in nobodys way', async () => {
  const { scratch, obtain, workIn } = stage();
  scratch.git('branch', 'foo');
  await obtain();
  const work = workIn();
  scratch.gitIn(work, 'tag', 'v1/mine', 'origin/main');
  scratch.gitIn(work, 'branch', 'mine', 'origin/main');
  scratch.gitIn(work, 'symbolic-ref', 'refs/remotes/origin/main', 'refs/heads/mine');
  const before = scratch.gitIn(work, 'rev-parse', 'mine');
  scratch.git('branch', '--move', 'foo', 'foo/bar');
  scratch.write('a.txt', 'three\n');
  const tip = scratch.commit('Go on');
  scratch.git('tag', 'v1');
  scratch.git('tag', 'v2');
  expect((await obtain('main')).commit).toBe(tip);
  expect(
    scratch.gitIn(work, 'for-each-ref', '--format=%(refname)', 'refs/remotes', 'refs/tags').split('\n'),
  ).toEqual(['refs/remotes/origin/foo/bar', 'refs/remotes/origin/main', 'refs/tags/v1/mine', 'refs/tags/v2']);
  expect(['mine', 'origin/main'].map((name) => scratch.gitIn(work, 'rev-parse', name))).toEqual([
    before,
    tip,
  ]);
  expect((await obtain('v1')).commit).toBe(tip);
});

it('locks that a killed git has left long ago are removed from both repositories, and nothing behind a link', async () => {
  const { scratch, obtain, workIn, mirrorIn } = stage();
  await obtain();
  const mine = join(scratch.outside, 'mine.lock');
  const locks = [mirrorIn(), workIn()].map((folder) =>
    join(folder, 'refs', 'remotes', 'origin', 'main.lock'),
  );
  for (const file of [mine, ...locks]) {
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, '');
    utimesSync(file, 1, 1);
  }
  symlinkSync(scratch.outside, join(workIn(), 'refs', 'elsewhere'));
  scratch.write('a.txt', 'three\n');
  const tip = scratch.commit('Go on');
  expect((await obtain('main')).commit).toBe(tip);
  expect([mine, ...locks].map((file) => existsSync(file))).toEqual([true, false, false]);
});

it.each([
  ['work that was discarded', 'refs/handraise/discarded/x'],
  ['a tag that only an agent made', 'refs/tags/mine'],
])('%s keeps its repository', async (_what, ref) => {
  const { scratch, obtain, clones, workIn, repo } = stage();
  await obtain();
  const prune = async () => await clones.prune(Date.now() + hourMs, { dryRun: false });
  const commit = scratch.gitIn(workIn(), 'commit-tree', 'origin/main^{tree}', '-m', 'Mine');
  scratch.gitIn(workIn(), 'update-ref', ref, commit);
  expect(await prune()).toEqual([]);
  scratch.gitIn(workIn(), 'update-ref', '-d', ref);
  expect(await prune()).toEqual([repo]);
});

it('what a worker leaves that is killed during its first fetch is removed with what nobody needs', async () => {
  const { root, clones, another } = stage();
  let asked = false;
  const silent = createServer(() => {
    asked = true;
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void silent.close());
  const repo = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/shop`;
  const leaving = new AbortController();
  const fetched = clones.obtain(repo, { ref: undefined, signal: leaving.signal }).catch(() => 'ended');
  await waitUntil('git asks', () => asked);
  const unused = Date.now() + hourMs;
  expect(await another().prune(unused, { dryRun: true })).toEqual([repo]);
  leaving.abort();
  silent.closeAllConnections();
  expect(await fetched).toBe('ended');
  expect(readdirSync(root)).toEqual([]);
});

/** Somebody's repository with one commit, and what fetches it. */
function stage() {
  const scratch = new ScratchRepository().begin();
  onTestFinished(async () => await scratch[Symbol.asyncDispose]());
  const { env } = scratch;
  const repo = `file://${scratch.cwd}`;
  const root = join(scratch.root, 'repositories');
  const another = () =>
    new RepositoryClones({
      root,
      env,
      protocols: ['file', 'http'],
      limitBytes: 2 ** 30,
      clock: { now: () => Date.now() },
    });
  const clones = another();
  const worktrees = new Worktrees({ root: join(scratch.root, 'worktrees'), env });
  const fetched = new FetchedWorkspaces({ clones, worktrees, env });
  const { signal } = new AbortController();
  const inside = (name: string) => join(root, readdirSync(root)[0] ?? '', name);
  return {
    scratch,
    repo,
    root,
    clones,
    another,
    worktrees,
    obtain: async (ref?: string) => await clones.obtain(repo, { ref, signal }),
    made: async (
      id: ThreadId,
      {
        workspace = {},
        ...more
      }: {
        readonly workspace?: Partial<Workspace>;
        readonly origin?: { top: string; branch: string; commit: string };
      } = {},
    ) =>
      await fetched.make(
        { id, title: 'Fix it', workspace: { path: repo, worktree: true, repo, ...workspace }, ...more },
        { repo, signal },
      ),
    workIn: () => inside('work.git'),
    mirrorIn: () => inside('mirror.git'),
  };
}
