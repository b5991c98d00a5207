// @module-tag full
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type LandingStage, openLandingStage, owner } from './landing-stage.js';

const merge = { method: 'merge' } as const;
const work = 'echo agent >> a.txt; echo new > c.txt';

/** Two commits and something that is not committed. */
function commits(name: string): string {
  return `for n in First Second; do echo $n > ${name}$n.txt; git add .; git commit -qm $n; done; echo rest > ${name}Rest.txt`;
}

/** What a person has in the checkout: files that differ, the branch, the staged tree. */
function state({ git }: LandingStage): unknown {
  return [
    git('status', '--porcelain'),
    git('rev-parse', 'HEAD', 'main'),
    git('write-tree'),
    git('branch', '--list'),
  ];
}

it('merges what was not committed, moves the checkout along, and merges nothing twice', async () => {
  const stage = await openLandingStage();
  const { at, git, read, write } = stage;
  const { threadId, top, branch } = await stage.agent(work, 'Fix the login');
  write('b.txt', 'mine, not staged\n');
  write('untracked.txt', 'mine\n');
  const landing = await at.host.landings.merge(threadId, merge, owner);
  expect(landing).toMatchObject({
    kind: 'merge',
    state: 'done',
    into: 'main',
    sentence: `Merged into main as ${git('rev-parse', 'main').slice(0, 12)}.`,
    actor: owner,
  });
  expect((await at.host.threads.get(threadId)).settled).toMatchObject({ how: 'merge', into: 'main' });
  expect(read('a.txt')).toBe('one\ntwo\nthree\nagent\n');
  expect(git('status', '--porcelain').split('\n')).toEqual([' M b.txt', '?? untracked.txt']);
  expect(git('log', '-1', '--format=%an|%s|%(trailers:key=Handraise-Thread,valueonly)').trim()).toBe(
    `Ada|Fix the login|${threadId}`,
  );
  expect(stage.gitIn(top, 'status', '--porcelain')).toBe('');
  expect(git('rev-parse', branch)).toBe(git('rev-parse', 'main'));
  expect((await at.host.threads.changes(threadId, {})).files).toEqual([]);
  const again = await at.host.landings.merge(threadId, merge, owner);
  expect(again).toMatchObject({ state: 'done', sentence: 'Nothing to merge: main has everything already.' });
  expect((await at.host.landings.list(threadId)).map((each) => each.state)).toEqual(['done', 'done']);

  // What comes later is a change of its own, whatever way the first went.
  writeFileSync(join(top, 'later.txt'), 'later\n');
  expect((await at.host.threads.changes(threadId, {})).files.map(({ path }) => path)).toEqual(['later.txt']);
  const squashed = await at.host.landings.merge(threadId, { method: 'squash', message: 'Later' }, owner);
  expect(squashed.state).toBe('done');
  expect(git('log', '-1', '--format=%s %P')).toBe(`Later ${landing.commit}`);
  writeFileSync(join(top, 'last.txt'), 'last\n');
  expect((await at.host.threads.changes(threadId, {})).files.map(({ path }) => path)).toEqual(['last.txt']);
});

it('merges by merge commit, by squash and by rebase when the branch moved on', async () => {
  const stage = await openLandingStage();
  const { at, git, write } = stage;
  const first = await stage.agent(commits('c'), 'One');
  const second = await stage.agent(commits('d'), 'Two');
  const third = await stage.agent('echo e > e.txt', 'Three');
  write('moved.txt', 'main moved\n');
  const moved = stage.commit('Main moved');

  const merged = await at.host.landings.merge(
    first.threadId,
    { method: 'no-ff', message: 'Take it in' },
    owner,
  );
  expect(merged.state).toBe('done');
  expect(git('log', '-1', '--format=%s %P', 'main')).toBe(
    `Take it in ${moved} ${git('rev-parse', first.branch)}`,
  );

  const rebased = await at.host.landings.merge(second.threadId, { method: 'rebase' }, owner);
  expect(rebased.state).toBe('done');
  expect(
    git('log', '-3', '--format=%s|%P', 'main')
      .split('\n')
      .map((line) => line.split('|')[0]),
  ).toEqual(['Two', 'Second', 'First']);
  expect(git('rev-list', '--merges', '--count', `${merged.commit}..main`)).toBe('0');

  const squashed = await at.host.landings.merge(third.threadId, { method: 'squash' }, owner);
  expect(git('log', '-1', '--format=%P', 'main')).toBe(rebased.commit);
  expect(squashed.commit).toBe(git('rev-parse', 'main'));
  expect(git('status', '--porcelain')).toBe('');
  expect(
    ['cFirst.txt', 'cRest.txt', 'dSecond.txt', 'e.txt', 'moved.txt'].filter(
      (name) => !existsSync(join(stage.repository, name)),
    ),
  ).toEqual([]);
});

