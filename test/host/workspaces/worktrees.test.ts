import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Worktrees } from '../../../src/host/workspaces/worktrees.js';
import { Failure } from '../../../src/protocol/failure.js';
import { ThreadId } from '../../../src/protocol/id.js';
import { ScratchRepository } from '../../process/git/scratch-repository.js';

const threadId = ThreadId.parse('thr_01hzzzzzzzaaaaaaaabbbbbbbb');
const otherThread = ThreadId.parse('thr_01hzzzzzzzaaaaaaaacccccccc');

function openWorktrees(scratch: ScratchRepository): { worktrees: Worktrees; root: string } {
  const root = join(scratch.root, 'state', 'worktrees');
  return { root, worktrees: new Worktrees({ root, env: scratch.env }) };
}

async function failureOf(promise: Promise<unknown>): Promise<[string, string]> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Failure)) throw new Error(`no Failure: ${String(error)}`);
  return [error.code, error.message];
}

function branches(scratch: ScratchRepository): string[] {
  return scratch.git('for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n');
}

describe('a worktree', () => {
  it('has a branch of its own, named after the title, from HEAD', async () => {
    await using scratch = new ScratchRepository().begin();
    scratch.write('a.txt', 'changed and not committed\n');
    const { worktrees, root } = openWorktrees(scratch);
    const made = await worktrees.create({
      threadId,
      path: scratch.cwd,
      title: 'Fix the Café login: "500" again and again!',
    });
    const path = join(root, threadId);
    expect(made).toEqual({
      path,
      worktree: true,
      branch: 'handraise/fix-the-cafe-login-500-again-and-again',
    });
    expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('one\ntwo\n');
    expect(scratch.gitIn(path, 'rev-parse', 'HEAD')).toBe(scratch.git('rev-parse', 'HEAD'));
    expect(scratch.git('branch', '--show-current')).toBe('main');
    expect(statSync(root).mode & 0o777).toBe(0o700);
  });

  it('is made once for a thread, also by calls at the same time', async () => {
    await using scratch = new ScratchRepository().begin();
    const { worktrees } = openWorktrees(scratch);
    const request = { threadId, path: scratch.cwd, title: 'Work' };
    const [first, second] = await Promise.all([worktrees.create(request), worktrees.create(request)]);
    expect(second).toEqual(first);
    writeFileSync(join(first.path, 'new.txt'), 'precious\n');
    expect(await openWorktrees(scratch).worktrees.create({ ...request, title: 'Another title' })).toEqual(
      first,
    );
    expect(readFileSync(join(first.path, 'new.txt'), 'utf8')).toBe('precious\n');
    expect(branches(scratch)).toEqual(['handraise/work', 'main']);
  });

  it('is made while somebody else is in the middle of adding one, over which git itself gives up', async () => {
    await using scratch = new ScratchRepository().begin();
    const { worktrees } = openWorktrees(scratch);
    const half = join(scratch.cwd, '.git', 'worktrees', 'half');
    mkdirSync(half, { recursive: true });
    for (const [name, text] of [
      ['gitdir', `${join(scratch.outside, '.git')}\n`],
      ['HEAD', 'ref: refs/heads/main\n'],
      ['locked', 'initializing'],
      ['commondir', ''],
    ] as const)
      writeFileSync(join(half, name), text);
    expect(() => scratch.git('worktree', 'list')).toThrow('failed to read');
    const making = worktrees.create({ threadId, path: scratch.cwd, title: 'Beside another' });
    setTimeout(() => rmSync(half, { recursive: true }), 200);
    expect((await making).branch).toBe('handraise/beside-another');
  });

  it('gets another branch where the name is taken, and the thread’s where there is no title', async () => {
    await using scratch = new ScratchRepository().begin();
    const { worktrees } = openWorktrees(scratch);
    const path = scratch.cwd;
    scratch.git('branch', 'handraise/work');
    expect(await worktrees.create({ threadId, path, title: 'Work' })).toMatchObject({
      branch: 'handraise/work-bbbbbbbb',
    });
    expect(await worktrees.create({ threadId: otherThread, path, title: '日本語' })).toMatchObject({
      branch: 'handraise/cccccccc',
    });
  });

  it('gets a branch beside one that is called handraise', async () => {
    await using scratch = new ScratchRepository().begin();
    scratch.git('branch', 'handraise');
    const made = await openWorktrees(scratch).worktrees.create({
      threadId,
      path: scratch.cwd,
      title: 'Work',
    });
    expect(made).toMatchObject({ branch: 'handraise-work' });
  });

  it('takes the branch that was asked for, made or found', async () => {
    await using scratch = new ScratchRepository().begin();
    const { worktrees } = openWorktrees(scratch);
    const path = scratch.cwd;
    scratch.git('branch', 'feature/there');
    expect(await worktrees.create({ threadId, path, title: '', branch: 'feature/there' })).toMatchObject({
      branch: 'feature/there',
    });
    expect(
      await worktrees.create({ threadId: otherThread, path, title: '', branch: 'feature/new' }),
    ).toMatchObject({
      branch: 'feature/new',
    });
    const third = ThreadId.parse('thr_01hzzzzzzzaaaaaaaadddddddd');
    expect(await failureOf(worktrees.create({ threadId: third, path, title: '', branch: 'main' }))).toEqual([
      'conflict',
      `The branch main is checked out in ${scratch.cwd}. Name another branch, or switch to another one there first.`,
    ]);
    expect(
      await failureOf(worktrees.create({ threadId: third, path, title: '', branch: '--force' })),
    ).toEqual(['invalid', '"--force" is not a branch name.']);
  });

  it('of a folder below the top is that folder, unless HEAD has none or a link to elsewhere', async () => {
    await using scratch = new ScratchRepository().begin();
    const { worktrees, root } = openWorktrees(scratch);
    scratch.write('packages/app/main.ts', '');
    scratch.write('later/x', '');
    symlinkSync(scratch.outside, join(scratch.cwd, 'escape'));
    scratch.git('add', 'packages', 'escape');
    scratch.git('commit', '--quiet', '--message', 'Folders');
    const path = join(scratch.cwd, 'packages/app');
    expect((await worktrees.create({ threadId, path, title: 'Work' })).path).toBe(
      join(root, threadId, 'packages/app'),
    );
    expect(await worktrees.state(join(root, threadId, 'packages/app'))).toMatchObject({
      exists: true,
      clean: true,
    });
    rmSync(join(scratch.cwd, 'escape'));
    scratch.write('escape/x', '');
    for (const [folder, id] of [
      ['later', 'eeeeeeee'],
      ['escape', 'ffffffff'],
    ] as const) {
      const thread = ThreadId.parse(`thr_01hzzzzzzzaaaaaaaa${id}`);
      const made = await worktrees.create({
        threadId: thread,
        path: join(scratch.cwd, folder),
        title: folder,
      });
      expect(made.path).toBe(join(root, thread));
    }
  });

  it('is refused where there is nothing to make it of', async () => {
    await using scratch = new ScratchRepository();
    const { worktrees } = openWorktrees(scratch);
    const create = (path: string): Promise<unknown> => worktrees.create({ threadId, path, title: '' });
    const gone = join(scratch.root, 'gone');
    expect(await failureOf(create(gone))).toEqual(['missing_file', `${gone} does not exist.`]);
    expect(await failureOf(create(scratch.cwd))).toEqual([
      'invalid',
      expect.stringContaining('Run git init there'),
    ]);
    scratch.git('init', '--quiet');
    expect(await failureOf(create(scratch.cwd))).toEqual([
      'conflict',
      expect.stringContaining('Commit something there first.'),
    ]);
  });

  it('that a dead worker left half made is made anew', async () => {
    await using scratch = new ScratchRepository().begin();
    const { worktrees, root } = openWorktrees(scratch);
    const path = join(root, threadId);
    mkdirSync(root, { recursive: true });
    scratch.git('worktree', 'add', '--quiet', '--lock', '-b', 'handraise/work', path);
    rmSync(join(path, 'a.txt'));
    expect(await worktrees.create({ threadId, path: scratch.cwd, title: 'Work' })).toEqual({
      path,
      worktree: true,
      branch: 'handraise/work',
    });
    expect(scratch.gitIn(path, 'status', '--porcelain')).toBe('');
  });

  it('starts none of the programs that the repository names', async () => {
    await using scratch = new ScratchRepository().begin();
    const { program, sprung, reset } = scratch.trap();
    scratch.git('config', 'core.fsmonitor', program);
    scratch.git('config', 'filter.evil.smudge', program);
    scratch.git('config', 'filter.evil.clean', program);
    mkdirSync(join(scratch.cwd, '.git/evil'));
    writeFileSync(join(scratch.cwd, '.git/evil/post-checkout'), `#!/bin/sh\nexec ${program} </dev/null\n`);
    chmodSync(join(scratch.cwd, '.git/evil/post-checkout'), 0o755);
    scratch.git('config', 'core.hooksPath', '.git/evil');
    scratch.write('.gitattributes', '*.txt filter=evil\n');
    scratch.commit('Trap');
    scratch.git('worktree', 'add', '--quiet', join(scratch.outside, 'plain'));
    expect(sprung()).toBe(true);
    reset();

    const { worktrees } = openWorktrees(scratch);
    const { path } = await worktrees.create({ threadId, path: scratch.cwd, title: 'Work' });
    writeFileSync(join(path, 'a.txt'), 'changed\n');
    await worktrees.state(path);
    await failureOf(worktrees.remove(path, { force: false }));
    await worktrees.remove(path, { force: true });
    expect([sprung(), existsSync(path)]).toEqual([false, false]);
  });
});

