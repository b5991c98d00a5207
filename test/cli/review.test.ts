// @module-tag full
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CliStage, openCliStage } from './cli-stage.js';

let cli: CliStage;
let repository: string;
beforeAll(async () => {
  cli = await openCliStage();
  repository = join(cli.stage.workspace, 'project');
  mkdirSync(repository);
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.invalid');
  writeFileSync(join(repository, 'a.txt'), 'one\ntwo\n');
  git('add', '.');
  git('commit', '--quiet', '--message', 'Begin');
});
afterAll(() => cli[Symbol.asyncDispose]());

function git(...args: string[]): string {
  return execFileSync('git', args, {
    cwd: repository,
    encoding: 'utf8',
    env: cli.stage.env,
    stdio: 'pipe',
  }).trim();
}

const works = 'sh -c "echo three >> a.txt; printf new > b.txt"';

it('ends a run with what changed and how to see it, and shows it', async () => {
  writeFileSync(join(repository, 'mine.txt'), 'mine\n');
  const run = await cli.run(
    'run',
    '-C',
    repository,
    '--worktree',
    '--command',
    works,
    '--title',
    'Fix it',
    'go',
  );
  expect(run.stderr).toContain(
    '2 files, +2 −0 on handraise/fix-it: handraise diff last · merge last · apply last · pr last',
  );
  expect(run.stderr).toContain('To begin with it: handraise run --worktree --include-changes');
  expect(run.code).toBe(0);
  const diff = await cli.run('diff', 'last');
  expect(diff).toEqual({
    code: 0,
    stderr: '',
    stdout: [
      '2 files, +2 −0 on handraise/fix-it, against the merge base with main',
      '',
      'a.txt  +1 −0',
      '@@ -1,2 +1,3 @@',
      ' one',
      ' two',
      '+three',
      '',
      'b.txt  new, +1 −0',
      '@@ -0,0 +1,1 @@',
      '+new',
      '\\ No newline at end of file',
      '',
      '',
    ].join('\n'),
  });
  const stat = await cli.run('diff', '@', '--stat');
  expect(stat.stdout).toBe(
    ' a.txt | 1 +\n b.txt | 1 +\n 2 files, +2 −0 on handraise/fix-it, against the merge base with main\n',
  );
  const json = JSON.parse((await cli.run('diff', 'last', 'b.txt', '--json')).stdout);
  expect(json).toMatchObject({ files: [{ path: 'b.txt', status: 'added' }], totals: { files: 2 } });
  expect((await cli.run('diff', 'last', 'nothing.txt')).stderr).toContain(
    'The work did not change nothing.txt.',
  );
  expect((await cli.run('diff', 'thr_nothing')).code).toBe(66);
});

it('shows it through the person’s pager on a terminal', async () => {
  const paged = cli.onTerminal(['diff', 'last'], { env: { GIT_PAGER: 'sed s/^/paged:/' } });
  const { stdout } = await paged.finished;
  expect(stdout).toContain('paged:');
  expect(stdout).toContain('+three');
});

it('tells work in place from what was changed before it', async () => {
  writeFileSync(join(repository, 'a.txt'), 'one\ntwo\nmine\n');
  const run = await cli.run('run', '-C', repository, '--command', works, 'go');
  expect(run.stderr).toContain('2 files, +2 −0: handraise diff last');
  const { stdout } = await cli.run('diff', 'last');
  expect(stdout).toContain(' mine\n+three\n');
  expect(stdout).not.toContain('+mine');
});

it('begins a worktree with what is not committed where it is asked to', async () => {
  const refused = await cli.run('run', '-C', repository, '--include-changes', 'go');
  expect([refused.code, refused.stderr]).toEqual([
    64,
    expect.stringContaining('--include-changes needs --worktree'),
  ]);
  const run = await cli.run(
    'run',
    '-C',
    repository,
    '--worktree',
    '--include-changes',
    '--command',
    'sh -c "cat a.txt mine.txt; echo x >> mine.txt"',
    'go',
  );
  expect(run.stdout).toContain('mine');
  expect(run.stderr).toContain(
    '1 file, +1 −0 on handraise/go: handraise diff last · merge last · apply last · pr last',
  );
  expect(run.stderr).not.toContain('To begin with it');
});

it('says nothing of changes where there is no repository, and what to do', async () => {
  const plain = join(cli.stage.workspace, 'plain');
  mkdirSync(plain);
  const run = await cli.run('run', '-C', plain, '--command', 'touch x', 'go');
  expect([run.code, run.stderr.includes('handraise diff')]).toEqual([0, false]);
  const diff = await cli.run('diff', 'last');
  expect([diff.code, diff.stderr]).toEqual([
    65,
    expect.stringContaining('Run git init there before the next work.'),
  ]);
});