it('leaves everything as it was on a conflict, and gives it to the agent where that is asked for', async () => {
  const stage = await openLandingStage();
  const { at, write } = stage;
  const { threadId, top } = await stage.agent('sed -i s/two/agent/ a.txt', 'Conflict');
  write('a.txt', 'one\nmine\nthree\n');
  stage.commit('Mine');
  const before = [
    state(stage),
    stage.gitIn(top, 'status', '--porcelain'),
    stage.gitIn(top, 'rev-parse', 'HEAD'),
  ];
  for (const method of ['merge', 'squash', 'rebase', 'no-ff'] as const) {
    const landing = await at.host.landings.merge(threadId, { method }, owner);
    expect(landing).toMatchObject({ state: 'conflicted', conflicts: ['a.txt'], into: 'main' });
    expect(landing.sentence).toContain('Nothing was changed.');
  }
  expect([
    state(stage),
    stage.gitIn(top, 'status', '--porcelain'),
    stage.gitIn(top, 'rev-parse', 'HEAD'),
  ]).toEqual(before);
  const given = await at.host.landings.merge(threadId, { method: 'merge', resolveWithAgent: true }, owner);
  expect(given.dispatchId).toBeDefined();
  if (given.dispatchId) {
    const dispatch = await at.host.dispatches.ended(given.dispatchId, AbortSignal.timeout(120_000));
    expect(dispatch.text).toContain('git merge main');
  }
});

it('refuses what it cannot do with a sentence, and changes nothing', async () => {
  const stage = await openLandingStage();
  const { at, git, write } = stage;
  const { threadId, top } = await stage.agent(work, 'Refused');
  const refused = async (request: Parameters<typeof at.host.landings.merge>[1]) =>
    await at.host.landings.merge(threadId, request, owner).then(
      ({ state: end, sentence }) => `${end}: ${sentence}`,
      (error: unknown) => (error instanceof Error ? error.message : ''),
    );
  expect(await refused({ ...merge, into: 'nowhere' })).toContain('There is no branch nowhere any more.');
  expect(await refused({ ...merge, into: '-x' })).toContain('is not a branch name');
  expect(await refused({ ...merge, into: 'handraise/refused' })).toContain(
    'is the branch that the agent works on',
  );
  const other = await stage.agent('true', 'Other');
  expect(await refused({ ...merge, into: other.branch })).toContain(
    'is checked out in the worktree of an agent',
  );
  const before = state(stage);
  expect(await refused({ ...merge, verify: 'cat c.txt; false' })).toContain(
    'failed: The merged tree did not pass',
  );
  expect(state(stage)).toEqual(before);

  write('c.txt', 'mine, and in the way\n');
  expect(await refused(merge)).toMatch(/^failed: Nothing was changed in .*c\.txt.*try again\.$/);
  rmSync(join(stage.repository, 'c.txt'));
  write('a.txt', 'mine\n');
  expect(await refused(merge)).toMatch(/^failed: Nothing was changed in .*a\.txt/);
  git('add', 'a.txt');
  expect(await refused(merge)).toContain('something is staged there');
  git('reset', '--quiet', '--hard');
  expect(state(stage)).toEqual(before);

  stage.write('.git/rebase-merge/head-name', 'refs/heads/main\n');
  expect(await refused(merge)).toContain('main is being rebased');
  rmSync(join(stage.repository, '.git/rebase-merge'), { recursive: true });

  git('config', '--global', '--unset', 'user.name');
  expect(await refused(merge)).toContain('git config --global user.name');
  git('config', '--global', 'user.name', 'Ada');
  writeFileSync(join(top, '.gitattributes'), '*.bin filter=lfs\n');
  writeFileSync(join(top, 'x.bin'), 'large\n');
  expect(await refused(merge)).toContain(
    'x.bin needs the filter lfs, which your git does not have. Install git-lfs',
  );
  rmSync(join(top, '.gitattributes'));
  stage.gitIn(top, 'switch', '--quiet', '--detach');
  expect(await refused(merge)).toContain('git switch -c NAME');
  stage.gitIn(top, 'switch', '--quiet', 'handraise/refused');
  rmSync(top, { recursive: true });
  expect(await refused(merge)).toContain('git merge handraise/refused');
  const { threadId: inPlace } = await at.work('go', {
    workspace: { path: stage.repository },
    runtime: 'exec',
    posture: { command: 'true' },
  });
  await expect(at.host.landings.merge(inPlace, merge, owner)).rejects.toThrow(/at work|are there already/);
});

it('asks for a branch where the work began at a commit, and takes one that is named', async () => {
  const stage = await openLandingStage();
  const { at, git } = stage;
  git('switch', '--quiet', '--detach');
  const { threadId } = await stage.agent(work, 'Detached');
  await expect(at.host.landings.merge(threadId, merge, owner)).rejects.toThrow(
    'The work began at a commit and not on a branch. Name one with: --into BRANCH',
  );
  expect(await at.host.landings.merge(threadId, { ...merge, into: 'main' }, owner)).toMatchObject({
    state: 'done',
  });
  expect(git('show', 'main:c.txt')).not.toBe('');
});