describe('removing a worktree', () => {
  it('that holds nothing of its own removes its branch too', async () => {
    await using scratch = new ScratchRepository().begin();
    const { worktrees } = openWorktrees(scratch);
    const { path } = await worktrees.create({ threadId, path: scratch.cwd, title: 'Work' });
    expect(await worktrees.state(path)).toEqual({
      exists: true,
      clean: true,
      why: 'Everything in it is also on another branch or a remote.',
    });
    await worktrees.remove(path, { force: false });
    expect(existsSync(path)).toBe(false);
    expect(branches(scratch)).toEqual(['main']);
    expect(scratch.git('worktree', 'list', '--porcelain').split('\n\n')).toHaveLength(1);
    expect(await worktrees.state(path)).toEqual({ exists: false, clean: true, why: 'It is already gone.' });
    await worktrees.remove(path, { force: false });
  });

  it('that would lose work is refused in a sentence; forced, it still keeps the commits', async () => {
    await using scratch = new ScratchRepository().begin();
    const { worktrees } = openWorktrees(scratch);
    const { path } = await worktrees.create({ threadId, path: scratch.cwd, title: 'Work' });
    writeFileSync(join(path, 'b.txt'), 'committed\n');
    scratch.gitIn(path, 'add', 'b.txt');
    scratch.gitIn(path, 'commit', '--quiet', '--message', 'Own');
    writeFileSync(join(path, 'a.txt'), 'changed\n');
    writeFileSync(join(path, 'c.txt'), 'untracked\n');
    const why =
      'It holds 1 uncommitted change, 1 untracked file or folder, 1 commit that is on no other branch or remote.';
    expect(await worktrees.state(path)).toEqual({ exists: true, clean: false, why });
    expect(await failureOf(worktrees.remove(path, { force: false }))).toEqual([
      'conflict',
      `The worktree was not removed. ${why}`,
    ]);
    expect(existsSync(join(path, 'c.txt'))).toBe(true);
    await worktrees.remove(path, { force: true });
    expect(existsSync(path)).toBe(false);
    expect(scratch.git('log', '-1', '--format=%s', 'handraise/work')).toBe('Own');
  });

  it('whose commits another branch, a tag or a remote has loses nothing', async () => {
    await using scratch = new ScratchRepository().begin();
    const { worktrees } = openWorktrees(scratch);
    const { path } = await worktrees.create({ threadId, path: scratch.cwd, title: 'Work' });
    scratch.gitIn(path, 'commit', '--quiet', '--allow-empty', '--message', 'Own');
    expect((await worktrees.state(path)).clean).toBe(false);
    scratch.git('update-ref', 'refs/remotes/origin/work', 'handraise/work');
    expect((await worktrees.state(path)).clean).toBe(true);
    await worktrees.remove(path, { force: false });
    expect(branches(scratch)).toEqual(['main']);
  });

  it('with no branch checked out counts its commits as well', async () => {
    await using scratch = new ScratchRepository().begin();
    const { worktrees } = openWorktrees(scratch);
    const { path } = await worktrees.create({ threadId, path: scratch.cwd, title: 'Work' });
    scratch.gitIn(path, 'switch', '--quiet', '--detach');
    scratch.gitIn(path, 'commit', '--quiet', '--allow-empty', '--message', 'Loose');
    expect(await worktrees.state(path)).toMatchObject({
      clean: false,
      why: 'It holds 1 commit that is on no other branch or remote.',
    });
  });

  it('keeps a branch that the user named', async () => {
    await using scratch = new ScratchRepository().begin();
    const { worktrees } = openWorktrees(scratch);
    scratch.git('branch', 'mine');
    const { path } = await worktrees.create({ threadId, path: scratch.cwd, title: '', branch: 'mine' });
    await worktrees.remove(path, { force: false });
    expect(branches(scratch)).toEqual(['main', 'mine']);
  });

  it('that lost its .git needs force, and never touches a repository around it', async () => {
    await using scratch = new ScratchRepository().begin();
    const root = join(scratch.cwd, 'inside');
    const worktrees = new Worktrees({ root, env: scratch.env });
    const { path } = await worktrees.create({ threadId, path: scratch.cwd, title: 'Work' });
    rmSync(join(path, '.git'));
    expect(await worktrees.state(path)).toEqual({
      exists: true,
      clean: false,
      why: 'It is not a git worktree any more.',
    });
    await worktrees.remove(path, { force: true });
    expect([existsSync(path), existsSync(join(scratch.cwd, 'a.txt'))]).toEqual([false, true]);
  });

  it('is refused for what was not made here', async () => {
    await using scratch = new ScratchRepository().begin();
    const { worktrees, root } = openWorktrees(scratch);
    for (const path of [scratch.cwd, root, join(root, '..'), `${root}/../x`, 'relative', `${root}-other/x`]) {
      expect(await failureOf(worktrees.remove(path, { force: true }))).toEqual([
        'invalid',
        `${path} is not a worktree of Handraise.`,
      ]);
    }
    expect(existsSync(scratch.cwd)).toBe(true);
  });

  it('that somebody has locked, or that has submodules, is for whoever forces it', async () => {
    await using scratch = new ScratchRepository().begin();
    const { worktrees } = openWorktrees(scratch);
    const { path } = await worktrees.create({ threadId, path: scratch.cwd, title: 'Work' });
    const modules = join(scratch.gitIn(path, 'rev-parse', '--absolute-git-dir'), 'modules', 'lib');
    mkdirSync(modules, { recursive: true });
    const remove = (force: boolean) => worktrees.remove(path, { force });
    expect((await failureOf(remove(false)))[1]).toContain('It has submodules');
    scratch.git('worktree', 'lock', path);
    expect((await failureOf(remove(false)))[1]).toContain('It is locked');
    await remove(true);
    expect(existsSync(path)).toBe(false);
  });

  it('that git refuses to read is refused as that, and not as something that passes', async () => {
    await using scratch = new ScratchRepository().begin();
    const { worktrees } = openWorktrees(scratch);
    const { path } = await worktrees.create({ threadId, path: scratch.cwd, title: 'Work' });
    // A tag of a commit that is not there, as a repository has it that was copied in part.
    writeFileSync(join(scratch.cwd, '.git/refs/tags/gone'), `${'a'.repeat(40)}\n`);
    expect((await failureOf(worktrees.state(path)))[0]).toBe('conflict');
    expect((await failureOf(worktrees.remove(path, { force: true })))[0]).toBe('conflict');
    expect(existsSync(path)).toBe(true);
  });

  it('that the agent pointed at another repository does not remove that one', async () => {
    await using scratch = new ScratchRepository().begin();
    await using victim = new ScratchRepository().begin();
    const { worktrees } = openWorktrees(scratch);
    const { path } = await worktrees.create({ threadId, path: scratch.cwd, title: 'Work' });
    writeFileSync(join(path, '.git'), `gitdir: ${victim.cwd}/.git\n`);
    const [code] = await failureOf(worktrees.remove(path, { force: true }));
    expect(code).toBe('conflict');
    expect(victim.git('status', '--porcelain')).toBe('');
    expect(victim.git('log', '--format=%s')).toBe('Begin');
  });
});