it('merges, applies and discards by name, and says what became of it', async () => {
  git('stash', '--quiet', '--include-untracked');
  const agent = async (title: string, command: string) =>
    await cli.run('run', '-C', repository, '--worktree', '--title', title, '--command', command, 'go');
  await agent('Landing', 'sh -c "echo landed > landed.txt"');
  const merged = await cli.run('merge', 'last', '-m', 'Land it');
  expect([merged.code, merged.stderr]).toEqual([
    0,
    expect.stringMatching(/Merged into main as [0-9a-f]{12}\.\n$/),
  ]);
  expect(git('log', '-1', '--format=%s')).toBe('Land it');
  expect((await cli.run('merge', 'last')).stderr).toContain('Nothing to merge');
  expect((await cli.run('merge', 'last', '--squash', '--rebase')).code).toBe(64);

  await agent('Applying', 'sh -c "echo applied > applied.txt"');
  expect((await cli.run('apply', 'last')).stderr).toContain('--undo');
  expect(git('status', '--porcelain')).toBe('A  applied.txt');
  expect((await cli.run('apply', 'last', '--undo')).code).toBe(0);
  expect(git('status', '--porcelain')).toBe('');

  writeFileSync(join(repository, 'applied.txt'), 'mine\n');
  git('add', '.');
  git('commit', '--quiet', '--message', 'Mine');
  const conflict = await cli.run('merge', 'last');
  expect([conflict.code, conflict.stderr]).toEqual([1, expect.stringContaining('--resolve-with-agent')]);
  const discarded = (await cli.json('discard', 'last')) as { state: string; commit: string };
  expect(discarded.state).toBe('done');
  expect(git('show', `${discarded.commit}:applied.txt`)).toBe('applied');
});

it('merges work that succeeded where that is asked for, and says what became of it', async () => {
  const agent = async (...args: string[]) =>
    await cli.run('run', '-C', repository, '--worktree', '--title', 'Asked', ...args, 'go');
  const usage = await cli.run('run', '-C', repository, '--on-success', 'merge', 'go');
  expect([usage.code, usage.stderr]).toEqual([64, expect.stringContaining('--on-success needs --worktree')]);
  const merged = await agent('--on-success', 'merge', '--command', 'touch asked.txt');
  expect([merged.code, merged.stderr]).toEqual([
    0,
    expect.stringMatching(/Merged into main as [0-9a-f]{12}\.\n$/),
  ]);
  expect(git('show', '--stat', '--format=%s', 'main')).toContain('asked.txt');
  const again = await cli.run('wait', 'last');
  expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('Merged into main')]);
  const refused = await agent('--on-success', 'pr', '--command', 'touch more.txt');
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('git remote add origin ADDRESS'),
  ]);
  await cli.run('discard', 'last');
});

it('keeps comments on lines, and sends them as one piece of work', async () => {
  const command = 'sh -c "cat - > heard.txt; echo commented >> a.txt"';
  await cli.run('run', '-C', repository, '--worktree', '--command', command, '--title', 'Comments', 'go');
  expect((await cli.run('comments', 'last')).stderr).toContain('No comments. Write one with:');
  const added = await cli.run('comments', 'add', 'last', './a.txt:1', 'Why', 'one?');
  expect([added.code, added.stderr]).toEqual([0, expect.stringContaining('handraise comments send')]);
  const before = await cli.run('comments', 'add', 'last', 'elsewhere.txt:7', '--old', 'And this?');
  expect(before.stderr).toContain('Line 7 of elsewhere.txt is not among the lines that changed.');
  const listed = (await cli.json('comments', 'last')) as { id: string; quote?: string }[];
  expect(listed).toMatchObject([
    { file: 'a.txt', line: 1, side: 'new', quote: 'one', author: 'user:owner', state: 'open' },
    { file: 'elsewhere.txt', line: 7, side: 'old', body: 'And this?' },
  ]);
  const [first = { id: '' }, second = { id: '' }] = listed;
  expect((await cli.run('comments', 'rm', 'last', second.id)).stderr).toContain('1 comment removed.');
  expect((await cli.run('comments', 'edit', 'last', first.id, 'Why one and not two?')).code).toBe(0);
  const sent = (await cli.json('comments', 'send', 'last')) as { dispatchId: string; sent: string[] };
  expect(sent.sent).toEqual([first.id]);
  await cli.run('wait', sent.dispatchId);
  const again = await cli.run('comments', 'send', 'last');
  expect([again.code, again.stderr]).toEqual([65, expect.stringContaining('There is no open comment')]);
  expect((await cli.run('comments', 'resolve', 'last', first.id.slice(0, 8))).stderr).toContain('resolved.');
  const { stdout } = await cli.run('comments', 'last');
  expect(stdout).toContain('a.txt:1  Resolved · owner · ');
  expect(stdout).toContain('  > one\n  Why one and not two?\n');
  expect((await cli.run('comments', 'last', '--open', '--json')).stdout).toBe('[]\n');
  expect((await cli.run('comments', 'add', 'last', 'a.txt', 'Where?')).code).toBe(64);
  expect((await cli.run('comments', 'rm', 'last', 'ffff')).code).toBe(66);
});