it('starts nothing that the repository names', async () => {
  const stage = await openLandingStage();
  const { at, git } = stage;
  const mark = join(stage.repository, '..', 'sprung');
  const trap = `sh -c 'touch ${mark}; cat'`;
  const { threadId } = await stage.agent(work, 'Hostile');
  git('config', 'filter.evil.clean', trap);
  git('config', 'filter.evil.smudge', trap);
  git('config', 'core.fsmonitor', trap);
  git('config', 'merge.evil.driver', trap);
  git('config', 'core.hooksPath', join(stage.repository, 'hooks'));
  stage.write('hooks/post-merge', `#!/bin/sh\ntouch ${mark}\n`);
  stage.write('hooks/reference-transaction', `#!/bin/sh\ntouch ${mark}\n`);
  git('-c', 'core.fsmonitor=false', 'update-index', '--refresh');
  stage.write('.git/info/attributes', '*.txt filter=evil merge=evil\n');
  rmSync(mark, { force: true });
  expect((await at.host.landings.merge(threadId, { method: 'no-ff' }, owner)).state).toBe('done');
  expect(existsSync(mark)).toBe(false);
});

it('applies to the user’s own files, staged, beside what is there, and takes it back', async () => {
  const stage = await openLandingStage();
  const { at, git, read, write } = stage;
  const { threadId } = await stage.agent(work, 'Apply');
  write('b.txt', 'staged by me\n');
  git('add', 'b.txt');
  write('untracked.txt', 'mine\n');
  const before = state(stage);
  const applied = await at.host.landings.apply(threadId, {}, owner);
  expect(applied).toMatchObject({ state: 'done', into: stage.repository });
  expect(git('status', '--porcelain').split('\n')).toEqual([
    'M  a.txt',
    'M  b.txt',
    'A  c.txt',
    '?? untracked.txt',
  ]);
  expect(read('c.txt')).toBe('new\n');
  const settled = async () => (await at.host.threads.get(threadId)).settled?.how;
  expect(await settled()).toBe('apply');
  expect(await at.host.landings.apply(threadId, {}, owner)).toMatchObject({
    state: 'done',
    sentence: expect.stringContaining('Nothing to apply'),
  });
  write('b.txt', 'changed since\n');
  git('add', 'b.txt');
  expect(await at.host.landings.apply(threadId, { undo: true }, owner)).toMatchObject({ state: 'done' });
  expect(read('b.txt')).toBe('changed since\n');
  write('b.txt', 'staged by me\n');
  git('add', 'b.txt');
  expect(state(stage)).toEqual(before);
  expect(await at.host.landings.apply(threadId, { undo: true }, owner)).toMatchObject({
    sentence: 'Nothing is applied, so there is nothing to take back.',
  });
  expect(await settled()).toBeUndefined();
  write('a.txt', 'one\ntwo\nthree\nmine\n');
  git('add', 'a.txt');
  const staged = state(stage);
  expect(await at.host.landings.apply(threadId, {}, owner)).toMatchObject({
    state: 'conflicted',
    conflicts: ['a.txt'],
  });
  expect(state(stage)).toEqual(staged);
});

it('discards worktree and branch, keeps the work under a ref, and does it once', async () => {
  const stage = await openLandingStage();
  const { at, git } = stage;
  const { threadId, top, branch } = await stage.agent(work, 'Discard');
  const discarded = await at.host.landings.discard(threadId, owner);
  expect(discarded.state).toBe('done');
  expect((await at.host.threads.get(threadId)).settled?.how).toBe('discard');
  expect(existsSync(top)).toBe(false);
  expect(git('branch', '--list', branch)).toBe('');
  expect(git('show', `refs/handraise/discarded/${threadId}:c.txt`)).toBe('new');
  expect(await at.host.landings.discard(threadId, owner)).toMatchObject({
    state: 'done',
    sentence: 'Its worktree is gone already.',
  });
  expect(readFileSync(join(stage.repository, 'a.txt'), 'utf8')).toBe('one\ntwo\nthree\n');
});

it('refuses to land a submodule at a commit that is nowhere else, until it is pushed', async () => {
  const stage = await openLandingStage();
  const { at, git } = stage;
  const library = join(stage.repository, '..', 'library.git');
  const source = join(stage.repository, '..', 'library');
  git('init', '--quiet', '--initial-branch=main', source);
  stage.gitIn(source, 'commit', '--quiet', '--allow-empty', '--message', 'Library');
  git('clone', '--quiet', '--bare', source, library);
  git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'lib');
  stage.commit('Submodule');
  const { threadId, top } = await stage.agent(
    'git -c protocol.file.allow=always submodule --quiet update --init && cd lib && git commit -q --allow-empty -m Moved && git switch -qc work',
    'Submodule',
  );
  await expect(at.host.landings.merge(threadId, merge, owner)).rejects.toThrow(
    /^The work moves the submodule lib to [0-9a-f]{12}, which is on no branch of its remote\. Push/,
  );
  stage.gitIn(join(top, 'lib'), 'push', '--quiet', 'origin', 'work');
  expect((await at.host.landings.merge(threadId, merge, owner)).state).toBe('done');
  expect(git('rev-parse', 'main:lib')).toBe(stage.gitIn(join(top, 'lib'), 'rev-parse', 'HEAD'));
});
