// @module-tag full
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ThreadFileLine } from '../../src/protocol/thread-file.js';
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
  writeFileSync(join(repository, 'a.txt'), 'one\n');
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

async function work(name: string, command = 'true', ...more: string[]): Promise<void> {
  const run = await cli.run('run', '-C', repository, '--name', name, '--command', command, ...more, name);
  expect(run.code).toBe(0);
}

async function pathOf(name: string): Promise<string> {
  return ((await cli.json('show', name)) as { workspace: { path: string } }).workspace.path;
}

it('archives what is over, keeps it readable, and takes it back', async () => {
  await work('old');
  const { id } = (await cli.json('archive', 'old')) as { id: string };
  expect(await cli.json('ls')).toEqual([]);
  expect(await cli.json('ls', '--archived')).toMatchObject([{ id, name: 'old' }]);
  expect((await cli.run('logs', id)).code).toBe(0);
  expect(await cli.run('send', id, 'more')).toMatchObject({
    code: 65,
    stderr: expect.stringContaining(`handraise archive --undo ${id}`),
  });
  expect((await cli.run('archive', '--undo', id)).code).toBe(0);
  expect((await cli.run('rm', 'old')).stdout).toBe(`${id}\n`);
  expect((await cli.run('show', id)).code).toBe(66);
});

it('removes no work that is not landed or discarded, unless it is forced', async () => {
  await work('unlanded', 'sh -c "echo two >> a.txt"', '--worktree');
  const path = await pathOf('unlanded');
  const refused = await cli.run('rm', 'unlanded');
  expect([refused.code, refused.stderr]).toEqual([
    65,
    expect.stringMatching(/neither landed nor discarded.*handraise rm --force thr_/),
  ]);
  expect(await cli.json('prune', '--older-than', '0', '--dry-run')).toMatchObject({
    threads: [],
    spared: [{ title: 'unlanded', why: expect.stringContaining('1 uncommitted change') }],
  });
  expect(await cli.json('prune', '--older-than', '0')).toMatchObject({ threads: [], spared: [{}] });
  expect(existsSync(path)).toBe(true);
  expect((await cli.run('rm', '--force', 'unlanded')).code).toBe(0);
  expect([existsSync(path), git('worktree', 'list').split('\n').length]).toEqual([false, 1]);
});

it('prunes what is over and landed, also by a squash, exactly as the dry run said', async () => {
  await work(
    'squashed',
    'sh -c "echo three >> a.txt; git commit -qam three; echo four >> a.txt"',
    '--worktree',
  );
  const path = await pathOf('squashed');
  expect((await cli.run('merge', '--squash', 'squashed')).code).toBe(0);
  await work('plain');
  const slow = (
    await cli.run('run', '-d', '--name', 'slow', '--command', 'sleep 600', 'sleep')
  ).stdout.trim();

  const planned = (await cli.json('prune', '--older-than', '0', '--dry-run')) as {
    threads: { title: string }[];
  };
  expect(planned.threads.map(({ title }) => title)).toEqual(['squashed', 'plain']);
  expect(existsSync(path)).toBe(true);
  expect(await cli.json('prune', '--older-than', '0', '--state', 'failed')).toMatchObject({ threads: [] });
  expect(await cli.json('prune', '--older-than', '1h')).toMatchObject({ threads: [] });
  expect(await cli.json('prune', '--older-than', '0', '--keep', '1GB')).toMatchObject({ threads: [] });
  expect(await cli.json('prune', '--older-than', '0')).toMatchObject({
    threads: planned.threads,
    spared: [],
  });
  expect(existsSync(path)).toBe(false);
  expect(((await cli.json('ls')) as { name: string }[]).map(({ name }) => name)).toEqual(['slow']);
  expect(await cli.run('rm', 'slow')).toMatchObject({
    code: 65,
    stderr: expect.stringContaining('has not ended'),
  });
  await cli.run('cancel', slow);
});

it('exports a thread into one file, and imports it to be read, for good', async () => {
  await work('told', 'sh -c "echo the palimpsest >> a.txt; cat a.txt"', '--worktree');
  const file = join(cli.stage.workspace, 'told.jsonl.gz');
  const { id } = (await cli.json('export', 'told', '-o', file)) as { id: string };
  expect((await cli.run('export', 'told', '-o', file)).code).not.toBe(0);
  const lines = gunzipSync(readFileSync(file))
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line) => ThreadFileLine.parse(JSON.parse(line)));
  expect(new Set(lines.map(({ kind }) => kind))).toEqual(
    new Set(['thread', 'dispatch', 'event', 'item', 'diff', 'transcript']),
  );
  expect(lines.find(({ kind }) => kind === 'diff')).toMatchObject({
    diff: { patch: expect.stringContaining('+the palimpsest') },
  });
  expect(lines.at(-1)).toMatchObject({
    text: expect.stringMatching(/\nagent: one\n(.*\n)*the palimpsest\n/),
  });

  await cli.run('rm', '--force', 'told');
  const copy = (await cli.json('import', file)) as { id: string; importedFrom: string };
  expect(copy).toMatchObject({ title: 'told', importedFrom: id, archivedAt: expect.any(String) });
  expect((await cli.run('logs', copy.id)).stdout).toContain('the palimpsest');
  expect(await cli.json('search', '--archived', 'palimpsest')).toMatchObject({ threads: [{ id: copy.id }] });
  expect((await cli.run('archive', '--undo', copy.id)).code).toBe(65);
  expect((await cli.run('send', copy.id, 'go on')).code).toBe(65);
  expect((await cli.run('rm', copy.id)).code).toBe(0);
});
